#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cells that hold everything in f16 or in i32, and compares every bit.

    run_carriers.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0

The cells and what they must give are in carrier_bodies.py. Each runs in both
strategies, with heads narrower than a tile, row lengths and backwards; and
whole runs agree with the same steps in segments. With --bundles DIR, bundles
are kept there, and those that are there are taken.
"""

import os
import re
import tempfile

import numpy as np

from carrier_bodies import (IntegerCell, IntegerResetBefore, PairedCell,
                            StochasticCell, StochasticMove)
from tools import Failure, command, judge, parser, run_model

SIZES = ((0, 2), (1, 1), (2, 3), (7, 17))


def bits(array):
    return array.view({2: np.uint16, 4: np.uint32}[array.itemsize])


def expect_equal(what, got, expected):
    if got.shape != expected.shape or got.dtype != expected.dtype:
        raise Failure(f"{what} is {got.dtype} of {got.shape}, expected "
                      f"{expected.dtype} of {expected.shape}")
    wrong = np.argwhere(bits(got) != bits(expected))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        raise Failure(f"{what} is {got[at]} at {list(at)}, expected "
                      f"{expected[at]}; {len(wrong)} of {got.size} differ")


def check_segments(arguments, cell, bundle, folder, arrays, whole, cut):
    """The first `cut` steps, then the rest, give the same bits."""
    parts = []
    for begin, end in ((0, cut), (cut, len(arrays["x"]))):
        now = {**arrays, "x": arrays["x"][begin:end]}
        if cell.random:
            now["random"] = arrays["random"] + np.array([begin, 0, 0], np.int32)
        got = run_model(arguments, bundle, folder, now, list(whole))
        arrays = {**arrays, **{s: v for s, v in got.items() if s != "y"}}
        parts.append(got)
    for name in whole:
        joined = parts[-1][name] if name != "y" else \
            np.concatenate([part["y"] for part in parts])
        expect_equal(f"{name} in segments", joined, whole[name])


def check_cell(arguments, cell, bundle, folder, steps, batch):
    g = np.random.default_rng(100 * steps + batch)
    arrays = cell.inputs(g, steps, batch)
    if cell.lengths:
        arrays["lengths"] = g.integers(-1, steps + 2, batch).astype(np.int32)
    expected = cell.run(arrays)
    got = run_model(arguments, bundle, folder, arrays, list(expected))
    for name in expected:
        expect_equal(name, got[name], expected[name])
    if steps > 2 and not cell.lengths and not cell.reverse:
        check_segments(arguments, cell, bundle, folder, arrays, got, cut=3)
    return f"{sum(v.size for v in expected.values())} numbers"


def cells():
    """Every kind of cell in every way of running it, once or twice."""
    for kind in (IntegerCell, IntegerResetBefore, PairedCell, StochasticCell):
        for strategy in ("resident-head", "step"):
            yield kind(2, 3, strategy, lengths=True)
            yield kind(1, 24, strategy, reverse=True, lengths=True)
            yield kind(3, 16, strategy)
    yield IntegerCell(1, 40, "step")
    yield StochasticMove(2, 20, "resident-head")


def compile_cell(arguments, cell, bundle):
    if os.path.exists(bundle):
        return "was compiled before"
    os.makedirs(os.path.dirname(bundle), exist_ok=True)
    source = bundle.replace(".rung", ".mlir")
    with open(source, "w") as file:
        file.write(cell.text())
    command(arguments.compile, source, "-o", bundle, *[
        w for t in arguments.target or ["lavapipe"] for w in ("--target", t)])
    return "compiles"


def main():
    p = parser(__doc__)
    p.add_argument("--only", default="", help="cells whose name holds this")
    arguments = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = []
        for cell in cells():
            if arguments.only not in cell.name:
                continue
            bundle = os.path.join(arguments.bundles or folder,
                                  re.sub(r"\W+", "_", cell.name) + ".rung")
            checks.append((cell.name, lambda c=cell, b=bundle:
                           compile_cell(arguments, c, b)))
            for steps, batch in SIZES:
                checks.append((f"{cell.name} T {steps} B {batch}",
                               lambda c=cell, b=bundle, s=steps, n=batch:
                               check_cell(arguments, c, b, folder, s, n)))
        judge(checks)


if __name__ == "__main__":
    main()
