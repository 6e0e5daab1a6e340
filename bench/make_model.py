#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a GRU model for timing: description and weights.

    bench/make_model.py --hidden 4096 --heads 64 --input 64 --out FOLDER/NAME

writes FOLDER/NAME.yaml and FOLDER/NAME.safetensors. Weights repeat a small
random block, which changes no time and lets the files be packed well. --layers N
puts N layers upon each other: gru, gru1, gru2 and so on.
"""

import argparse
import os

import numpy as np

from safetensors_file import write_safetensors

DESCRIPTION = """\
rung: 1
name: {name}
weights: {name}.safetensors
functions:
  run:
    inputs: {{x: {{type: f32, shape: [T, B, {input}]}}}}
    layers:
{layers}    outputs: {{y: {last}}}
"""

LAYER = """\
      - name: {layer}
        op: gru
        hidden: {hidden}
        heads: {heads}
        weights: {{convention: pytorch, prefix: {layer}.}}
        state: {state}
"""


def pattern(rows, columns, scale, seed):
    """A block of 61 x 64 uniform values, repeated."""
    random = np.random.default_rng(seed)
    block = random.uniform(-scale, scale, (61, 64)).astype(np.float32)
    return np.tile(block, (rows // 61 + 1, columns // 64 + 1))[:rows, :columns]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hidden", type=int, required=True)
    parser.add_argument("--heads", type=int, default=1)
    parser.add_argument("--input", type=int, required=True)
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--out", required=True)
    a = parser.parse_args()
    head = a.hidden // a.heads
    layers, weights = "", {}
    for index in range(a.layers):
        layer = f"gru{index or ''}"
        width = a.hidden if index else a.input
        scale = 1 / (head if index == 0 else a.hidden) ** 0.5
        for place, (part, columns, bound) in enumerate([
                ("weight_ih", width, scale), ("weight_hh", head, head ** -0.5),
                ("bias_ih", 1, scale), ("bias_hh", 1, scale)]):
            values = pattern(3 * a.hidden, columns, bound,
                             4 * index + place + 1)
            weights[f"{layer}.{part}_l0"] = (values[:, 0] if "bias" in part
                                             else values)
        layers += LAYER.format(layer=layer, hidden=a.hidden, heads=a.heads,
                               state=f"h{index or ''}")
    write_safetensors(a.out + ".safetensors", weights)
    with open(a.out + ".yaml", "w") as file:
        file.write(DESCRIPTION.format(name=os.path.basename(a.out),
                                      input=a.input, layers=layers,
                                      last=layer))


if __name__ == "__main__":
    main()
