#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_chat_bits.py CHATS.npz LOGITS.npy SCORES.json: computes bits and
accuracies from the logits over all chats, and fails unless the scores that
rung-bench gave are the same."""

import json
import sys

import numpy as np

chats, logits = np.load(sys.argv[1]), np.load(sys.argv[2]).astype(np.float64)
with open(sys.argv[3]) as file:
    scores = json.load(file)
ids, lengths = chats["ids"], chats["lengths"]
steps = np.arange(len(ids) - 1)[:, None]
real = steps + 1 < lengths
determined = np.zeros_like(real)
for row, begin, end in chats["answers"]:
    determined[begin - 1:end - 1, row] = True
best = logits.max(-1, keepdims=True)
nats = np.log(np.exp(logits - best).sum(-1)) + best[..., 0] - np.take_along_axis(
    logits, np.maximum(ids, 0)[np.minimum(np.arange(len(ids)) + 1,
                                          len(ids) - 1)][..., None], -1)[..., 0]
right = logits.argmax(-1)[:-1] == ids[1:]
expected = {
    "bits": (nats[:-1] * real).sum() / np.log(2) / real.sum(),
    "accuracy": (right & real).sum() / real.sum(),
    "determined": (right & determined).sum() / determined.sum()}
[result] = scores["results"]
got = {"bits": result["bits_per_character"],
       "accuracy": result["teacher_forced"]["accuracy"],
       "determined": result["teacher_forced"]["accuracy_determined"]}
for name, value in expected.items():
    if abs(got[name] - value) > 1e-9 * max(1, abs(value)):
        sys.exit(f"{name}: rung-bench says {got[name]}, the logits {value}")
assert scores["characters"] == real.sum()
assert scores["answers"] == len(chats["answers"])
print(f"bits {expected['bits']:.3f}, answers "
      f"{result['free_running']['accuracy']:.2f}")
