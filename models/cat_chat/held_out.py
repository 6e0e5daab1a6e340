#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chats that the trained model has not seen, for measuring it.

    held_out.py --out chats.npz           what `rung-bench chat-model` reads

Array `ids` [T, B] holds the characters, `lengths` [B] how many are a chat's,
`answers` [N, 3] row, begin and end of each answer that the lines before leave
no choice in, `bits` [1] the bits of the grammar's own choices.
"""

import argparse

import corpus

PAD, START, END = (corpus.IDS[s] for s in ("<pad>", corpus.START, corpus.END))
SEED = 9_000_000  # training takes seeds from 1,000,000


def held_out(count, seed):
    """Chats as (ids with start mark, [(kind, begin, end)] of the answers that
    are determined, end behind the line break) and the grammar's bits."""
    writer, chats = corpus.Writer(seed), []
    for _ in range(count):
        ids, answers = [START], []
        for act, recall, ask, answer in writer.chat():
            ids += corpus.encode(ask + "\n")
            begin = len(ids) + answer.index(": ") + 2
            ids += corpus.encode(answer + "\n")
            if recall:
                answers.append((act, begin, len(ids)))
        chats.append((ids + [END], answers))
    return chats, writer.bits


def main():
    import numpy as np
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--chats", type=int, default=100)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    chats, bits = held_out(arguments.chats, arguments.seed)
    ids = np.full((max(len(row) for row, _ in chats), len(chats)), PAD,
                  np.int32)
    for index, (row, _) in enumerate(chats):
        ids[:len(row), index] = row
    answers = [(index, begin, end) for index, (_, answers) in enumerate(chats)
               for _, begin, end in answers]
    np.savez_compressed(
        arguments.out, ids=ids,
        lengths=np.array([len(row) for row, _ in chats], np.int32),
        answers=np.array(answers, np.int32).reshape(-1, 3),
        bits=np.array([bits]))


if __name__ == "__main__":
    main()
