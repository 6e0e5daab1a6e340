# SPDX-License-Identifier: Apache-2.0
"""What a trained cat_chat can do on chats it has not seen.

Teacher-forced: the chat is fed, the next character guessed. `determined`
counts only the characters of answers that the lines before leave no choice
in. Free-running: the chat is fed up to the cat's turn, then the model writes
the answer from its own characters; an answer counts when it equals the
grammar's to the letter. Own chats: the model gets a person's first line alone
and writes the rest, both parts; the referee replays it.
"""

import math
import time

import torch
from torch.nn import functional

import corpus
from held_out import held_out

PAD, END = corpus.IDS["<pad>"], corpus.IDS[corpus.END]
NEWLINE = corpus.IDS["\n"]


def padded(chats, device):
    longest = max(len(ids) for ids, _ in chats)
    rows = [ids + [PAD] * (longest - len(ids)) for ids, _ in chats]
    return torch.tensor(rows, device=device).t().contiguous()


def generate(model, ids, states, stop, limit, temperature=0.0):
    """Continues rows from `states`, feeding `ids` [B] first. Returns lists of
    ids, each up to and with its `stop`."""
    columns, done = [], torch.zeros_like(ids, dtype=torch.bool)
    for _ in range(limit):
        logits, kept = model(ids[None], states)
        states = [layer[0] for layer in kept]
        if temperature:
            share = functional.softmax(logits[0].float() / temperature, -1)
            ids = torch.multinomial(share, 1)[:, 0]
        else:
            ids = logits[0].argmax(-1)
        columns.append(ids)
        done |= ids == stop
        if len(columns) % 16 == 0 and done.all():
            break
    rows = torch.stack(columns, 1).tolist()
    return [row[:row.index(stop) + 1] if stop in row else row
            for row in rows]


@torch.no_grad()
def evaluate(model, count, seed, say):
    begin = time.monotonic()
    model.eval()
    device = next(model.parameters()).device
    chats, bits = held_out(count, seed)
    score, recall = Tally(), Tally()
    for index in range(0, len(chats), 250):
        part = chats[index:index + 250]
        ids = padded(part, device)
        logits, kept = model(ids[:-1])
        teacher_forced(score, part, ids, logits)
        free_running(recall, model, part, ids, kept)
    say(f"answers measured after {time.monotonic() - begin:.0f} s")
    result = {
        "held_out_chats": count,
        "bits_per_character": round(
            score.total["nats"] / math.log(2) / score.total["characters"], 4),
        "bits_per_character_of_the_grammar": round(
            bits / score.total["characters"], 4),
        "teacher_forced": {
            "accuracy": score.share("right", "characters"),
            "accuracy_determined": score.share(
                "determined_right", "determined")},
        "free_running": {
            "answers": recall.total["all"],
            "accuracy": recall.share("all_right", "all"),
            "accuracy_by_kind": {
                kind: recall.share(kind + "_right", kind)
                for kind in sorted(recall.total)
                if kind != "all" and not kind.endswith("_right")}},
        "own_chats": own_chats(model, chats, say)}
    say(f"evaluated in {time.monotonic() - begin:.0f} s")
    return result


class Tally:
    def __init__(self):
        self.total = {}

    def add(self, name, amount):
        self.total[name] = self.total.get(name, 0) + amount

    def share(self, part, whole):
        return round(self.total.get(part, 0) / max(1, self.total[whole]), 4)


def teacher_forced(score, chats, ids, logits):
    target = ids[1:]
    real = target != PAD
    nats = functional.cross_entropy(
        logits.flatten(0, 1), target.flatten(), reduction="none")
    right = logits.argmax(-1) == target
    determined = torch.zeros_like(real)
    for row, (_, answers) in enumerate(chats):
        for _, begin, end in answers:
            determined[begin - 1:end - 1, row] = True
    score.add("nats", (nats * real.flatten()).double().sum().item())
    score.add("characters", real.sum().item())
    score.add("right", (right & real).sum().item())
    score.add("determined", determined.sum().item())
    score.add("determined_right", (right & determined).sum().item())


def free_running(recall, model, chats, ids, kept):
    places = [(row, answer) for row, (_, answers) in enumerate(chats)
              for answer in answers]
    rows = torch.tensor([row for row, _ in places], device=ids.device)
    at = torch.tensor([a[1] - 1 for _, a in places], device=ids.device)
    # Layer outputs are the states: take those before the last fed character.
    states = [layer[at - 1, rows] for layer in kept]
    longest = max(end - begin for _, (_, begin, end) in places)
    written = generate(model, ids[at, rows], states, NEWLINE, longest)
    for (row, (kind, begin, end)), answer in zip(places, written):
        right = answer == chats[row][0][begin:end]
        for name in (kind, "all"):
            recall.add(name, 1)
            recall.add(name + "_right", int(right))


def own_chats(model, chats, say):
    """Greedy and sampled chats of the model's own, replayed by the referee."""
    referee, results = corpus.Referee(), {}
    device = next(model.parameters()).device
    openings = [ids[:ids.index(NEWLINE) + 1] for ids, _ in chats[:200]]
    rows = padded([(o, None) for o in openings], device)
    _, kept = model(rows)
    last = torch.tensor([len(o) - 1 for o in openings], device=device)
    index = torch.arange(len(openings), device=device)
    states = [layer[last - 1, index] for layer in kept]
    for name, temperature in (("greedy", 0.0), ("sampled", 1.0)):
        torch.manual_seed(1)
        written = generate(model, rows[last, index], states, END, 1400,
                           temperature)
        sums = {"chats": len(written), "ended": 0}
        for opening, row in zip(openings, written):
            text = "".join(corpus.SYMBOLS[i] for i in opening[1:] + row)
            sums["ended"] += row[-1] == END
            for key, value in referee.judge(text).items():
                sums[key] = sums.get(key, 0) + value
        sums["accuracy"] = round(sums["right"] / max(1, sums["recalls"]), 4)
        results[name] = sums
        if name == "sampled":
            say(text)
    return results
