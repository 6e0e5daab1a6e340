#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs single rows by schedules of their own.

    run_rows.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0 --profile compiler/target/profiles/lavapipe.json

Compiles models of integers for a copy of software Vulkan's profile that says
what such schedules need. A run step by step, each a single row, must give the
bits of the run in one piece, which is none, and of the reference.
"""

import os
import tempfile

import numpy as np

from tools import (Failure, command, compile_model, derive_profile,
                   expect_same_bits, judge, parser, run_model)

from safetensors_file import write_safetensors  # by tools, from bench/

SYMBOLS = 19
# Tokens in and out; the first layer's embedding is narrower than a subgroup's
# units, the last one's columns are no whole workgroup.
SPEAKER = """\
rung: 1
name: speaker
weights: weights.safetensors
functions:
  run:
    inputs: {{ids: {{type: i32, shape: [T, B]}}}}
    layers:
      - {{name: emb, op: embedding, weight: emb.weight}}
      - name: gru
        op: gru
        hidden: 48
        layers: 2
        reset: {reset}
        weights: {{convention: pytorch, prefix: gru.}}
        state: h
{norm}      - {{name: fc, op: linear, weight: fc.weight}}
      - {{name: best, op: argmax}}
    outputs: {{y: fc, best: best}}
"""
NORM = "      - {name: norm, op: rms_norm, weight: norm.weight}\n"


def allow_rows(profile):
    """What schedules of single rows need."""
    features = dict.fromkeys(profile["features"]
                             + ["IntegerDot", "SubgroupArithmetic"])
    profile.update(name="rows", features=list(features),
                   compute_units=profile.get("compute_units") or 4)


def write_weights(folder):
    random = np.random.default_rng(5)
    shapes = {"emb.weight": (SYMBOLS, 16), "fc.weight": (SYMBOLS, 48),
              "norm.weight": (48,)}
    for layer, inputs in enumerate((16, 48)):
        shapes |= {f"gru.weight_ih_l{layer}": (144, inputs),
                   f"gru.weight_hh_l{layer}": (144, 48),
                   f"gru.bias_ih_l{layer}": (144,),
                   f"gru.bias_hh_l{layer}": (144,)}
    write_safetensors(os.path.join(folder, "weights.safetensors"), {
        name: (random.standard_normal(shape) / 2).astype(np.float32)
        for name, shape in shapes.items()})


class Rows:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        arguments.target = [derive_profile(arguments.profile, folder,
                                           allow_rows)]
        write_weights(folder)

    def check(self, precision, reset, norm=""):
        self.arguments.precision = precision
        model = os.path.join(self.folder, "model.yaml")
        bundle = os.path.join(self.folder, "model.rung")
        with open(model, "w") as file:
            file.write(SPEAKER.format(reset=reset, norm=norm))
        more = ["--calibrate", "free"]
        compile_model(self.arguments, model, bundle, *more)
        tile = command(self.arguments.compile, model, "--emit=tile",
                       "--precision", precision, *more,
                       "--target", self.arguments.target[0])
        if "tile.program @run_single_row" not in tile:
            raise Failure("there is no schedule for a single row")
        random = np.random.default_rng(1)
        inputs = {"ids": random.integers(0, SYMBOLS, (3, 1)).astype(np.int32)}
        inputs |= {f"h.{i}": np.tanh(random.standard_normal((1, 48)))
                   .astype(np.float32) for i in range(2)}
        got = self.stepped(bundle, inputs)
        for what, device in (("from one piece", None),
                             ("from the reference", "reference")):
            expected = self.run(bundle, inputs, device=device)
            for name, array in expected.items():
                expect_same_bits(name, got[name], array, what)
        return "same bits"

    def run(self, bundle, inputs, device=None):
        return run_model(self.arguments, bundle, self.folder, inputs,
                         ["y", "best", "h.0", "h.1"], device=device)

    def stepped(self, bundle, inputs):
        states = {s: inputs[s] for s in ("h.0", "h.1")}
        parts = []
        for t in range(len(inputs["ids"])):
            parts.append(self.run(bundle,
                                  {"ids": inputs["ids"][t:t + 1]} | states))
            states = {s: parts[-1][s] for s in states}
        return states | {port: np.concatenate([part[port] for part in parts])
                         for port in ("y", "best")}


def main():
    p = parser(__doc__)
    p.add_argument("--profile", required=True, help="software Vulkan's")
    arguments = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = Rows(arguments, folder)
        judge([("all integers, reset after",
                lambda: rows.check("int8,all", "after")),
               ("all integers, reset before",
                lambda: rows.check("int8,all", "before")),
               ("tables, a norm between",
                lambda: rows.check("int8,all,activation=table", "after",
                                   NORM))])


if __name__ == "__main__":
    main()
