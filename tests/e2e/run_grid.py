#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs recurrences whose weights lie in all workgroups together.

    run_grid.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0 --profile compiler/target/profiles/lavapipe.json

Software Vulkan promises no progress across workgroups, but with a thread a
workgroup (LP_NUM_THREADS) it makes some. So models are compiled for a copy of
its profile that promises it, with too little shared memory for a head, and
compared with the reference, with themselves one step at a time, and in integers
to the bit. A run with too few threads is refused before it begins.
"""

import os
import subprocess
import tempfile

import numpy as np

from tools import (TOLERANCE, Failure, command, compile_model, expect_close,
                   expect_same_bits, joint_profile, judge, parser, run_model)

from safetensors_file import write_safetensors  # by tools, from bench/

DESCRIPTION = """\
rung: 1
name: grid
weights: {name}.safetensors
functions:
  run:
    inputs: {{x: {{type: f32, shape: [T, B, 24]}}}}
    layers:
      - name: gru
        op: gru
        hidden: {hidden}
        heads: {heads}
        reset: {reset}
        direction: {direction}
        weights: {{convention: pytorch, prefix: gru.}}
        state: h
    outputs: {{y: gru}}
"""
THREADS = 16
# Bytes of shared memory that a workgroup's part needs, and a head exceeds.
MEMORY = {"fp16-mixed": 7424, "fp16": 4352, "int8": 8192}


def write_model(folder, hidden, heads, reset, direction):
    name = f"grid_{hidden}_{heads}_{reset}_{direction}"
    random = np.random.default_rng(hidden)
    head = hidden // heads
    suffix = "l0_reverse" if direction == "reverse" else "l0"
    tensors = {
        f"gru.weight_ih_{suffix}": random.standard_normal((3 * hidden, 24)) / 5,
        f"gru.weight_hh_{suffix}":
            random.standard_normal((3 * hidden, head)) / head ** 0.5,
        f"gru.bias_ih_{suffix}": random.standard_normal(3 * hidden) / 4,
        f"gru.bias_hh_{suffix}": random.standard_normal(3 * hidden) / 4,
    }
    write_safetensors(os.path.join(folder, name + ".safetensors"),
                      {k: v.astype(np.float32) for k, v in tensors.items()})
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(DESCRIPTION.format(name=name, hidden=hidden, heads=heads,
                                      reset=reset, direction=direction))
    return path


class Grid:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def compile(self, precision, *shape):
        model = write_model(self.folder, *shape)
        bundle = f"{model[:-5]}.{precision.replace(',', '-')}.rung"
        self.arguments.precision = precision
        target = joint_profile(self.arguments.profile, self.folder, THREADS,
                               shared_memory_bytes=MEMORY[precision])
        self.arguments.target = [target]
        more = ["--calibrate", "free"] if precision.startswith("int8") else []
        compile_model(self.arguments, model, bundle, *more)
        tile = command(self.arguments.compile, model, "--emit=tile",
                       "--precision", precision, *more, "--target", target)
        if "tile.await" not in tile:
            raise Failure("the strategy is not 'resident-grid'")
        return bundle

    def run(self, bundle, x, h, device=None):
        return run_model(self.arguments, bundle, self.folder, {"x": x, "h": h},
                         ["y", "h"], device=device)

    def check(self, precision, hidden, heads, reset, direction, steps, batch):
        bundle = self.compile(precision, hidden, heads, reset, direction)
        random = np.random.default_rng(steps + batch)
        x = random.standard_normal((steps, batch, 24)).astype(np.float32)
        h = np.tanh(random.standard_normal((batch, hidden))).astype(np.float32)
        got = self.run(bundle, x, h)
        expected = self.run(bundle, x, h, device="reference")
        worst = 0.0
        for name in ("y", "h"):
            if precision.startswith("int8"):
                expect_same_bits(name, got[name], expected[name],
                                 "to the reference")
            else:
                worst = max(worst, expect_close(
                    name, got[name], expected[name].astype(np.float64),
                    TOLERANCE.get(precision, 2e-2)))
        if direction == "forward":
            self.check_steps(bundle, x, h, got)
        return f"worst {worst:.1e}"

    def check_steps(self, bundle, x, h, whole):
        rows = []
        for t in range(len(x)):
            got = self.run(bundle, x[t:t + 1], h)
            h = got["h"]
            rows.append(got["y"])
        expect_same_bits("y", np.concatenate(rows), whole["y"],
                         "step by step")
        expect_same_bits("h", h, whole["h"], "step by step")

    def check_threads(self):
        """Eight workgroups, and threads for four."""
        bundle = self.compile("fp16-mixed", 64, 1, "after", "forward")
        path = os.path.join(self.folder, "x.npy")
        np.save(path, np.zeros((2, 1, 24), np.float32))
        done = subprocess.run(
            [self.arguments.run, bundle, "--device", self.arguments.device,
             "--input", f"x=@{path}"], capture_output=True, text=True,
            env=dict(os.environ, LP_NUM_THREADS="4"), timeout=600)
        said = "8 workgroups wait for one another, and 4 run at once"
        if done.returncode or said not in done.stderr:
            raise Failure(f"it does not say '{said}' but '{done.stderr}'")


def main():
    p = parser(__doc__)
    p.add_argument("--profile", required=True, help="software Vulkan's")
    arguments = p.parse_args()
    os.environ["LP_NUM_THREADS"] = str(THREADS)
    with tempfile.TemporaryDirectory() as folder:
        grid = Grid(arguments, folder)
        cases = [
            ("fp16-mixed", 64, 1, "after", "forward", 5, 1),
            ("fp16-mixed", 64, 1, "after", "forward", 4, 3),
            ("fp16-mixed", 64, 1, "before", "forward", 3, 2),
            ("fp16-mixed", 64, 1, "after", "forward", 4, 19),
            ("fp16-mixed", 62, 1, "after", "reverse", 3, 9),
            ("fp16-mixed", 128, 2, "after", "forward", 2, 17),
            ("fp16", 64, 1, "after", "forward", 3, 3),
            ("int8", 64, 1, "after", "forward", 5, 1),
            ("int8", 64, 1, "before", "forward", 3, 3),
        ]
        checks = [(f"{c[0]} {c[1]} units, {c[2]} heads, reset {c[3]}, {c[4]}, "
                   f"T {c[5]} B {c[6]}", lambda c=c: grid.check(*c))
                  for c in cases]
        checks.append(("too few threads", grid.check_threads))
        judge(checks)


if __name__ == "__main__":
    main()
