#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a one-layer GRU model for timing: description and weights.

    bench/make_model.py --hidden 4096 --heads 64 --input 64 --out FOLDER/NAME

writes FOLDER/NAME.yaml and FOLDER/NAME.safetensors. Weights repeat a small
random block, which changes no time and lets the files be packed well.
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
      - name: gru
        op: gru
        hidden: {hidden}
        heads: {heads}
        weights: {{convention: pytorch, prefix: gru.}}
        state: h
    outputs: {{y: gru}}
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
    parser.add_argument("--out", required=True)
    a = parser.parse_args()
    head = a.hidden // a.heads
    scale = 1 / head ** 0.5
    write_safetensors(a.out + ".safetensors", {
        "gru.weight_ih_l0": pattern(3 * a.hidden, a.input, scale, 1),
        "gru.weight_hh_l0": pattern(3 * a.hidden, head, scale, 2),
        "gru.bias_ih_l0": pattern(3 * a.hidden, 1, scale, 3)[:, 0],
        "gru.bias_hh_l0": pattern(3 * a.hidden, 1, scale, 4)[:, 0],
    })
    with open(a.out + ".yaml", "w") as file:
        file.write(DESCRIPTION.format(name=os.path.basename(a.out),
                                      input=a.input, hidden=a.hidden,
                                      heads=a.heads))


if __name__ == "__main__":
    main()
