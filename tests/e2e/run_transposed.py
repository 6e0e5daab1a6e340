#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs recurrences whose blocks are held as their transposes.

    run_transposed.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0 --profile compiler/target/profiles/lavapipe.json

Software Vulkan's instructions are square, so no rule turns blocks around there,
nor does it write steps twice for whole tiles and others.
Models are compiled for a copy of its profile with such tiles, and compared with
the reference and with themselves one step at a time.
"""

import os
import tempfile

import numpy as np

from run_grid import write_model
from tools import (TOLERANCE, Failure, command, compile_model, derive_profile,
                   expect_close, expect_same_bits, judge, parser, run_model)

TILES = ("{columns = %d : i64, depth = %d : i64, group = 3 : i64, layout = "
         "#tile.layout<instruction = transposed [8, 8, 8], subgroups = %d, "
         "subgroup_size = 8, cooperative = true>, rows = %d : i64, "
         "stages = %d : i64%s}")


def turned_profile(path, folder, head, phases, rows, stages, loops):
    columns = (head + 7) // 8 * 8
    problem = (f"resident-head recurrence f16 f32 head {head}, 3 products in "
               f"{phases} phases, 24 inputs")
    tiles = {problem: TILES % (columns, columns, columns // 8, rows, stages,
                               ", two_loops" if loops == 2 else "")}
    return derive_profile(path, folder,
                          lambda profile: profile.update(tiles=tiles))


def check(arguments, folder, hidden, heads, reset, direction, steps, batch,
          rows, stages, loops):
    model = write_model(folder, hidden, heads, reset, direction)
    phases = 2 if reset == "before" else 1
    arguments.target = [turned_profile(arguments.profile, folder,
                                       hidden // heads, phases, rows, stages,
                                       loops)]
    bundle = model[:-5] + ".rung"
    compile_model(arguments, model, bundle)
    tile = command(arguments.compile, model, "--emit=tile", "--precision",
                   arguments.precision, "--target", arguments.target[0])
    if "instruction = transposed" not in tile:
        raise Failure("no layout is transposed")
    random = np.random.default_rng(steps + batch)
    x = random.standard_normal((steps, batch, 24)).astype(np.float32)
    h = np.tanh(random.standard_normal((batch, hidden))).astype(np.float32)

    def run(x, h, device=None):
        return run_model(arguments, bundle, folder, {"x": x, "h": h},
                         ["y", "h"], device=device)

    got, expected = run(x, h), run(x, h, device="reference")
    worst = max(expect_close(name, got[name], expected[name].astype(np.float64),
                             TOLERANCE[arguments.precision])
                for name in ("y", "h"))
    if direction == "forward":
        rows = []
        for t in range(steps):
            now = run(x[t:t + 1], h)
            h = now["h"]
            rows.append(now["y"])
        expect_same_bits("y", np.concatenate(rows), got["y"], "step by step")
    return f"worst {worst:.1e}"


def main():
    p = parser(__doc__)
    p.add_argument("--profile", required=True, help="software Vulkan's")
    arguments = p.parse_args()
    arguments.precision = "fp16-mixed"
    with tempfile.TemporaryDirectory() as folder:
        cases = [(32, 2, "after", "forward", 7, 8, 8, 2, 1),
                 (32, 2, "after", "forward", 7, 11, 8, 2, 2),
                 (32, 1, "after", "forward", 4, 11, 16, 1, 2),
                 (20, 1, "before", "forward", 5, 3, 8, 2, 1),
                 (32, 2, "after", "reverse", 4, 16, 8, 2, 2)]
        judge([(f"{c[0]} units, {c[1]} heads, reset {c[2]}, {c[3]}, T {c[4]} "
                f"B {c[5]}, {c[6]} rows, {c[7]} stages, {c[8]} loops",
                lambda c=c: check(arguments, folder, *c)) for c in cases])


if __name__ == "__main__":
    main()
