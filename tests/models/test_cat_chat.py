#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The grammar of cat_chat's chats: needs nothing but Python."""

import os
import random
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MODEL = os.path.join(ROOT, "models", "cat_chat")
sys.path.insert(0, MODEL)
import corpus


def chats(seed, count):
    writer = corpus.Writer(seed)
    return [writer.chat() for _ in range(count)]


class Corpus(unittest.TestCase):
    def test_same_seed_same_chats(self):
        self.assertEqual(chats(5, 20), chats(5, 20))
        self.assertNotEqual(chats(5, 20), chats(6, 20))

    def test_referee_accepts_every_chat(self):
        for chat in chats(1, 300):
            counts = corpus.Referee().judge(corpus.text_of(chat))
            recalls = sum(recall for _, recall, _, _ in chat)
            self.assertEqual(counts, {
                "exchanges": len(chat), "unknown": 0, "recalls": recalls,
                "right": recalls})

    def test_referee_catches_a_wrong_fact(self):
        """Names another cat, colour or number in one determined answer."""
        randomly, referee, caught = random.Random(1), corpus.Referee(), 0
        for chat in chats(2, 100):
            index = randomly.choice(
                [i for i, line in enumerate(chat) if line[1]])
            act, recall, ask, answer = chat[index]
            words = answer.rstrip(".").split(" ")
            at = randomly.randrange(1, len(words))
            words[at] = "Xerxes"
            chat[index] = act, recall, ask, " ".join(words) + "."
            counts = referee.judge(corpus.text_of(chat))
            self.assertEqual(counts["right"], counts["recalls"] - 1)
            caught += 1
        self.assertEqual(caught, 100)

    def test_facts_lie_far_back(self):
        """Some answers need what was said over 300 characters before."""
        far = 0
        for chat in chats(3, 100):
            told_at, position = None, 0
            for act, _, ask, answer in chat:
                if act == "mice":
                    told_at = position
                far += (act == "mice_count" and told_at is not None
                        and position - told_at > 300)
                position += len(ask) + len(answer) + 2
        self.assertGreater(far, 5)

    def test_ids_and_vocabulary_file(self):
        text = corpus.text_of(chats(4, 1)[0])
        ids = corpus.encode(text)
        self.assertEqual("".join(corpus.SYMBOLS[i] for i in ids), text)
        self.assertEqual(ids[-1], corpus.IDS[corpus.END])
        escapes = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\s": " "}
        with open(os.path.join(MODEL, "vocabulary.txt")) as file:
            lines = file.read().split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual([escapes.get(line, line) for line in lines],
                         corpus.SYMBOLS)

    def test_description_names_the_marks(self):
        with open(os.path.join(MODEL, "cat_chat.yaml")) as file:
            text = file.read()
        self.assertIn(f"start: {corpus.IDS[corpus.START]} ", text)
        self.assertIn(f"stop: {corpus.IDS[corpus.END]} ", text)


if __name__ == "__main__":
    unittest.main()
