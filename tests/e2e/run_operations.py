#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the operations of the integer and stochastic rungs on adversarial
numbers and compares with Python's integers: not one bit may differ.

    run_operations.py --compile BUILD/bin/rung-compile \\
        --run BUILD/bin/rung-run --device 0
"""

import os
import tempfile

import numpy as np

import operations
from tools import Failure, command, judge, parser, run_model


def check(arguments, folder, case):
    """Compiles a case's module, runs it, and compares every output."""
    model = os.path.join(folder, "case.mlir")
    bundle = os.path.join(folder, "case.rung")
    with open(model, "w", encoding="utf-8") as file:
        file.write(case.module())
    command(arguments.compile, model, "-o", bundle, "--target", "lavapipe")
    got = run_model(arguments, bundle, folder, case.inputs,
                    list(case.expected))
    compared = 0
    for name, expected in case.expected.items():
        if got[name].shape != expected.shape:
            raise Failure(f"{name} has shape {got[name].shape}, expected "
                          f"{expected.shape}")
        wrong = np.argwhere(got[name] != expected)
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            raise Failure(
                f"{name} is {got[name][at]} at {list(at)}, expected "
                f"{expected[at]}; {len(wrong)} of {expected.size} differ")
        compared += expected.size
    return f"{compared} numbers, 0 mismatches"


def main():
    arguments = parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        judge([(case.name,
                lambda case=case: check(arguments, folder, case))
               for case in operations.cases()])


if __name__ == "__main__":
    main()
