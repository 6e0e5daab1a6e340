#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes GRU layers that show where rounding drifts, in four regimes.

    bench/drift_models.py --out FOLDER

writes, for each regime and seed, FOLDER/REGIME.SEED.yaml, .safetensors and
.npz (inputs to calibrate with, none of those that are measured), and
FOLDER/suite.json, which `rung-bench errors` reads.

    regime  bias of the update gate  input
    A       0                        white: the layer forgets at once
    B       7, keeps 99.9 % a step   white
    C       7                        slow: x_t = 0.999 x_(t-1) + ...
    D       9, keeps 99.99 % a step  slow

Everything else is the same: heads of one width, reset after, the gate z keeps,
recurrent matrices of spectral norm 1.5 for each head and gate, input matrices
from N(0, 1/I), no other bias. The weights come from
numpy.random.default_rng(seed), so that the regimes of a seed differ in nothing
else, the inputs from default_rng([regime, seed]).
"""

import argparse
import json
import os

import numpy as np

from safetensors_file import write_safetensors

# Name, bias of the update gate, memory of the input (0: white).
REGIMES = [("A", 0.0, 0.0), ("B", 7.0, 0.0), ("C", 7.0, 0.999),
           ("D", 9.0, 0.999)]

DESCRIPTION = """\
rung: 1
name: drift_{regime}_{seed}
weights: {name}.safetensors
functions:
  run:
    inputs: {{x: {{type: f32, shape: [T, B, {input}]}}}}
    layers:
      - name: gru
        op: gru
        hidden: {hidden}
        heads: {heads}
        reset: after
        update: keep
        weights: {{convention: pytorch, prefix: gru.}}
        state: h
    outputs: {{y: gru}}
"""


def recurrent(random, heads, width, norm):
    """[3, heads, width, width], each matrix of that spectral norm."""
    blocks = random.standard_normal((3, heads, width, width))
    return blocks * norm / np.linalg.norm(
        blocks, 2, axis=(2, 3), keepdims=True)


def inputs(random, steps, batch, width, memory):
    """[steps, batch, width], rounded to f16."""
    x = random.standard_normal((steps, batch, width))
    for t in range(1, steps if memory else 0):
        x[t] = memory * x[t - 1] + np.sqrt(1 - memory ** 2) * x[t]
    return x.astype(np.float16).astype(np.float32)


def write_model(a, index, seed):
    regime, bias, memory = REGIMES[index]
    random = np.random.default_rng(seed)
    hidden, name = a.heads * a.width, f"{regime}.{seed}"
    update = np.zeros((3, hidden))
    update[1] = bias  # PyTorch's order: reset, update, candidate
    tensors = {
        "gru.weight_ih_l0":
            random.standard_normal((3 * hidden, a.input)) / np.sqrt(a.input),
        "gru.weight_hh_l0":
            recurrent(random, a.heads, a.width, a.norm).reshape(-1, a.width),
        "gru.bias_ih_l0": update.reshape(-1),
        "gru.bias_hh_l0": np.zeros(3 * hidden),
    }
    path = os.path.join(a.out, name)
    write_safetensors(path + ".safetensors", {
        key: value.astype(np.float32) for key, value in tensors.items()})
    random = np.random.default_rng([index, seed])
    np.savez(path + ".npz",
             x=inputs(random, a.calibration_steps, 2, a.input, memory))
    with open(path + ".yaml", "w") as file:
        file.write(DESCRIPTION.format(regime=regime, seed=seed, name=name,
                                      input=a.input, hidden=hidden,
                                      heads=a.heads))
    return {"name": name, "regime": regime, "seed": seed,
            "inputs": "slow" if memory else "white", "memory": memory}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--out", required=True)
    add("--heads", type=int, default=64)
    add("--width", type=int, default=64, help="of a head (default 64)")
    add("--input", type=int, default=64, help="I (default 64)")
    add("--norm", type=float, default=1.5, help="spectral norm (default 1.5)")
    add("--regimes", default="ABCD", help="which (default ABCD)")
    add("--seeds", type=int, nargs="+", default=[1, 2, 3])
    add("--calibration-steps", type=int, default=1024)
    a = parser.parse_args()
    names = [name for name, _, _ in REGIMES]
    for regime in a.regimes:
        if regime not in names:
            parser.error(f"regime '{regime}' is none of {', '.join(names)}")
    os.makedirs(a.out, exist_ok=True)
    models = [write_model(a, names.index(regime), seed)
              for regime in a.regimes for seed in a.seeds]
    with open(os.path.join(a.out, "suite.json"), "w") as file:
        json.dump({"models": models}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
