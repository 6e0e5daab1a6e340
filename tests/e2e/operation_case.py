# SPDX-License-Identifier: Apache-2.0
"""What the cases of run_operations.py are made of."""

from dataclasses import dataclass, field

import numpy as np

LOWEST, HIGHEST = -2**31, 2**31 - 1
STEPS, BATCH = 3, 5


@dataclass
class Case:
    """Functions of inputs, an i32 or f32 array a port; every body line may name
    them and gives results %name, which are the outputs."""
    name: str
    inputs: dict
    body: list
    results: dict  # type of each output
    expected: dict
    weights: list = field(default_factory=list)

    def module(self):
        arguments = ", ".join(
            f'%{port}: {tensor_type(port, array)} {{rnn.name = "{port}"}}'
            for port, array in self.inputs.items())
        types = ", ".join(f'{kind} {{rnn.name = "{port}"}}'
                          for port, kind in self.results.items())
        values = ", ".join("%" + port for port in self.results)
        kinds = ", ".join(self.results.values())
        lines = [f"  {line}" for line in self.body]
        return "\n".join(
            ["module {", *self.weights,
             f"func.func @run({arguments}) -> ({types}) {{", *lines,
             f"  return {values} : {kinds}", "}", "}", ""])


def tensor_type(port, array):
    element = {np.dtype(np.int32): "i32",
               np.dtype(np.float32): "f32"}[array.dtype]
    # Ids are [T, B], other tensors of two axes states.
    dynamic = 2 if array.ndim == 3 or port == "ids" else 1
    dims = ["?"] * dynamic + [str(d) for d in array.shape[dynamic:]]
    return f"tensor<{'x'.join(dims)}x{element}>"


def sequence(width, element="i32"):
    return f"tensor<?x?x{width}x{element}>"


def wrap(values):
    """The low 32 bits, signed."""
    return (np.asarray(values).astype(np.int64) & 0xffffffff).astype(
        np.uint32).view(np.int32)


def requantize(value, factor, shift):
    """Products of two i32 and half of 2^62 fit 64 bits."""
    product = np.asarray(value, np.int64) * np.asarray(factor, np.int64)
    return wrap((product + (1 << (shift - 1))) >> shift)


def adversarial(random, shape):
    """Numbers of every magnitude, the extremes among them."""
    numbers = random.integers(LOWEST, HIGHEST + 1, shape) >> \
        random.integers(0, 32, shape)
    special = np.array([LOWEST, LOWEST + 1, HIGHEST, HIGHEST - 1, 0, 1, -1,
                        65535, -65536, 32767, -32768, 2**30, -2**30])
    chosen = random.random(shape) < 0.2
    return np.where(chosen, random.choice(special, shape),
                    numbers).astype(np.int32)


def words(values):
    return "[" + ", ".join(str(int(v)) for v in values) + "]"


def weight(name, array, element):
    dims = "x".join(str(d) for d in array.shape)
    return (f"rnn.weight @{name} : tensor<{dims}x{element}> = "
            f"dense<{array.tolist()}>")


def load(name, array, element):
    dims = "x".join(str(d) for d in array.shape)
    return f"%{name} = rnn.load_weight @{name} : tensor<{dims}x{element}>"


def map_lines(result, inputs, weights, body, types, out):
    """An rnn.map; `inputs` and `weights` are (value, row type) each."""
    arguments = ", ".join(f"%r_{value}: {row}"
                          for value, row in inputs + weights)
    return [f"%{result} = rnn.map "
            f"inputs({', '.join('%' + v for v, _ in inputs)}) "
            f"weights({', '.join('%' + v for v, _ in weights)}) {{",
            f"^bb0({arguments}):", *[f"  {line}" for line in body],
            f"}} : ({', '.join(types)}) -> {out}"]
