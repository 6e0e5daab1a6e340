# SPDX-License-Identifier: Apache-2.0
"""A test case as a folder: model.yaml, weights.safetensors, data.npz.

data.npz holds the inputs by the names of their ports and the right outputs as
`expect.<port>`. The same case gives the same bytes.
"""

import json
import os
import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

import equations


@dataclass
class Case:
    name: str
    tool: str          # who computed the outputs
    about: str         # what the case is there for
    yaml: str
    weights: dict
    inputs: dict
    expects: dict

    def write(self, folder):
        folder = os.path.join(folder, self.name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "model.yaml"), "w") as file:
            file.write(self.yaml)
        weights = os.path.join(folder, "weights.safetensors")
        if self.weights:
            write_safetensors(weights, self.weights, {
                "made_by": self.tool, "about": self.about})
        data = dict(self.inputs)
        data.update({"expect." + k: v for k, v in self.expects.items()})
        for name, array in data.items():
            wanted = np.int32 if array.dtype.kind == "i" else np.float32
            data[name] = np.ascontiguousarray(array, wanted)
        data["made_by"] = np.array(self.tool)
        data["about"] = np.array(self.about)
        np.savez(os.path.join(folder, "data.npz"), **data)


def write_safetensors(path, tensors, metadata):
    header, offset = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + 4 * tensor.size]}
        offset += 4 * tensor.size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, "<f4").tobytes())


def generator(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


@dataclass
class Gru:
    """A GRU with weights in Rung's own layout, and data to run it on."""
    name: str
    about: str
    input: int
    hidden: int
    batch: int
    steps: int
    convention: str = "rung"
    heads: int = 1
    layers: int = 1
    direction: str = "forward"
    reset: str = "after"
    update: str = "keep"
    biases: int = 2
    # (name, alpha, beta) of f and g, of each direction
    activations: list = None
    clip: float = None
    lengths: list = None
    initial: bool = False
    scale: float = 1.0
    parameters: list = field(default_factory=list)

    def __post_init__(self):
        random = generator(self.name)
        dh = self.hidden // self.heads
        directions = 2 if self.direction == "bidirectional" else 1
        f_and_g = self.activations or [("sigmoid", None, None),
                                       ("tanh", None, None)] * directions

        def uniform(limit, *shape):
            return (random.uniform(-limit, limit, shape)
                    * self.scale).astype(np.float32)
        for layer in range(self.layers):
            width = self.hidden * directions if layer else self.input
            self.parameters.append([{
                "w": uniform(width ** -0.5, 3 * self.hidden, width),
                "u": uniform(dh ** -0.5, self.heads, 3 * dh, dh),
                "bw": uniform(0.5, 3 * self.hidden) * (self.biases > 0),
                "bu": uniform(0.5, 3 * self.hidden) * (self.biases > 1),
                "activations": f_and_g[2 * d:2 * d + 2],
            } for d in range(directions)])
        self.x = random.standard_normal(
            (self.steps, self.batch, self.input)).astype(np.float32)
        self.states = [[
            (random.uniform(-1, 1, (self.batch, self.hidden))
             * self.initial).astype(np.float32)
            for d in range(directions)] for layer in range(self.layers)]

    def state_ports(self):
        if self.layers == 1 and self.direction != "bidirectional":
            return [["h"]]
        ends = ["", ".reverse"][:len(self.states[0])]
        return [[f"h.{layer}{end}" for end in ends]
                for layer in range(self.layers)]

    def case(self, tool, y, finals):
        """The case whose right outputs are these, if they are right."""
        lengths = self.lengths or [self.steps] * self.batch
        check_y, check_finals = equations.run(
            self, self.parameters, self.x.astype(np.float64), self.states,
            lengths)
        inputs, expects = {"x": self.x}, {"y": y}
        if self.lengths:
            inputs["lens"] = np.array(self.lengths, np.int32)
        for k, ports in enumerate(self.state_ports()):
            for d, port in enumerate(ports):
                expects[port] = finals[k][d]
                compare(self.name, port, finals[k][d], check_finals[k][d])
                if self.initial:
                    inputs[port] = self.states[k][d]
        compare(self.name, "y", y, check_y)
        return Case(self.name, tool, self.about, self.description(),
                    self.file_tensors(), inputs, expects)

    def by_hand(self):
        lengths = self.lengths or [self.steps] * self.batch
        y, finals = equations.run(
            self, self.parameters, self.x.astype(np.float64), self.states,
            lengths)
        return self.case("equations.py", y, finals)

    # The model file, in one of the conventions.

    def description(self):
        lines = ["rung: 1", f"name: {self.name}",
                 "weights: weights.safetensors", "functions:", "  run:",
                 "    inputs:",
                 f"      x: {{type: f32, shape: [T, B, {self.input}]}}"]
        if self.lengths:
            lines.append("      lens: {type: i32, shape: [B]}")
        lines += ["    layers:", "      - name: y", "        op: gru",
                  "        input: x", f"        hidden: {self.hidden}"]
        keys = {"layers": (self.layers, 1), "heads": (self.heads, 1),
                "reset": (self.reset, None), "update": (self.update, "keep"),
                "direction": (self.direction, "forward"),
                "clip": (self.clip, None),
                "lengths": ("lens" if self.lengths else None, None)}
        lines += [f"        {key}: {value}"
                  for key, (value, default) in keys.items()
                  if value != default]
        if self.activations:
            lines.append("        activations:")
            lines += [f"          - {spelled(a)}" for a in self.activations]
        lines += [f"        {line}" for line in self.weights_block()]
        lines += ["        state: h", "    outputs: {y: y}"]
        return "\n".join(lines) + "\n"

    def weights_block(self):
        if self.convention == "names":
            names = {"input": "w", "recurrent": "u", "input_bias": "bw",
                     "recurrent_bias": "bu"}
            kept = list(names.items())[:2 + self.biases]
            text = ", ".join(f"{k}: {v}" for k, v in kept)
            return ["weights:", f"  names: {{{text}}}", "  order: [z, r, n]"]
        prefix = "cell."
        if self.convention == "rung" and self.layers > 1:
            prefix = "'cell.{layer}.'"
        if self.convention == "keras" and self.direction == "bidirectional":
            prefix = "'cell.{direction}_'"
        return [f"weights: {{convention: {self.convention}, "
                f"prefix: {prefix}}}"]

    def file_tensors(self):
        return {"names": self.named, "rung": self.rung,
                "pytorch": self.pytorch, "onnx": self.onnx,
                "keras": self.keras}[self.convention]()

    def named(self):
        [[p]] = self.parameters
        keys = ["w", "u", "bw", "bu"][:2 + self.biases]
        return {k: p[k].reshape(3 * self.hidden, -1)
                if k == "u" and self.heads == 1 else p[k] for k in keys}

    def rung(self):
        tensors = {}
        for layer, parameters in enumerate(self.parameters):
            prefix = f"cell.{layer}." if self.layers > 1 else "cell."
            for p, end in zip(parameters, ("", "_reverse")):
                names = {"w": "input", "u": "recurrent", "bw": "input_bias",
                         "bu": "recurrent_bias"}
                for key in list(names)[:2 + self.biases]:
                    tensors[prefix + names[key] + end] = p[key]
        return tensors

    def gate_major(self, p):
        """u as [3H, dh], rows by gate, then head, then output."""
        dh = self.hidden // self.heads
        blocks = p["u"].reshape(self.heads, 3, dh, dh)
        return blocks.transpose(1, 0, 2, 3).reshape(3 * self.hidden, dh)

    def pytorch(self):
        tensors = {}

        def rzn(rows):
            z, r, n = np.split(rows, 3)
            return np.concatenate([r, z, n])
        for layer, parameters in enumerate(self.parameters):
            for p, end in zip(parameters, ("", "_reverse")):
                end = f"_l{layer}{end}"
                tensors["cell.weight_ih" + end] = rzn(p["w"])
                tensors["cell.weight_hh" + end] = rzn(self.gate_major(p))
                if self.biases:
                    tensors["cell.bias_ih" + end] = rzn(p["bw"])
                    tensors["cell.bias_hh" + end] = rzn(p["bu"])
        return tensors

    def onnx(self):
        [parameters] = self.parameters
        tensors = {"cell.W": np.stack([p["w"] for p in parameters]),
                   "cell.R": np.stack([self.gate_major(p)
                                       for p in parameters])}
        if self.biases:
            tensors["cell.B"] = np.stack([
                np.concatenate([p["bw"], p["bu"]]) for p in parameters])
        return tensors

    def keras(self):
        [parameters] = self.parameters
        tensors, names = {}, [""]
        if len(parameters) == 2:
            names = ["forward_", "backward_"]
        for p, name in zip(parameters, names):
            tensors[f"cell.{name}kernel"] = p["w"].T
            tensors[f"cell.{name}recurrent_kernel"] = self.gate_major(p).T
            if self.biases:
                tensors[f"cell.{name}bias"] = (
                    np.stack([p["bw"], p["bu"]]) if self.reset == "after"
                    else p["bw"])
        return tensors


def spelled(activation):
    name, alpha, beta = activation
    extra = [f"{k}: {float(v)}" for k, v in (("alpha", alpha), ("beta", beta))
             if v is not None]
    return f"{{name: {', '.join([name] + extra)}}}" if extra else name


def compare(name, port, tool, equation):
    tool = np.asarray(tool, np.float64)
    if tool.shape != equation.shape:
        raise SystemExit(f"{name}: {port} is {tool.shape}, the equations "
                         f"give {equation.shape}")
    if tool.size and not np.allclose(tool, equation, rtol=3e-6, atol=3e-6):
        raise SystemExit(f"{name}: {port} is {np.abs(tool - equation).max()} "
                         "away from the equations")
