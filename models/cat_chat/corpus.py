#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Short chats between people and a cat, from a seeded grammar.

A chat is a row of exchanges: a person's line, then the cat's. In some the
cat says something that it may choose (`tell` acts: how many mice, where the
ball is); in others the earlier lines leave it one right answer (`recall`
acts), which may lie several hundred characters back. `Referee` replays a chat,
also one that a model made, and says which answers were right.

    corpus.py --chats 3 --seed 7          print some chats
"""

import argparse
import math
import random
import re
import sys
from dataclasses import dataclass, field

# ids 0..94 are the printable characters in order, then the control marks.
NEWLINE, END, START = "\n", "<end>", "<start>"
SYMBOLS = [chr(c) for c in range(32, 127)] + [
    NEWLINE, END, START, "<pad>", "\t", "<unknown>"]
IDS = {symbol: index for index, symbol in enumerate(SYMBOLS)}
assert len(SYMBOLS) == 101

PEOPLE = """Ada Ben Cleo Dov Edda Finn Gita Hugo Ines Jon Kiri Leo Mara Nils
Olga Pim Quinn Rosa Sami Tess Uma Vito Wren Yara Zeno Abel Bela Cora Dina Emil
Fay Gus Hana Igor Joy Karl Lola Milo Nora Otto""".split()
CATS = """Moss Pepper Biscuit Soot Olive Mango Pickle Tofu Juno Fig Nimbus
Waffle Sesame Clover Rook Maple Bramble Inky Turnip Velvet Comet Noodle Saffron
Truffle""".split()
COLOURS = """grey black white ginger silver brown cream spotted striped
blue""".split()
PLACES = """attic kitchen garden cellar library barn hallway pantry studio
balcony greenhouse workshop""".split()
SPOTS = """sofa piano bookshelf basket curtain stove drawer ladder teapot
umbrella carpet bathtub""".split()
TOYS = "ball ribbon feather bell button cork string spool".split()
FOODS = """tuna cheese salmon chicken milk butter sardines ham custard
shrimp""".split()
NUMBERS = """zero one two three four five six seven eight nine ten eleven
twelve""".split()

LISTS = {"person": PEOPLE, "cat": CATS, "colour": COLOURS, "home": PLACES,
         "mice": NUMBERS[2:10], "mice_spot": SPOTS, "toy": TOYS,
         "toy_spot": SPOTS, "food": FOODS, "given": NUMBERS[1:5]}


@dataclass
class Context:
    """What the lines so far have made known."""
    facts: dict = field(default_factory=dict)
    people: list = field(default_factory=list)
    treats: dict = field(default_factory=dict)
    asked: dict = field(default_factory=dict)  # act -> who asked

    def slots(self, speaker):
        """Words that a template may use with `speaker` talking."""
        mine = self.treats.get(speaker, 0)
        total = sum(self.treats.values())
        slots = dict(self.facts, me=speaker, mine=treats(mine),
                     total=treats(total), first=self.people[0])
        slots.update({f"who_{act}": who for act, who in self.asked.items()})
        return slots


def treats(count):
    return f"{NUMBERS[count]} treat{'' if count == 1 else 's'}"


def treated(c, me, new):
    c.treats[me] = c.treats.get(me, 0) + NUMBERS.index(new["given"])


def introduced(c, me, new):
    c.people.append(me)


@dataclass
class Act:
    """One exchange. Line i of `asks` is answered by line i of `answers`."""
    name: str
    pairs: list
    new: tuple = ()             # slots that this exchange makes known
    when: object = lambda c, me: True
    then: object = lambda c, me, new: None
    recall: bool = False        # the answer follows from the lines before
    often: float = 1.0
    once: bool = True


def knows(*names):
    return lambda c, me: all(n in c.facts or n in c.asked for n in names)


OPENING = Act("open", [
    ("Hello, I am {me}. Who are you?",
     "Meow, {me}. I am {cat}, the {colour} cat of the {home}."),
    ("Good day, little cat. My name is {me}.",
     "Mrrp. They call me {cat}, {me}. I am {colour}, and I rule the {home}."),
    ("Oh, a cat! I am {me}, and you?",
     "I am {cat}. All {colour}, {me}, as you see. The {home} is mine."),
    ("Psst, puss! {me} is here.",
     "Hello, {me}. {cat} is my name. This {home} has one {colour} cat: me."),
], new=("cat", "colour", "home"), then=introduced)

JOINING = Act("join", [
    ("Hi all, {me} here.", "Hello, {me}. {first} came before you."),
    ("May I join you? I am {me}.", "Sit down, {me}, beside {first}."),
    ("{me} is back from the market.", "Welcome, {me}. {first} is here too."),
], then=introduced, recall=True)

CLOSING = Act("close", [
    ("Goodbye, {cat}.", "Goodbye, {me}. I counted {total} today."),
    ("I must go now.", "Go well, {me}. The {home} stays open for you."),
    ("See you tomorrow, {cat}!", "Until then, {me}. {cat} will wait here."),
    ("It is late. Good night.", "Good night, {me}, says the {colour} cat."),
], recall=True)

ACTS = [
    Act("mice", [
        ("Did you catch any mice?", "I caught {mice} behind the {mice_spot}."),
        ("How was the hunt?", "Fine: {mice} mice under the {mice_spot}."),
        ("What about the mice, {cat}?",
         "There were {mice} of them near the {mice_spot}."),
    ], new=("mice", "mice_spot"), often=1.5),
    Act("toy", [
        ("Where is your toy?", "I put my {toy} under the {toy_spot}."),
        ("Do you want to play, {cat}?",
         "Bring the {toy}. It lies behind the {toy_spot}."),
        ("What do you play with?", "A {toy}. I hid it by the {toy_spot}."),
    ], new=("toy", "toy_spot"), often=1.5),
    Act("food", [
        ("I brought you some {food}.", "Is that {food}? I will take it."),
        ("Look, {cat}, here is {food}.", "I smell {food}. How kind of you."),
        ("Do you like {food}? Here you are.", "Yes, {me}, I do like {food}."),
    ], new=("food",), often=1.5),
    Act("treats", [
        ("Here, take {given}.", "Thank you, {me}. That makes {mine} from you."),
        ("{given} for you, {cat}.", "Purr. So far you gave me {mine}, {me}."),
        ("I have {given} in my hand.", "Crunch. Now {me} gave {mine}."),
    ], new=("given",), then=treated, recall=True, once=False, often=2.5,
        when=lambda c, me: sum(c.treats.values()) <= 8),
    Act("my_name", [
        ("Do you remember my name?", "Of course. You are {me}."),
        ("Who am I?", "You are {me}, and you came to see {cat}."),
    ], recall=True),
    Act("cat_name", [
        ("What was your name again?", "It is {cat}, {me}. {cat} of the {home}."),
        ("What shall I call you?", "Call me {cat}."),
    ], recall=True),
    Act("colour", [
        ("What colour are you?", "I am {colour} from nose to tail."),
        ("Describe yourself.", "A fine {colour} cat with two ears."),
    ], recall=True),
    Act("home", [
        ("Where do you live?", "In the {home}, as I said."),
        ("Which room is yours?", "The {home} is mine."),
    ], recall=True),
    Act("my_treats", [
        ("How many treats did I give you?", "You gave me {mine}, {me}."),
        ("Count my treats, please.", "{me}, that was {mine}."),
    ], recall=True, when=lambda c, me: c.treats.get(me)),
    Act("all_treats", [
        ("How many treats did you get today?", "All in all {total}."),
        ("Are you full, {cat}?", "After {total}? Almost."),
    ], recall=True, when=lambda c, me: c.treats),
    Act("mice_count", [
        ("How many mice did you say?", "I said {mice} mice."),
        ("Tell me the number of mice again.", "It was {mice}, {me}."),
    ], recall=True, when=knows("mice"), often=2),
    Act("mice_where", [
        ("Where were the mice?", "At the {mice_spot}, all {mice}."),
        ("Where did you hunt?", "Around the {mice_spot}."),
    ], recall=True, when=knows("mice"), often=2),
    Act("toy_where", [
        ("I can't find your toy.", "Look at the {toy_spot} for the {toy}."),
        ("Where did you leave the {toy}?", "By the {toy_spot}, {me}."),
    ], recall=True, when=knows("toy"), often=2),
    Act("food_what", [
        ("What did you eat?", "I ate {food}, which {who_food} brought."),
        ("Was the food good?", "The {food} was very good."),
    ], recall=True, when=knows("food"), often=2),
    Act("food_who", [
        ("Who brought the food?", "{who_food} brought {food}."),
        ("Where did the {food} come from?", "From {who_food}."),
    ], recall=True, when=knows("food"), often=2),
    Act("mice_who", [
        ("Who asked about the mice?", "That was {who_mice}."),
        ("Who wanted to know of your hunt?", "{who_mice} did."),
    ], recall=True, when=knows("mice"), often=2),
    Act("toy_who", [
        ("Who asked for the {toy}?", "It was {who_toy}."),
        ("Who wanted to see your toy?", "{who_toy} did, {me}."),
    ], recall=True, when=knows("toy"), often=2),
    Act("first", [
        ("Who came first?", "{first} was first."),
        ("Whom did you meet first today?", "First came {first}."),
    ], recall=True, when=lambda c, me: len(c.people) > 1, often=2),
    Act("talk", [(ask, answer) for ask, answer in (line.split("|") for line in """
Is it warm there?|The sun is on my side of the room.
Did you sleep well?|I slept all day, and I dreamed of birds.
Do you hear the rain?|Each drop. My ears miss nothing.
May I stroke you?|Behind the ear, please, and not for long.
You look sleepy.|I am not asleep. I am thinking.
Why do you stare at the wall?|Because the wall stares at me.
Can you see the birds?|They are many, and the window is shut.
What a long tail you have.|It keeps the rest of me in balance.
Do you like music?|Only the sound of a tin being opened.
Are you a good cat?|I am the best one in this house.
It is cold outside.|Then shut the door behind you.
What are you thinking of?|Of nothing at all, for hours.
Did you scratch the chair?|The chair and I had to talk.
Do you like dogs?|From above, yes.
Is there a moon tonight?|A thin one, like a claw.
You are purring.|It goes by itself.
What is in that box?|I am. I fit, so I sit.
Do you dream?|Of grass that moves.
""".strip().splitlines())], once=False, often=4),
]
EVERY = [OPENING, JOINING, CLOSING] + ACTS
SLOT = re.compile(r"\{(\w+)\}")


def fill(template, slots):
    text = SLOT.sub(lambda m: treats(NUMBERS.index(slots["given"]))
                    if m[1] == "given" else slots[m[1]], template)
    return text[0].upper() + text[1:]


class Writer:
    """Makes chats, and counts the bits of its own choices."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bits = 0.0

    def pick(self, choices, weights=None):
        weights = weights or [1.0] * len(choices)
        [index] = self.random.choices(range(len(choices)), weights)
        self.bits -= math.log2(weights[index] / sum(weights))
        return choices[index]

    def chat(self):
        """Returns [(act name, is recall, person's line, cat's line)]."""
        context, used, lines = Context(), set(), []
        guest = self.pick([False, True])
        length = self.pick(range(6, 13))
        joins = self.pick(range(1, 5)) if guest else -1
        me = self.pick(PEOPLE)
        lines.append(self.exchange(OPENING, context, me))
        for turn in range(1, length):
            if turn == joins:
                other = self.pick([p for p in PEOPLE if p != me])
                lines.append(self.exchange(JOINING, context, other))
                continue
            me = self.pick(context.people)
            acts = [a for a in ACTS if a.when(context, me)
                    and (not a.once or a.name not in used)]
            act = self.pick(acts, [a.often for a in acts])
            used.add(act.name)
            lines.append(self.exchange(act, context, me))
        lines.append(self.exchange(CLOSING, context, self.pick(context.people)))
        return lines

    def exchange(self, act, context, me):
        new = {slot: self.pick(LISTS[slot]) for slot in act.new}
        learn(act, context, me, new)
        slots = context.slots(me)
        ask, answer = (fill(t, slots) for t in self.pick(act.pairs))
        cat = context.facts["cat"]
        return act.name, act.recall, f"{me}: {ask}", f"{cat}: {answer}"


def learn(act, context, me, new):
    context.facts.update(new)
    act.then(context, me, new)
    context.asked.setdefault(act.name, me)


def text_of(chat):
    return "".join(f"{ask}\n{answer}\n" for _, _, ask, answer in chat) + END


def encode(text):
    """Ids of a text, with the marks written out as in `SYMBOLS`."""
    parts = re.split(r"(<end>|<start>)", text)
    return [i for p in parts for i in
            ([IDS[p]] if p in (END, START) else map(IDS.__getitem__, p))]


class Referee:
    """Replays a chat by the grammar."""

    def __init__(self):
        self.patterns = [(act, self.pattern(ask), answer)
                         for act in EVERY for ask, answer in act.pairs]

    @staticmethod
    def pattern(template):
        seen = set()

        def group(match):
            name = match[1]
            if name in seen:
                return f"(?P={name})"
            seen.add(name)
            return rf"(?P<{name}>[\w ]+?)"
        escaped = re.sub(r"\\([{} ])", r"\1", re.escape(template))
        return re.compile(SLOT.sub(group, escaped), re.IGNORECASE)

    def judge(self, text):
        """Counts of a chat's exchanges: all, not in the grammar, recalls,
        and recalls answered right."""
        context = Context()
        counts = dict(exchanges=0, unknown=0, recalls=0, right=0)
        lines = text.removesuffix(END).strip("\n").split("\n")
        for ask, answer in zip(lines[::2], lines[1::2]):
            counts["exchanges"] += 1
            verdict = self.exchange(context, ask, answer)
            if verdict is None:
                counts["unknown"] += 1
            elif verdict != "told":
                counts["recalls"] += 1
                counts["right"] += verdict == "right"
        return counts

    def exchange(self, context, ask, answer):
        me, _, said = ask.partition(": ")
        cat, _, replied = answer.partition(": ")
        verdict = None
        for act, pattern, template in self.patterns:
            heard = pattern.fullmatch(said)
            if not heard:
                continue
            new = {s: heard.groupdict().get(s) for s in act.new}
            told = self.pattern(template).fullmatch(replied)
            for slot, word in ((told.groupdict() if told else {})).items():
                if slot in new:
                    new[slot] = word
            if "given" in new:
                new["given"] = said and new["given"].split()[0].lower()
            if any(w not in LISTS[s] for s, w in new.items()):
                continue
            if not act.recall and not told:
                continue
            if act.name not in ("open", "join") and me not in context.people:
                continue
            learn(act, context, me, new)
            try:
                right = fill(template, context.slots(me)) == replied
            except (KeyError, IndexError):
                return "wrong"  # recalls what nobody said
            right = right and cat == context.facts.get("cat")
            if not act.recall:
                return "told" if right else None
            return "right" if right else "wrong"
        return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    writer, characters = Writer(arguments.seed), 0
    for _ in range(arguments.chats):
        text = text_of(writer.chat())
        characters += len(encode(text))
        print(text)
    print(f"{characters / arguments.chats:.0f} characters a chat, "
          f"{writer.bits / characters:.3f} bits a character chosen",
          file=sys.stderr)


if __name__ == "__main__":
    main()
