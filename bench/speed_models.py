#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models of the suite of speed, and what is to be timed.

    bench/speed_models.py --out FOLDER [--small] [--only TEXT]...

FOLDER gets MODEL.yaml, MODEL.safetensors and MODEL.npz (inputs to calibrate
integers with), MODEL.transform where the compiler is to transform it first, or
MODEL.mlir where a product's operands are stored as it takes them, and
speed.json: the rows of docs/performance.md, the limits of each and what its
peers are to do. The bundles are MODEL.PRECISION.rung;
`bundles` in speed.json lists them. --small makes every kind of row in sizes for
software Vulkan; --only keeps the rows whose name or group holds the text.
"""

import argparse
import json
import os

import numpy as np

from make_model import pattern
from safetensors_file import write_safetensors

MIXED, INT8 = "fp16-mixed", "int8"
TOKENS = 101
# Absolute and relative: operands of 11 bits; sums of them; integers to the bit.
TOLERANCE = {"fp32": (1e-4, 1e-4), MIXED: (5e-3, 5e-3), "fp16": (3e-2, 3e-2),
             "fp16-sr": (3e-2, 3e-2), "fp16x2": (5e-3, 5e-3),
             INT8: (5e-3, 5e-3)}


class Model:
    """One function, layer by layer."""

    def __init__(self, name, inputs):
        self.name, self.inputs = name, inputs
        self.layers, self.weights, self.outputs = [], {}, {}
        self.parameters = 0
        self.transform = ""  # What rung-compile is to do first.

    def weight(self, name, rows, columns, scale):
        self.weights[name] = pattern(rows, columns, scale,
                                     len(self.weights) + 1)
        self.parameters += rows * columns

    def bias(self, name, rows, scale):
        self.weights[name] = pattern(rows, 1, scale,
                                     len(self.weights) + 1)[:, 0]

    def embedding(self, width):
        self.weight("table", TOKENS, width, 1)
        self.layers.append("{name: emb, op: embedding, weight: table}")

    def gru(self, hidden, inputs, heads=1, layers=1, reset="after"):
        head = hidden // heads
        scale = 1 / head ** 0.5
        for layer in range(layers):
            width = inputs if layer == 0 else hidden
            self.weight(f"gru.weight_ih_l{layer}", 3 * hidden, width,
                        1 / width ** 0.5)
            self.weight(f"gru.weight_hh_l{layer}", 3 * hidden, head, scale)
            self.bias(f"gru.bias_ih_l{layer}", 3 * hidden, scale)
            self.bias(f"gru.bias_hh_l{layer}", 3 * hidden, scale)
        self.layers.append(
            f"{{name: gru, op: gru, hidden: {hidden}, heads: {heads}, "
            f"layers: {layers}, reset: {reset}, state: h, "
            f"weights: {{convention: pytorch, prefix: gru.}}}}")

    def linear(self, columns, inner, name="fc"):
        self.weight(name + ".weight", columns, inner, 1 / inner ** 0.5)
        self.layers.append(
            f"{{name: {name}, op: linear, weight: {name}.weight}}")

    def write(self, folder):
        path = os.path.join(folder, self.name)
        port = ("ids: {type: i32, shape: [T, B]}" if self.inputs == 0 else
                f"x: {{type: f32, shape: [T, B, {self.inputs}]}}")
        layers = "".join(f"      - {layer}\n" for layer in self.layers)
        outputs = ", ".join(f"{k}: {v}" for k, v in self.outputs.items())
        with open(path + ".yaml", "w") as file:
            file.write(f"rung: 1\nname: {self.name}\n"
                       f"weights: {self.name}.safetensors\nfunctions:\n"
                       f"  run:\n    inputs: {{{port}}}\n    layers:\n{layers}"
                       f"    outputs: {{{outputs}}}\n")
        if self.transform:
            with open(path + ".transform", "w") as file:
                file.write(self.transform)
        write_safetensors(path + ".safetensors", self.weights)
        random = np.random.default_rng(5)
        # A large model's ranges show in a few steps, and each takes long.
        shape = (12, 2) if self.parameters < 1e6 else (3, 1)
        np.savez(path + ".npz", **(
            {"ids": random.integers(0, TOKENS, shape).astype(np.int32)}
            if self.inputs == 0 else
            {"x": random.standard_normal((*shape, self.inputs)).astype(
                np.float32)}))


class StoredProduct:
    """A product of operands that are stored as it takes them, in the rnn
    dialect: of f16 with sums in f32, or of s8 with sums in s32."""

    def __init__(self, name, size, element, result):
        self.name, self.size, self.parameters = name, size, size * size
        self.element, self.result = element, result

    def write(self, folder):
        n = self.size
        values = pattern(n, n, 1, 1)
        values = ((values / n ** 0.5).astype(np.float16)
                  if self.element == "f16" else
                  np.rint(values * 127).astype(np.int8))
        x, y = (f"tensor<?x?x{n}x{t}>" for t in (self.element, self.result))
        w = f"tensor<{n}x{n}x{self.element}>"
        with open(os.path.join(folder, self.name + ".mlir"), "w") as file:
            file.write(f'module attributes {{rung.name = "{self.name}"}} {{\n'
                       f'  rnn.weight @w : {w} = '
                       f'dense<"0x{values.tobytes().hex().upper()}">\n'
                       f'  func.func @run(%x: {x} {{rnn.name = "x"}})\n'
                       f'      -> ({y} {{rnn.name = "y"}}) {{\n'
                       f'    %w = rnn.load_weight @w : {w}\n'
                       f'    %y = rnn.linear %x, %w : ({x}, {w}) -> {y}\n'
                       f'    return %y : {y}\n  }}\n}}\n')


def recurrent(name, hidden, inputs=64, heads=1):
    model = Model(name, inputs)
    model.gru(hidden, inputs, heads)
    model.outputs = {"y": "gru"}
    return model


def product(name, inner, columns):
    model = Model(name, inner)
    model.linear(columns, inner)
    model.outputs = {"y": "fc"}
    return model


def speaker(name, hidden, layers, reset="after", width=128):
    """From a token to the scores of the next one, and the best."""
    model = Model(name, 0)
    model.embedding(width)
    model.gru(hidden, width, layers=layers, reset=reset)
    model.linear(TOKENS, hidden)
    model.layers.append("{name: best, op: argmax}")
    model.outputs = {"token": "best", "scores": "fc"}
    return model


class Suite:
    def __init__(self, only):
        self.only, self.models, self.rows, self.bundles = only, {}, [], []

    def add(self, group, name, model, precision, steps, batch, **more):
        """A row, unless it is left out."""
        if self.only and not any(t in name or t in group for t in self.only):
            return
        self.models[model.name] = model
        bundle = f"{model.name}.{precision}"
        if [model.name, precision] not in self.bundles:
            self.bundles.append([model.name, precision])
        # As much as the reference does in a second or so.
        budget = max(1, int(2e8 / max(1, model.parameters)))
        rows = min(batch, 2)
        atol, rtol = TOLERANCE[precision.split(",")[0]]
        if "all" in precision.split(","):
            atol = rtol = 0
        self.rows.append({
            "name": name, "group": group, "bundle": bundle + ".rung",
            "steps": steps, "batch": batch, "tokens": TOKENS,
            "check": {"steps": max(1, min(steps if more.get("mode") != "host"
                                          else 64, budget // rows, 64)),
                      "rows": rows, "atol": atol, "rtol": rtol},
            **more})

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for model in self.models.values():
            model.write(folder)
        with open(os.path.join(folder, "speed.json"), "w") as file:
            json.dump({"bundles": self.bundles, "rows": self.rows}, file,
                      indent=1)


def cudnn(hidden, batch, steps, inputs=64, layers=1):
    return {"kind": "gru", "hidden": hidden, "input": inputs, "layers": layers,
            "batch": batch, "steps": steps}


def add_recurrences(suite, small):
    group = "recurrences, input product included"
    heads, width = (64, 64) if not small else (2, 16)
    block = recurrent("block64", heads * width, heads=heads)
    steps = 1024 if not small else 5
    for precision, limit, goal in ((MIXED, 0.6, 0.5), ("fp16-sr", 0.9, 0),
                                   ("fp16x2", 0.9, 0), ("fp16", 0, 0),
                                   (INT8, 0, 0)):
        suite.add(group, f"64 heads x 64, B 32, {precision}", block, precision,
                  steps, 32 if not small else 3, limit=limit, goal=goal,
                  hand="64 heads x 64, B 32", peer=cudnn(4096, 32, 1024))
    suite.add(group, "64 heads x 64, B 1, fp16-mixed", block, MIXED, steps, 1,
              limit=0.55, goal=0.45, hand="64 heads x 64, B 1",
              peer=cudnn(4096, 1, 1024))
    block = recurrent("block12", 768 if not small else 48,
                      heads=12 if not small else 3)
    suite.add(group, "12 heads x 64, B 16, fp16-mixed", block, MIXED, steps,
              16 if not small else 2, limit=0.55, goal=0.45,
              hand="12 heads x 64, B 16", peer=cudnn(768, 16, 1024))
    dense = recurrent("dense2048", 2048 if not small else 32)
    long = 4096 if not small else 9
    for precision, limit in ((MIXED, 2.5), ("fp16", 2.5), (INT8, 2.2)):
        suite.add(group, f"dense D 2048, B 1, {precision}", dense, precision,
                  long, 1, limit=limit, goal=2.0, hand="dense D 2048, B 1",
                  peer=cudnn(2048, 1, 4096), repeat=7)
    suite.add(group, "dense D 2048, B 32, fp16-mixed", dense, MIXED, steps,
              32 if not small else 5, limit=6, goal=4.4,
              peer=cudnn(2048, 32, 1024), repeat=7)
    for width, goal in ((256, 1.0), (64, 0.5)):
        suite.add(group, f"dense D {width}, B 1, fp16-mixed",
                  recurrent(f"dense{width}",
                            width if not small else width // 8), MIXED,
                  long, 1, goal=goal, repeat=7,
                  peer=cudnn(width, 1, 4096),
                  **({"hand": "dense D 256, B 1"} if width == 256 else {}))


def add_speakers(suite, small):
    group = "from a token to the next, V 101"
    hidden = 2048 if not small else 16
    for reset in ("after", "before"):
        for kind, options in (("PWL", ""), ("table", ",activation=table")):
            suite.add(group, f"one cell D 2048, {kind}, reset {reset}",
                      speaker(f"cell.{reset}", hidden, 1, reset),
                      f"int8,all{options}", 1, 1, unit="us")
    for steps in (128, 256, 512, 1024, 2048, 4096):
        suite.add(group, f"one layer D 2048, T {steps}, int8",
                  speaker("cell.after", hidden, 1), "int8,all",
                  steps if not small else steps // 128, 1, repeat=5,
                  peer=cudnn(2048, 1, steps, 128))
    three = speaker("three", hidden, 3)
    long = 4096 if not small else 7
    for precision, limit, goal in (("int8,all", 30, 20), (MIXED, 0, 0)):
        suite.add(group, f"three layers D 2048, T 4096, {precision}", three,
                  precision, long, 1, unit="ms", limit=limit, goal=goal,
                  repeat=5, peer=cudnn(2048, 1, 4096, 128, 3))
    suite.add(group, "three layers D 2048, T 4096, a token", three, "int8,all",
              long, 1, unit="us a token", repeat=5,
              peer=cudnn(2048, 1, 4096, 128, 3))
    group = "streams, from host to host"
    suite.add(group, "three layers D 2048, a token fed back", three,
              "int8,all", 1, 1, unit="us", mode="host", limit=20, goal=15,
              feedback={"from": "token", "to": "ids"},
              peer=cudnn(2048, 1, 1, 128, 3))
    step = recurrent("step256", 256 if not small else 32)
    step.transform = "rnn-request-stream"
    suite.add(group, "dense D 256, one step", step, MIXED, 1, 1, unit="us",
              mode="host", limit=10, goal=6, peer=cudnn(256, 1, 1))
    suite.add(group, "dense D 256, one step, a submission each",
              recurrent("dense256", 256 if not small else 32), MIXED, 1, 1,
              unit="us", mode="host")


def add_products(suite, small):
    group = "products"
    limits = {("f16", 4096): (350, 400), ("f16", 8192): (400, 450),
              ("s8", 4096): (650, 750), ("s8", 8192): (800, 900)}
    elements = {"f16": ("f16", "f32"), "s8": ("i8", "i32")}
    for size in (1024, 2048, 4096, 8192):
        n = size if not small else size // 64
        for type in ("f16", "s8", "f32"):
            if (type, size) == ("f32", 8192):
                continue
            limit, goal = limits.get((type, size), (0, 0))
            model = (product(f"product{size}", n, n) if type == "f32" else
                     StoredProduct(f"product{size}.{type}", n,
                                   *elements[type]))
            suite.add(group, f"{type} product {size}", model, "fp32", n, 1,
                      unit="TOP/s" if type == "s8" else "TFLOP/s",
                      operations=2.0 * n ** 3, limit=limit, goal=goal,
                      repeat=10,
                      **({} if type == "f32" else
                         {"hand": f"{type} product {size}"}),
                      peer={"kind": "product", "rows": size, "inner": size,
                            "columns": size, "type": type})
    # A layer of f32 numbers in and out: one product and a cast of its input,
    # or two products, of the input's high and low bytes.
    for size in (4096, 8192):
        n = size if not small else size // 64
        for precision in (MIXED, "int8,all"):
            suite.add(group, f"linear {size}, {precision}",
                      product(f"product{size}", n, n), precision, n, 1,
                      unit="TFLOP/s" if precision == MIXED else "TOP/s",
                      operations=2.0 * n ** 3, repeat=10)
    for columns in (101, 2048):
        suite.add(group, f"s8 matrix-vector 2048 x {columns}",
                  product(f"vector{columns}", 2048 if not small else 64,
                          columns if not small else columns // 10),
                  "int8,all", 1, 1, unit="us",
                  hand=f"s8 matrix-vector 2048 x {columns}",
                  peer={"kind": "product", "rows": 1, "inner": 2048,
                        "columns": columns, "type": "f16"})


def add_small_models(suite, small):
    group = "small models, T 256"
    for hidden in (4, 16, 32, 64, 96):
        for batch in (1, 64, 1024, 4096) if not small else (1, 5):
            suite.add(group, f"H {hidden}, B {batch}",
                      recurrent(f"small{hidden}", hidden, 16), MIXED,
                      256 if not small else 4, batch, repeat=7,
                      peer=cudnn(hidden, batch, 256, 16))


def make_suite(only, small):
    suite = Suite(only)
    for add in (add_recurrences, add_speakers, add_products, add_small_models):
        add(suite, small)
    return suite


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    a = parser.parse_args()
    suite = make_suite(a.only, a.small)
    if not suite.rows:
        parser.error(f"no row's name or group holds {', '.join(a.only)}")
    suite.write(a.out)


if __name__ == "__main__":
    main()
