#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles cells that no pass knows by name, and compares with the reference.

    run_cells.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0

The cells are modules of the rnn dialect in cells/. Each runs with several
batches and numbers of steps; all steps at once and one at a time must agree to
the bit.
"""

import glob
import json
import os
import re
import tempfile

import numpy as np

from tools import (HERE, TOLERANCE, Failure, command, compile_model,
                   expect_close, judge, parser, run_model)


def ports_of(arguments, bundle):
    """Inputs and outputs with their types, as `inspect` prints them."""
    data = json.loads(command(arguments.run, "inspect", bundle, "--json"))
    function = data["functions"][0]
    return function["inputs"], function["outputs"]


def random_array(random, port, steps, batch):
    """Normal numbers, or lengths from 0 to the number of steps."""
    element, shape = re.fullmatch(r"(\w+)\[(.*)\]", port["type"]).groups()
    sizes = {"T": steps, "B": batch}
    shape = [sizes.get(d) if d in sizes else int(d) for d in shape.split(", ")]
    if element == "i32":
        return random.integers(0, steps + 1, shape).astype(np.int32)
    return random.standard_normal(shape).astype(np.float32)


def check_steps(arguments, bundle, folder, arrays, inputs, outputs, steps):
    """All steps at once and each alone, the states passed on, give the same
    bits. Rows are of full length: a length counts from the start of its run."""
    names = [port["name"] for port in outputs]
    arrays = {name: np.full_like(array, steps) if array.dtype == np.int32
              else array for name, array in arrays.items()}
    whole = run_model(arguments, bundle, folder, arrays, names)
    results = {port["state"]: port["name"] for port in outputs
               if "state" in port}
    given = {port["name"]: results[port["state"]] for port in inputs
             if "state" in port}
    rows = []
    for t in range(steps):
        now = {name: array[t:t + 1] if array.ndim == 3 else array
               for name, array in arrays.items()}
        got = run_model(arguments, bundle, folder, now, names)
        arrays.update({name: got[result] for name, result in given.items()})
        rows.append(got)
    for name in names:
        parts = rows[-1][name] if name in results.values() else \
            np.concatenate([row[name] for row in rows])
        if not np.array_equal(parts.view(np.uint32),
                              whole[name].view(np.uint32)):
            raise Failure(f"{name} has other bits step by step")


def check_cell(arguments, bundle, folder, steps, batch):
    inputs, outputs = ports_of(arguments, bundle)
    random = np.random.default_rng(steps * 100 + batch)
    arrays = {port["name"]: random_array(random, port, steps, batch)
              for port in inputs}
    names = [port["name"] for port in outputs]
    expected = run_model(arguments, bundle, folder, arrays, names,
                         device="reference")
    got = run_model(arguments, bundle, folder, arrays, names)
    worst = max(expect_close(n, got[n], expected[n].astype(np.float64),
                             TOLERANCE[arguments.precision]) for n in names)
    # The minimal GRU runs backwards: its last step would have to come first.
    if 1 < steps < 10 and "mingru" not in bundle:
        check_steps(arguments, bundle, folder, arrays, inputs, outputs, steps)
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
