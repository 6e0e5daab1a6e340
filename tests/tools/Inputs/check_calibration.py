#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_calibration.py CALIBRATION.json [ARRAYS.npz NAME FUNCTION]: says what a
calibration holds, and fails on a range that is empty or not one, on a state
beyond 1, and where the input of FUNCTION's first linear layer did not have
just the range of the array NAME."""

import json
import sys

import numpy as np

with open(sys.argv[1]) as file:
    functions = json.load(file)["functions"]
counts = {"linear": 0, "recurrence": 0, "activation": 0, "state": 0}


def check(range, bound=np.inf):
    low, high = range
    assert -bound <= low <= high <= bound, range


for function in functions.values():
    for linear in function["linears"]:
        check(linear)
        counts["linear"] += 1
    for recurrence in function["recurrences"]:
        counts["recurrence"] += 1
        for activation in recurrence["activations"]:
            check(activation)
            counts["activation"] += 1
        for state in recurrence["states"]:
            check(state, 1)
            counts["state"] += 1
if len(sys.argv) > 2:
    array = np.load(sys.argv[2])[sys.argv[3]].astype(np.float32)
    first = functions[sys.argv[4]]["linears"][0]
    assert first == [array.min(), array.max()], (first, array.min())
print(", ".join(f"{n} {name}{'' if n == 1 else 's'}"
                for name, n in counts.items()))
