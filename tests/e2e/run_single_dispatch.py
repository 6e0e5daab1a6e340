#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs whole functions in one dispatch.

    run_single_dispatch.py --compile BUILD/bin/rung-compile \\
        --run BUILD/bin/rung-run --device 0 \\
        --profile compiler/target/profiles/lavapipe.json

Compiles a model twice for a copy of software Vulkan's profile that promises
joint progress: as it is, and with `rnn-request-single-dispatch`. Both must give
the same bits, also one step at a time, and agree with the reference; and the
second must be one dispatch. Models are small: a driver takes longer for one
large kernel than for its parts.
"""

import os
import tempfile

import numpy as np

from tools import (TOLERANCE, Failure, command, compile_model, expect_close,
                   expect_same_bits, joint_profile, judge, parser, run_model)

from safetensors_file import write_safetensors  # by tools, from bench/

# Rows of their own, products, a recurrence, and a product behind it.
SMALL = """\
rung: 1
name: small
weights: weights.safetensors
functions:
  run:
    inputs: {x: {type: f32, shape: [T, B, 4]}}
    layers:
      - name: gru
        op: gru
        hidden: 8
        weights: {convention: pytorch, prefix: first.}
        state: a
      - {name: fc, op: linear, weight: fc.weight}
    outputs: {y: fc}
"""
# Tokens in and out, two layers, the second with heads, and a norm between.
WHOLE = """\
rung: 1
name: whole
weights: weights.safetensors
functions:
  run:
    inputs: {x: {type: i32, shape: [T, B]}}
    layers:
      - {name: emb, op: embedding, input: x, weight: emb.weight}
      - name: one
        op: gru
        hidden: 8
        reset: before
        weights: {convention: pytorch, prefix: first.}
        state: a
      - {name: norm, op: rms_norm, weight: norm.weight}
      - name: two
        op: gru
        hidden: 8
        heads: 2
        weights: {convention: pytorch, prefix: second.}
        state: b
      - {name: fc, op: linear, weight: fc.weight}
      - {name: best, op: argmax}
    outputs: {y: fc, best: best}
"""
THREADS = 4
SYMBOLS = 19


def write_weights(folder):
    random = np.random.default_rng(5)
    shapes = {"emb.weight": (SYMBOLS, 4), "norm.weight": (8,),
              "fc.weight": (SYMBOLS, 8)}
    for prefix, inputs, head in (("first", 4, 8), ("second", 8, 4)):
        shapes |= {f"{prefix}.weight_ih_l0": (24, inputs),
                   f"{prefix}.weight_hh_l0": (24, head),
                   f"{prefix}.bias_ih_l0": (24,), f"{prefix}.bias_hh_l0": (24,)}
    write_safetensors(os.path.join(folder, "weights.safetensors"), {
        name: (random.standard_normal(shape) / 2).astype(np.float32)
        for name, shape in shapes.items()})


class Single:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        arguments.target = [joint_profile(arguments.profile, folder, THREADS)]
        write_weights(folder)

    def compile(self, description):
        """The bundle with many dispatches, and the one with one."""
        model = os.path.join(self.folder, "model.yaml")
        with open(model, "w") as file:
            file.write(description)
        one = ["--transform", "rnn-request-single-dispatch"]
        bundles = [os.path.join(self.folder, kind + ".rung")
                   for kind in ("many", "one")]
        compile_model(self.arguments, model, bundles[0])
        compile_model(self.arguments, model, bundles[1], *one)
        spirv = command(self.arguments.compile, model, "--emit=spirv",
                        "--precision", self.arguments.precision, *one,
                        "--target", self.arguments.target[0])
        count = spirv.count("tile.dispatch ")
        if count != 1:
            raise Failure(f"the program has {count} dispatches, not one")
        return bundles

    def check(self, description, precision, steps, batch):
        self.arguments.precision = precision
        many, one = self.compile(description)
        self.states = [s for s in "ab" if f"state: {s}" in description]
        self.sequences = ["y"] + ["best"] * ("best" in description)
        random = np.random.default_rng(steps + batch)
        x = (random.integers(0, SYMBOLS, (steps, batch)).astype(np.int32)
             if "emb" in description else
             random.standard_normal((steps, batch, 4)).astype(np.float32))
        inputs = {"x": x} | {
            s: np.tanh(random.standard_normal((batch, 8))).astype(np.float32)
            for s in self.states}
        got = self.run(one, inputs)
        same_bits(got, self.run(many, inputs), "in one dispatch")
        expected = self.run(one, inputs, device="reference")
        worst = max(expect_close(name, got[name],
                                 expected[name].astype(np.float64),
                                 TOLERANCE[precision])
                    for name in ["y"] + self.states)
        same_bits(self.stepped(one, inputs), got, "step by step")
        return f"worst {worst:.1e}"

    def run(self, bundle, inputs, device=None):
        return run_model(self.arguments, bundle, self.folder, inputs,
                         self.sequences + self.states, device=device)

    def stepped(self, bundle, inputs):
        states = {s: inputs[s] for s in self.states}
        parts = []
        for t in range(len(inputs["x"])):
            parts.append(self.run(bundle, {"x": inputs["x"][t:t + 1]} | states))
            states = {s: parts[-1][s] for s in self.states}
        return states | {port: np.concatenate([part[port] for part in parts])
                         for port in self.sequences}


def same_bits(got, expected, what):
    for name, array in expected.items():
        expect_same_bits(name, got[name], array, what)


def main():
    p = parser(__doc__)
    p.add_argument("--profile", required=True, help="software Vulkan's")
    arguments = p.parse_args()
    os.environ["LP_NUM_THREADS"] = str(THREADS)
    with tempfile.TemporaryDirectory() as folder:
        single = Single(arguments, folder)
        judge([("fp32, one layer", lambda: single.check(SMALL, "fp32", 3, 3)),
               ("fp32, whole model", lambda: single.check(WHOLE, "fp32", 2, 9)),
               ("fp16-mixed, one layer",
                lambda: single.check(SMALL, "fp16-mixed", 3, 1))])


if __name__ == "__main__":
    main()
