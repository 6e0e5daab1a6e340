# SPDX-License-Identifier: Apache-2.0
"""Cells whose bodies are all f16 or all i32, as text and as numpy.

Every model here gives what a device must give to the bit: integers are exact,
and the f16 cells use sums alone and matrices by which products are exact.
"""

import numpy as np


def dense(array):
    """A weight's values in MLIR's text."""
    return f'dense<"0x{np.ascontiguousarray(array).tobytes().hex().upper()}">'


ELEMENT = {np.dtype(np.float16): "f16", np.dtype(np.int32): "i32",
           np.dtype(np.int8): "i8"}


def load(name, array):
    """A weight, its kind in the cell, and the text that loads it. A module's
    float weights are f32, and cast."""
    shape = "x".join(map(str, array.shape))
    kind = f"tensor<{shape}x{ELEMENT[array.dtype]}>"
    if array.dtype != np.float16:
        return (f"  rnn.weight @{name} : {kind} = {dense(array)}", kind,
                f"    %w_{name} = rnn.load_weight @{name} : {kind}")
    wide = f"tensor<{shape}xf32>"
    return (f"  rnn.weight @{name} : {wide} = "
            f"{dense(array.astype(np.float32))}", kind,
            f"    %f_{name} = rnn.load_weight @{name} : {wide}\n"
            f"    %w_{name} = rnn.cast %f_{name} : {wide} to {kind}")


class Body:
    """Text of a cell's body, an operation at a time."""

    def __init__(self, width):
        self.width, self.lines, self.count = width, [], 0

    def row(self, element):
        return f"tensor<{self.width}x{element}>"

    def emit(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"      {name} = {text}")
        return name

    def slice(self, source, index, parts, element):
        n = self.width
        return self.emit(
            f"tensor.extract_slice {source}[{index * n}] [{n}] [1] : "
            f"tensor<{parts * n}x{element}> to {self.row(element)}")

    def matrix(self, source, gate, parts, heads, element):
        d = self.width // heads
        return self.emit(
            f"tensor.extract_slice {source}[0, {gate * d}, 0] "
            f"[{heads}, {d}, {d}] [1, 1, 1] : "
            f"tensor<{heads}x{parts * d}x{d}x{element}> to "
            f"tensor<{heads}x{d}x{d}x{element}>")

    def dot(self, operand, matrix, heads, element, result):
        d = self.width // heads
        return self.emit(f"rnn.dot {operand}, {matrix} : ({self.row(element)}, "
                         f"tensor<{heads}x{d}x{d}x{element}>) -> "
                         f"{self.row(result)}")

    def constant(self, value, element):
        return self.emit(f"arith.constant dense<{value}> : {self.row(element)}")

    def op(self, name, *operands, element="i32"):
        return self.emit(f"{name} {', '.join(operands)} : {self.row(element)}")

    def narrow(self, operand):
        return self.emit(f"arith.trunci {operand} : {self.row('i32')} to "
                         f"{self.row('i8')}")

    def requantize(self, value, factor, shift):
        return self.emit(f"rnn.requantize {value}, {factor} shift({shift}) : "
                         f"{self.row('i32')}")


class Cell:
    """A cell on `heads` heads of `depth` units; `parts` rows of x a step."""

    element, states, parts, random = "i32", 1, 1, False

    def __init__(self, heads, depth, strategy, lengths=False, reverse=False,
                 seed=1):
        self.heads, self.depth, self.strategy = heads, depth, strategy
        self.lengths, self.reverse = lengths, reverse
        self.width = heads * depth
        self.generator = np.random.default_rng(seed)
        self.weights = self.make_weights()

    @property
    def name(self):
        return (f"{type(self).__name__} {self.heads}x{self.depth} "
                f"{self.strategy}{' lengths' if self.lengths else ''}"
                f"{' reverse' if self.reverse else ''}")

    def text(self):
        """The module, with one function @run."""
        n, e = self.width, self.element
        sequence, state = f"tensor<?x?x{n}x{e}>", f"tensor<?x{n}x{e}>"
        names = ["h", "l"][:self.states]
        loads = [load(w, a) for w, a in self.weights.items()]
        kinds = dict(zip(self.weights, (kind for _, kind, _ in loads)))
        inputs = [("x", f"tensor<?x?x{self.parts * n}x{e}>")]
        if self.lengths:
            inputs.append(("lengths", "tensor<?xi32>"))
        if self.random:
            inputs.append(("random", "tensor<?x3xi32>"))
        arguments = [f'%{p}: {t} {{rnn.name = "{p}"}}' for p, t in inputs]
        arguments += [f'%{s}: {state} {{rnn.name = "{s}", rnn.state = "{s}"}}'
                      for s in names]
        results = [f'{sequence} {{rnn.name = "y"}}']
        results += [f'{state} {{rnn.name = "{s}", rnn.state = "{s}"}}'
                    for s in names]
        body = Body(n)
        outputs = self.body(body)
        groups = [f"sequences(%x) weights({', '.join('%w_' + w for w in kinds)})",
                  f"initial({', '.join('%' + s for s in names)})"]
        types = [inputs[0][1], *kinds.values(), *[state] * self.states]
        for p, t in inputs[1:]:
            groups.append(f"{p}(%{p})")
            types.append(t)
        formals = [f"%px: tensor<{self.parts * n}x{e}>"]
        formals += [f"%p_{w}: {t}" for w, t in kinds.items()]
        formals += [f"%p{s}: {body.row(e)}" for s in names]
        rows = ", ".join([body.row(e)] * self.states)
        all_results = ", ".join([sequence] + [state] * self.states)
        lines = ['module attributes {rung.name = "carrier"} {']
        lines += [weight for weight, _, _ in loads]
        lines += [f"  func.func @run({', '.join(arguments)})",
                  f"      -> ({', '.join(results)}) {{"]
        lines += [text for _, _, text in loads]
        lines += [f"    %r:{1 + self.states} = rnn.recurrence direction("
                  f"{'reverse' if self.reverse else 'forward'}) "
                  f"heads({self.heads})", "        " + " ".join(groups),
                  f'        attributes {{rung.strategy = "{self.strategy}"}} {{',
                  f"    ^bb0({', '.join(formals)}):", *body.lines,
                  f"      rnn.yield outputs({outputs[0]} : {body.row(e)}) "
                  f"states({', '.join(outputs[1:])} : {rows})",
                  f"    }} : ({', '.join(types)}) -> ({all_results})",
                  f"    return {', '.join(f'%r#{i}' for i in range(len(outputs)))}"
                  f" : {all_results}", "  }", "}"]
        return "\n".join(lines) + "\n"

    def product(self, rows, matrices):
        """[B, N] times one [d, d] matrix a head."""
        split = rows.reshape(len(rows), self.heads, self.depth)
        return np.einsum("bhk,hok->bho", split, matrices).reshape(rows.shape)

    def run(self, arrays):
        """Every output from every input, row by row as the dialect says."""
        x = arrays["x"]
        steps, batch = x.shape[:2]
        ends = np.clip(arrays["lengths"], 0, steps) if self.lengths else \
            np.full(batch, steps)
        states = [arrays[s].copy() for s in ("h", "l")[:self.states]]
        y = np.zeros((steps, batch, self.width), x.dtype)
        for t in range(steps):
            active = np.flatnonzero(t < ends)
            at = ends[active] - 1 - t if self.reverse else \
                np.full(len(active), t)
            if not len(active):
                continue
            draw = Draw(arrays["random"][active], active, t, self.width) if \
                self.random else None
            row, *next_states = self.step(
                x[at, active], [s[active] for s in states], draw)
            y[at, active] = row
            for s, n in zip(states, next_states):
                s[active] = n
        return {"y": y, **dict(zip(("h", "l"), states))}


class Draw:
    """Philox4x32-10 (Salmon et al., 2011) of rows at an iteration."""

    def __init__(self, random, rows, iteration, width):
        u32 = random.astype(np.uint32).astype(np.uint64)
        self.step = (u32[:, 0] + np.uint64(iteration)) & np.uint64(0xffffffff)
        self.key, self.rows, self.width = u32[:, 1:], rows, width

    def word(self, layer, word):
        shape = (len(self.rows), self.width)
        column = np.arange(self.width, dtype=np.uint64)
        c = [np.broadcast_to(v, shape).astype(np.uint64) for v in
             (self.step[:, None], np.uint64(layer),
              self.rows.astype(np.uint64)[:, None], column)]
        key = [np.broadcast_to(self.key[:, i:i + 1], shape) for i in (0, 1)]
        mask = np.uint64(0xffffffff)
        for _ in range(10):
            p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
            high0, high1 = p0 >> np.uint64(32), p1 >> np.uint64(32)
            c = [high1 ^ c[1] ^ key[0], p1 & mask, high0 ^ c[3] ^ key[1],
                 p0 & mask]
            key = [(key[0] + np.uint64(0x9E3779B9)) & mask,
                   (key[1] + np.uint64(0xBB67AE85)) & mask]
        return c[word]
