#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles cells that no pass knows by name, and compares with the reference.

    run_cells.py --compile BUILD/rung-compile --run BUILD/rung-run --device 0

The cells are modules of the rnn dialect in cells/. Each runs with several
batches and lengths, all steps at once and in segments, which must agree to the
bit.
"""

import glob
import os
import tempfile

import numpy as np

from tools import (HERE, Failure, compile_model, expect_close, judge, parser,
                   run_model)

# As in run_vectors.py, whose comment says why.
TOLERANCE = {"fp32": 1e-5, "fp16-mixed": 5e-3, "bf16-mixed": 4e-2}


def ports_of(arguments, bundle):
    """Inputs and outputs with their shapes, as `inspect` prints them."""
    from tools import command
    import json
    data = json.loads(command(arguments.run, "inspect", bundle, "--json"))
    function = data["functions"][0]
    return function["inputs"], function["outputs"]


def size(shape, steps, batch):
    names = {"T": steps, "B": batch, -1: steps, -2: batch}
    return [names.get(d, d) for d in shape]


def check_cell(arguments, bundle, folder, steps, batch):
    inputs, outputs = ports_of(arguments, bundle)
    random = np.random.default_rng(steps * 100 + batch)
    arrays = {p["name"]: random.standard_normal(
        size(p["shape"], steps, batch)).astype(np.float32) for p in inputs}
    names = [p["name"] for p in outputs]
    expected = run_model(arguments, bundle, folder, arrays, names,
                         device="reference")
    got = run_model(arguments, bundle, folder, arrays, names)
    worst = max(expect_close(n, got[n], expected[n].astype(np.float64),
                             TOLERANCE[arguments.precision]) for n in names)
    if steps > 1 and "reverse" not in bundle and "mingru" not in bundle:
        parts = run_model(arguments, bundle, folder, arrays, names,
                          "--segments", min(steps, 3))
        for n in names:
            if not np.array_equal(parts[n].view(np.uint32),
                                  got[n].view(np.uint32)):
                raise Failure(f"{n} has other bits in segments")
    return f"worst {worst:.1e}"


def main():
    arguments = parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = []
        for path in sorted(glob.glob(os.path.join(HERE, "cells", "*.mlir"))):
            name = os.path.splitext(os.path.basename(path))[0]
            bundle = os.path.join(folder, name + ".rung")
            compile_model(arguments, path, bundle)
            for steps, batch in ((1, 1), (2, 3), (7, 17), (33, 5), (0, 2)):
                checks.append((f"{name} T {steps} B {batch}",
                               lambda b=bundle, s=steps, n=batch:
                               check_cell(arguments, b, folder, s, n)))
        judge(checks)


if __name__ == "__main__":
    main()
