# SPDX-License-Identifier: Apache-2.0
"""The bodies of the cells that run_carriers.py runs."""

import numpy as np

from carrier_cells import Cell


def requantize(value, factor, shift):
    """floor((v * f + 2^(s-1)) / 2^s), the low 32 bits."""
    wide = value.astype(np.int64) * np.asarray(factor, np.int64)
    return ((wide + (1 << (shift - 1))) >> shift).astype(np.int32)


class IntegerCell(Cell):
    """A GRU with a state of 25 bits whose operand has two bytes; its sigmoid is
    a table, its candidate three lines. Its products all take the state."""

    parts = 3
    knots, slopes = [-40000, 40000], [300, 65000, 300]
    offsets = [-39000, 0, 39000]

    def make_weights(self):
        g, d, n = self.generator, self.depth, self.width
        rounded = np.round(65536 / (1 + np.exp(-(np.arange(257) - 128) / 24)))
        return {"u": g.integers(-127, 128, (self.heads, 3 * d, d), np.int8),
                "f": g.integers(20000, 200000, 3 * n, np.int32),
                "b": g.integers(-100000, 100000, 3 * n, np.int32),
                "t": rounded.astype(np.int32)}

    def inputs(self, g, steps, batch):
        n = self.width
        return {"x": g.integers(-30000, 30000, (steps, batch, 3 * n), np.int32),
                "h": g.integers(-2**24, 2**24, (batch, n), np.int32)}

    # Text.

    def gate(self, b, index, operands):
        """x + requantize(256 hi + lo + b) of a gate."""
        high, low = (b.dot(o, b.matrix("%p_u", index, 3, self.heads, "i8"),
                           self.heads, "i8", "i32") for o in operands)
        shifted = b.op("arith.shli", high, b.constant(8, "i32"))
        total = b.op("arith.addi", b.op("arith.addi", shifted, low),
                     b.slice("%p_b", index, 3, "i32"))
        return b.requantize(total, b.slice("%p_f", index, 3, "i32"), 22)

    def split(self, b, value):
        """The two bytes of a value of 16 bits, for products."""
        high = b.op("arith.shrsi", value, b.constant(8, "i32"))
        low = b.op("arith.subi",
                   b.op("arith.andi", value, b.constant(255, "i32")),
                   b.constant(128, "i32"))
        return b.narrow(high), b.narrow(low)

    def lookup(self, b, value):
        return b.emit(f"rnn.lookup {value}, %p_t low(-65536) shift(9) "
                      f"interpolate : {b.row('i32')}, tensor<257xi32>")

    def operand(self, b, state="%ph"):
        short = b.requantize(state, b.constant(1, "i32"), 9)
        return b.op("arith.minsi", short, b.constant(32767, "i32"))

    def candidate(self, b, operands, reset):
        scaled = b.requantize(reset, self.gate(b, 2, operands), 16)
        return b.op("arith.addi", scaled, b.slice("%px", 2, 3, "i32"))

    def body(self, b):
        whole = self.operand(b)
        operands = self.split(b, whole)
        update = self.lookup(b, b.op("arith.addi", self.gate(b, 0, operands),
                                     b.slice("%px", 0, 3, "i32")))
        reset = self.lookup(b, b.op("arith.addi", self.gate(b, 1, operands),
                                    b.slice("%px", 1, 3, "i32")))
        inner = self.candidate(b, operands if type(self) is IntegerCell else
                               self.split(b, b.requantize(whole, reset, 16)),
                               reset)
        n = b.emit(f"rnn.piecewise {inner} knots({self.knots}) "
                   f"slopes({self.slopes}) offsets({self.offsets}) shift(16) : "
                   f"{b.row('i32')}")
        wide = b.op("arith.shli", n, b.constant(8, "i32"))
        step = b.requantize(b.op("arith.subi", wide, "%ph"), update, 16)
        moved = b.op("arith.addi", "%ph", step)
        top = b.op("arith.minsi", moved, b.constant(2**24, "i32"))
        state = b.op("arith.maxsi", top, b.constant(-2**24, "i32"))
        return [b.requantize(state, b.constant(3, "i32"), 11), state]

    # Numbers.

    def run_gate(self, index, value):
        n, d = self.width, self.depth
        u = self.weights["u"][:, index * d:(index + 1) * d].astype(np.int64)
        high, low = value >> 8, (value & 255) - 128
        total = (self.product(high.astype(np.int64), u) * 256 +
                 self.product(low.astype(np.int64), u) +
                 self.weights["b"][index * n:(index + 1) * n])
        return requantize(total.astype(np.int32),
                          self.weights["f"][index * n:(index + 1) * n], 22)

    def run_lookup(self, value):
        u = np.clip(value.astype(np.int64) + 65536, 0, (256 << 9) - 1)
        table, i = self.weights["t"].astype(np.int64), u >> 9
        rise = (table[i + 1] - table[i]) * (u & 511)
        return (table[i] + ((rise + 256) >> 9)).astype(np.int32)

    def run_candidate(self, value, reset):
        return requantize(reset, self.run_gate(2, value), 16)

    def step(self, x, states, draw):
        n, h = self.width, states[0]
        value = np.minimum(requantize(h, 1, 9), 32767)
        update = self.run_lookup(self.run_gate(0, value) + x[:, :n])
        reset = self.run_lookup(self.run_gate(1, value) + x[:, n:2 * n])
        inner = self.run_candidate(value, reset) + x[:, 2 * n:]
        piece = np.searchsorted(self.knots, inner, side="right")
        candidate = np.array(self.offsets)[piece] + requantize(
            inner, np.array(self.slopes)[piece], 16)
        wide = (candidate.astype(np.int64) << 8).astype(np.int32)
        moved = h + requantize(wide - h, update, 16)
        state = np.clip(moved, -2**24, 2**24).astype(np.int32)
        return requantize(state, 3, 11), state


class IntegerResetBefore(IntegerCell):
    """The same with the reset ahead of the candidate's product, a second
    phase."""

    def candidate(self, b, operands, reset):
        return b.op("arith.addi", self.gate(b, 2, operands),
                    b.slice("%px", 2, 3, "i32"))

    def run_candidate(self, value, reset):
        return self.run_gate(2, requantize(value, reset, 16))


class HalfCell(Cell):
    """States and rows of f16, and a matrix that permutes and changes signs."""

    element = "f16"

    def make_weights(self):
        u = np.zeros((self.heads, self.depth, self.depth), np.float16)
        for head in u:
            head[np.arange(self.depth),
                 self.generator.permutation(self.depth)] = \
                self.generator.choice([-1, 1], self.depth)
        b = self.generator.standard_normal(self.width).astype(np.float16)
        return {"u": u, "b": b}

    def inputs(self, g, steps, batch):
        def normal(*shape):
            return (g.standard_normal(shape) *
                    2.0 ** g.integers(-12, 3, shape)).astype(np.float16)
        n = self.width
        arrays = {"x": normal(steps, batch, self.parts * n)}
        for state in ("h", "l")[:self.states]:
            arrays[state] = normal(batch, n)
        if self.random:
            arrays["random"] = g.integers(-2**31, 2**31, (batch, 3)).astype(
                np.int32)
        return arrays

    def run_dot(self, rows):
        """Exact: one nonzero weight a row, 1 or -1."""
        return self.product(rows.astype(np.float64),
                            self.weights["u"].astype(np.float64)).astype(
                                np.float16)


class PairedCell(HalfCell):
    """Two halves of a state, each multiplied by the one matrix; the sum of both
    products, x and a row, without loss as long as f16 can."""

    states = 2

    def two_sum(self, b, x, y):
        def add(p, q):
            return b.op("arith.addf", p, q, element="f16")

        def sub(p, q):
            return b.op("arith.subf", p, q, element="f16")
        s = add(x, y)
        t = sub(s, x)
        return s, add(sub(x, sub(s, t)), sub(y, t))

    def body(self, b):
        products = [b.dot(s, "%p_u", self.heads, "f16", "f16")
                    for s in ("%ph", "%pl")]
        s, e = self.two_sum(b, products[0], "%px")
        s, f = self.two_sum(b, s, "%p_b")
        rest = b.op("arith.addf", b.op("arith.addf", e, f, element="f16"),
                    products[1], element="f16")
        high, low = self.two_sum(b, s, rest)
        return [high, high, low]

    @staticmethod
    def run_two_sum(x, y):
        s = x + y
        t = s - x
        return s, (x - (s - t)) + (y - t)

    def step(self, x, states, draw):
        high, low = (self.run_dot(s) for s in states)
        s, e = self.run_two_sum(high, x)
        s, f = self.run_two_sum(s, self.weights["b"])
        high, low = self.run_two_sum(s, (e + f) + low)
        return high, high, low


class StochasticCell(HalfCell):
    """The sum of a product and x, rounded at random."""

    random = True

    def value(self, b):
        return b.dot("%ph", "%p_u", self.heads, "f16", "f16")

    def body(self, b):
        bits = b.emit(f"rnn.random layer(5) word(2) : {b.row('i32')}")
        moved = b.emit(f"rnn.add_stochastic {self.value(b)}, %px, {bits} : "
                       f"{b.row('f16')}, {b.row('i32')}")
        biased = b.op("arith.addf", moved, "%p_b", element="f16")
        return [biased, moved]

    def run_value(self, h):
        return self.run_dot(h)

    def step(self, x, states, draw):
        value = self.run_value(states[0])
        moved = add_stochastic(value, x, draw.word(5, 2))
        return moved + self.weights["b"], moved


class StochasticMove(StochasticCell):
    """The same without a product."""

    def make_weights(self):
        return {"b": super().make_weights()["b"]}

    def value(self, b):
        return "%ph"

    def run_value(self, h):
        return h


def add_stochastic(a, b, bits):
    """a + b, up with a probability that is what rounding down leaves out."""
    exact = a.astype(np.float64) + b.astype(np.float64)
    near = exact.astype(np.float16)
    down = np.where(near.astype(np.float64) > exact,
                    np.nextafter(near, np.float16(-np.inf)), near)
    up = np.where(down.astype(np.float64) == exact, down,
                  np.nextafter(down, np.float16(np.inf)))
    low, high = down.astype(np.float64), up.astype(np.float64)
    span = np.where(high > low, high - low, 1)
    chosen = bits.astype(np.float64) < (exact - low) / span * 2.0**32
    return np.where(chosen, up, down).astype(np.float16)
