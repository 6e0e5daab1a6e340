#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a run that the device cuts into segments of time gives the bits
of a whole one, and that it keeps a memory limit.

    run_segments.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0
"""

import json
import os
import tempfile

import numpy as np

from tools import Failure, command, compile_model, judge, parser

from safetensors_file import write_safetensors  # by tools, from bench/

DESCRIPTION = """\
rung: 1
name: {name}
weights: {name}.safetensors
functions:
  run:
    inputs: {{x: {{type: f32, shape: [T, B, 24]}}}}
    layers:
{layers}
    outputs: {{y: g{last}}}
"""
LAYER = """\
      - name: g{index}
        op: gru
        hidden: {hidden}
        heads: {heads}
        reset: {reset}
        weights: {{convention: pytorch, prefix: g{index}.}}
        state: h{index}
"""
STEPS, BATCH = 37, 3
# Hidden size, heads, reset. Lavapipe keeps a head of 16 in one workgroup; 160
# in one head take a dispatch a step and phase.
MODELS = {
    "stack": [(32, 2, "after"), (16, 1, "before")],
    "steps": [(160, 1, "before")],
}
RUNGS = {"stack": ("fp16-mixed", "fp16-sr"), "steps": ("fp32",)}


def write_model(folder, name, layers):
    random = np.random.default_rng(len(layers))
    tensors, width = {}, 24
    for i, (hidden, heads, _) in enumerate(layers):
        head = hidden // heads
        shapes = {"weight_ih_l0": (3 * hidden, width),
                  "weight_hh_l0": (3 * hidden, head),
                  "bias_ih_l0": (3 * hidden,), "bias_hh_l0": (3 * hidden,)}
        for key, shape in shapes.items():
            scale = 1 / (shape[1] if len(shape) > 1 else head) ** 0.5
            tensors[f"g{i}.{key}"] = random.uniform(
                -scale, scale, shape).astype(np.float32)
        width = hidden
    write_safetensors(os.path.join(folder, name + ".safetensors"), tensors)
    text = "".join(LAYER.format(index=i, hidden=hidden, heads=heads,
                                reset=reset)
                   for i, (hidden, heads, reset) in enumerate(layers))
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(DESCRIPTION.format(name=name, layers=text.rstrip(),
                                      last=len(layers) - 1))
    return path


def run(arguments, bundle, folder, inputs, *options):
    """Outputs by port, and what rung-run says of the run."""
    words = [arguments.run, bundle, "--device", arguments.device, "--json"]
    for port, array in inputs.items():
        np.save(os.path.join(folder, f"{port}.npy"), array)
        words += ["--input", f"{port}=@{folder}/{port}.npy"]
    outputs = os.path.join(folder, "outputs.npz")
    said = json.loads(command(*words, "--output", "@" + outputs, *options))
    with np.load(outputs) as arrays:
        return dict(arrays), said


def expect_same(got, expected, what):
    for name, array in expected.items():
        bits = np.dtype(f"u{array.itemsize}")
        if not np.array_equal(got[name].view(bits), array.view(bits)):
            raise Failure(f"{name} differs in {what}")


def check(arguments, folder, model, rung):
    bundle = os.path.join(folder, f"{model}.{rung}.rung")
    arguments.precision = rung
    compile_model(arguments, os.path.join(folder, model + ".yaml"), bundle)
    random = np.random.default_rng(5)
    inputs = {"x": random.standard_normal((STEPS, BATCH, 24))}
    for i, (hidden, _, _) in enumerate(MODELS[model]):
        inputs[f"h{i}"] = random.uniform(-1, 1, (BATCH, hidden))
    inputs = {port: array.astype(np.float32) for port, array in inputs.items()}
    whole, said = run(arguments, bundle, folder, inputs)
    if said["segments"] != 1:
        raise Failure(f"a run without a limit has {said['segments']} segments")
    counts, taken = [], []
    for steps in (4, 16):
        got, cut = run(arguments, bundle, folder, inputs, "--segment-steps",
                       steps)
        counts.append(cut["segments"])
        taken.append(cut["memory"]["device_bytes"])
        if cut["segments"] != -(-STEPS // steps):
            raise Failure(f"segments of {steps} steps are {cut['segments']}")
        expect_same(got, whole, f"segments of {steps} steps")
    # Between what a whole run takes and what short segments do.
    limit = (said["memory"]["device_bytes"] + min(taken)) // 2
    if limit > min(taken):
        got, kept = run(arguments, bundle, folder, inputs, "--memory-limit",
                        limit)
        if kept["segments"] < 2 or kept["memory"]["device_bytes"] > limit:
            raise Failure(f"{kept['segments']} segments take "
                          f"{kept['memory']['device_bytes']} bytes; the limit "
                          f"is {limit}")
        expect_same(got, whole, "a run under a limit")
        counts.append(kept["segments"])
    return f"the same bits in {', '.join(map(str, counts))} segments"


def main():
    arguments = parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, layers in MODELS.items():
            write_model(folder, name, layers)
        judge([(f"{model} {rung}", lambda m=model, r=rung:
                check(arguments, folder, m, r))
               for model, rungs in RUNGS.items() for rung in rungs])


if __name__ == "__main__":
    main()
