# SPDX-License-Identifier: Apache-2.0
"""Cases for run_operations.py: modules of one operation each, inputs that are
hard for it, and its results by Python's integers and doubles."""

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


# Pointwise ------------------------------------------------------------------

def requantize_case(width=128):
    random = np.random.default_rng(1)
    shape = (STEPS, BATCH, width)
    value, factor = adversarial(random, shape), adversarial(random, shape)
    row, whole = f"tensor<{width}xi32>", sequence(width)
    body, expected = [], {}
    for shift in (1, 2, 15, 24, 31, 32, 33, 34, 47, 61, 62):
        body += map_lines(
            f"by{shift}", [("v", row), ("f", row)], [],
            [f"%q = rnn.requantize %r_v, %r_f shift({shift}) : {row}",
             f"rnn.yield outputs(%q : {row}) states()"],
            [whole, whole], whole)
        expected[f"by{shift}"] = requantize(value, factor, shift)
    return Case("requantize", {"v": value, "f": factor}, body,
                {port: whole for port in expected}, expected)


def piecewise_case(pieces, width=200):
    random = np.random.default_rng(pieces)
    knots = np.sort(random.choice(
        np.arange(-2**20, 2**20, 17), pieces - 1, replace=False))
    slopes, offsets = (random.integers(LOWEST, HIGHEST, pieces)
                       for _ in range(2))
    shift = int(random.integers(20, 40))
    x = adversarial(random, (STEPS, BATCH, width))
    near = random.random(x.shape) < 0.6
    places = np.append(knots, 0)[random.integers(0, pieces, x.shape)]
    x = np.where(near, places + random.integers(-1, 2, x.shape),
                 x).astype(np.int32)
    piece = np.searchsorted(knots, x, side="right")
    expected = wrap(offsets[piece].astype(np.int64) +
                    requantize(x, slopes[piece], shift))
    row, whole = f"tensor<{width}xi32>", sequence(width)
    body = map_lines(
        "y", [("x", row)], [],
        [f"%p = rnn.piecewise %r_x knots({words(knots)}) "
         f"slopes({words(slopes)}) offsets({words(offsets)}) "
         f"shift({shift}) : {row}",
         f"rnn.yield outputs(%p : {row}) states()"], [whole], whole)
    return Case(f"piecewise of {pieces}", {"x": x}, body, {"y": whole},
                {"y": expected})


def lookup_case(intervals, low, shift, interpolate, width=200):
    random = np.random.default_rng(intervals + shift)
    table = adversarial(random, (intervals + interpolate,))
    x = adversarial(random, (STEPS, BATCH, width))
    inside = low + random.integers(-3, (intervals << shift) + 3, x.shape)
    x = np.where(random.random(x.shape) < 0.7,
                 np.clip(inside, LOWEST, HIGHEST), x).astype(np.int32)
    u = np.clip(x.astype(np.int64) - low, 0, (intervals << shift) - 1)
    entry, rest = u >> shift, u & ((1 << shift) - 1)
    wide = table.astype(np.int64)
    expected = wide[entry]
    if interpolate:
        expected = expected + (((wide[entry + 1] - wide[entry]) * rest +
                                (1 << (shift - 1))) >> shift)
    row, whole = f"tensor<{width}xi32>", sequence(width)
    entries = f"tensor<{len(table)}xi32>"
    how = "interpolate " if interpolate else ""
    body = [load("t", table, "i32")] + map_lines(
        "y", [("x", row)], [("t", entries)],
        [f"%p = rnn.lookup %r_x, %r_t low({low}) shift({shift}) {how}"
         f": {row}, {entries}",
         f"rnn.yield outputs(%p : {row}) states()"],
        [whole, entries], whole)
    return Case(f"lookup of {intervals} by {shift} {how}".rstrip(), {"x": x},
                body, {"y": whole}, {"y": wrap(expected)},
                [weight("t", table, "i32")])


# Stochastic rounding --------------------------------------------------------

def half(bits):
    return np.asarray(bits).astype(np.uint16).view(np.float16)


def neighbours(total):
    """The f16 below and above, infinity standing at 2^16."""
    # Halves by their magnitude bits; of a sum that is none of them, the
    # nearest tells which side it is on.
    with np.errstate(over="ignore"):
        nearest = total.astype(np.float16)
    value = np.where(np.isinf(nearest), np.copysign(65536.0, total),
                     nearest.astype(np.float64))
    up = np.nextafter(nearest, np.float16(np.inf))
    down = np.nextafter(nearest, np.float16(-np.inf))
    low = np.where(value <= total, nearest, down)
    high = np.where(value >= total, nearest, up)
    return low, high


def place(number):
    wide = number.astype(np.float64)
    return np.where(np.isinf(wide), np.copysign(65536.0, wide), wide)


def add_stochastic(a, b, bits):
    """The definition in doubles, which hold every sum of two f16."""
    left, right = half(a).astype(np.float64), half(b).astype(np.float64)
    total = left + right
    low, high = neighbours(total)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (total - place(low)) / (place(high) - place(low))
        chosen = np.where(bits.view(np.uint32) < share * 2.0**32, high, low)
        exact = np.isnan(total) | (total == total.astype(np.float16)) | \
            (np.abs(total) >= 65536)
        return np.where(exact, total.astype(np.float16), chosen)


def add_stochastic_case(width=256):
    random = np.random.default_rng(4)
    shape = (16, BATCH, width)
    a, b = (random.integers(0, 2**16, shape).astype(np.int32)
            for _ in range(2))
    # Exponents close together, so that more than the last bit counts; the
    # largest finite numbers, the subnormals and the infinities.
    close = random.random(shape) < 0.7
    exponent = np.clip((a >> 10 & 31) + random.integers(-12, 13, shape), 0, 31)
    b = np.where(close, (b & ~0x7c00) | exponent << 10, b).astype(np.int32)
    special = np.array([0x7bff, 0xfbff, 0x7c00, 0xfc00, 0, 0x8000, 1, 0x8001,
                        0x3ff, 0x400, 0x4c00, 0xcfff])
    a = np.where(random.random(shape) < 0.1, random.choice(special, shape),
                 a).astype(np.int32)
    bits = adversarial(random, shape)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = add_stochastic(a, b, bits)
    # A NaN has many bits: all are made one.
    expected = np.where(np.isnan(expected), 0x7e00,
                        expected.astype(np.float16).view(np.uint16))
    row, whole = f"tensor<{width}xi32>", sequence(width)
    i16, f16 = f"tensor<{width}xi16>", f"tensor<{width}xf16>"
    body = map_lines(
        "y", [("a", row), ("b", row), ("n", row)], [],
        [f"%a16 = arith.trunci %r_a : {row} to {i16}",
         f"%b16 = arith.trunci %r_b : {row} to {i16}",
         f"%x = arith.bitcast %a16 : {i16} to {f16}",
         f"%z = arith.bitcast %b16 : {i16} to {f16}",
         f"%s = rnn.add_stochastic %x, %z, %r_n : {f16}, {row}",
         f"%s16 = arith.bitcast %s : {f16} to {i16}",
         f"%out = arith.extui %s16 : {i16} to {row}",
         f"%size = arith.constant dense<32767> : {row}",
         f"%inf = arith.constant dense<31744> : {row}",
         f"%nan = arith.constant dense<32256> : {row}",
         f"%m = arith.andi %out, %size : {row}",
         f"%isnan = arith.cmpi ugt, %m, %inf : {row}",
         f"%r = arith.select %isnan, %nan, %out "
         f": tensor<{width}xi1>, {row}",
         f"rnn.yield outputs(%r : {row}) states()"],
        [whole, whole, whole], whole)
    return Case("add_stochastic", {"a": a, "b": b, "n": bits}, body,
                {"y": whole}, {"y": expected.astype(np.int32)})


def product_error_case(width=256):
    """A multiply-add that is the error of a product, in f16."""
    random = np.random.default_rng(6)
    shape = (16, BATCH, width)
    a, b = (random.integers(0, 2**16, shape) for _ in range(2))
    with np.errstate(over="ignore", invalid="ignore"):
        product = (half(a) * half(b)).astype(np.float64)
        # Only finite products have an error.
        b = np.where(np.isfinite(product), b, 0x3c00)
        a = np.where(np.isfinite(half(a)), a, 0x3c01)
        product = (half(a) * half(b)).astype(np.float64)
    exact = half(a).astype(np.float64) * half(b).astype(np.float64)
    expected = (exact - product).astype(np.float16) + np.float16(0)
    row, whole = f"tensor<{width}xi32>", sequence(width)
    i16, f16 = f"tensor<{width}xi16>", f"tensor<{width}xf16>"
    body = map_lines(
        "y", [("a", row), ("b", row)], [],
        [f"%a16 = arith.trunci %r_a : {row} to {i16}",
         f"%b16 = arith.trunci %r_b : {row} to {i16}",
         f"%x = arith.bitcast %a16 : {i16} to {f16}",
         f"%z = arith.bitcast %b16 : {i16} to {f16}",
         f"%p = arith.mulf %x, %z : {f16}",
         f"%n = arith.negf %p : {f16}",
         f"%e = math.fma %x, %z, %n : {f16}",
         f"%e16 = arith.bitcast %e : {f16} to {i16}",
         f"%out = arith.extui %e16 : {i16} to {row}",
         # Devices differ in a zero's sign, unless told to keep it.
         f"%size = arith.constant dense<32767> : {row}",
         f"%zero = arith.constant dense<0> : {row}",
         f"%m = arith.andi %out, %size : {row}",
         f"%iszero = arith.cmpi eq, %m, %zero : {row}",
         f"%r = arith.select %iszero, %zero, %out "
         f": tensor<{width}xi1>, {row}",
         f"rnn.yield outputs(%r : {row}) states()"],
        [whole, whole], whole)
    return Case("error of a product", {"a": a.astype(np.int32),
                                       "b": b.astype(np.int32)}, body,
                {"y": whole},
                {"y": expected.view(np.uint16).astype(np.int32)})


def bytes_case(width=70):
    """A grid of 16 bits from floats, in two bytes and joined again."""
    random = np.random.default_rng(8)
    x = (random.standard_normal((STEPS, BATCH, width)) * 9000).astype(
        np.float32)
    x[0, 0], x[0, 1], x[1, 0] = 1e9, -1e9, 0.5
    grid = np.clip(np.round(x), -32767, 32767).astype(np.int32)
    high, low = grid >> 8, (grid & 255) - 128
    float_row, row = f"tensor<{width}xf32>", f"tensor<{width}xi32>"
    byte_row, byte = f"tensor<{width}xi8>", sequence(width, "i8")
    limits = [f"%lo = arith.constant dense<-32767.0> : {float_row}",
              f"%hi = arith.constant dense<32767.0> : {float_row}",
              f"%n = math.roundeven %r_x : {float_row}",
              f"%m = arith.maxnumf %n, %lo : {float_row}",
              f"%c = arith.minnumf %m, %hi : {float_row}",
              f"%q = arith.fptosi %c : {float_row} to {row}"]
    split = [f"%c8 = arith.constant dense<8> : {row}",
             f"%c255 = arith.constant dense<255> : {row}",
             f"%c128 = arith.constant dense<128> : {row}",
             f"%up = arith.shrsi %q, %c8 : {row}",
             f"%rest = arith.andi %q, %c255 : {row}",
             f"%down = arith.subi %rest, %c128 : {row}",
             f"%h8 = arith.trunci %up : {row} to {byte_row}",
             f"%l8 = arith.trunci %down : {row} to {byte_row}",
             f"rnn.yield outputs(%h8, %l8 : {byte_row}, {byte_row}) states()"]
    body = map_lines("high, %low", [("x", float_row)], [], limits + split,
                     [sequence(width, "f32")], f"({byte}, {byte})")
    join = [f"%h = arith.extsi %r_high : {byte_row} to {row}",
            f"%l = arith.extsi %r_low : {byte_row} to {row}",
            f"%scale = arith.constant dense<256> : {row}",
            f"%half = arith.constant dense<128> : {row}",
            f"%w = arith.muli %h, %scale : {row}",
            f"%v = arith.addi %w, %l : {row}",
            f"%j = arith.addi %v, %half : {row}",
            f"%f = arith.sitofp %j : {row} to {float_row}",
            f"rnn.yield outputs(%j, %h, %f : {row}, {row}, {float_row}) "
            "states()"]
    whole, floats = sequence(width), sequence(width, "f32")
    body += map_lines("q, %h, %f", [("high", byte_row), ("low", byte_row)],
                      [], join, [byte, byte], f"({whole}, {whole}, {floats})")
    assert (high * 256 + low + 128 == grid).all()
    return Case("bytes of a grid", {"x": x}, body,
                {"q": whole, "h": whole, "f": floats},
                {"q": grid, "h": high, "f": grid.astype(np.float32)})


def advance_random_case(lengths):
    random = np.random.default_rng(5)
    state = adversarial(random, (BATCH, 3))
    x = np.zeros((STEPS, BATCH, 4), np.float32)
    inputs = {"r": state, "x": x}
    steps = np.full(BATCH, STEPS)
    more, kind = "", ""
    if lengths:
        inputs["n"] = np.array([-1, 0, 2, STEPS, 9], np.int32)
        steps = np.clip(inputs["n"], 0, STEPS)
        more, kind = " lengths(%n)", ", tensor<?xi32>"
    expected = state.astype(np.int64)
    expected[:, 0] += steps
    body = [f"%y = rnn.advance_random %r, %x{more} : tensor<?x3xi32>, "
            f"tensor<?x?x4xf32>{kind}"]
    return Case(f"advance_random{more}", inputs, body,
                {"y": "tensor<?x3xi32>"}, {"y": wrap(expected)})


# Rows -----------------------------------------------------------------------

def integer_rms_norm(x, factor, epsilon, shift):
    width = x.shape[-1]
    k = max(0, (width - 1).bit_length() - 1)
    p = 14 - (k + 1) // 2
    limited = np.clip(x.astype(np.int64), -32767, 32767)
    squares = (limited**2 + ((1 << (k - 1)) if k else 0)) >> k
    result = np.zeros(x.shape, np.int32)
    for at in np.ndindex(x.shape[:-1]):
        v = max(1, epsilon + int(squares[at].sum()))
        assert v < 2**32
        d = 0
        while v < 2**30:
            v, d = v * 4, d + 1
        q = int(v**0.5)
        q += (q + 1)**2 <= v
        q -= q**2 > v
        scaled = limited[at] * 2**(d + p)
        assert np.abs(scaled).max() < 2**31
        z = np.sign(scaled) * (np.abs(scaled) // q)
        result[at] = requantize(z, factor, shift)
    return result


def integer_rms_norm_case(width, epsilon, shift):
    random = np.random.default_rng(width)
    shape = (4, BATCH, width)
    x = (random.integers(-40000, 40001, shape) >>
         random.integers(0, 16, (4, BATCH, 1))).astype(np.int32)
    x[0, 0] = 0
    x[0, 1] = 32767
    x[0, 2] = LOWEST
    x[0, 3] = HIGHEST
    x[0, 4, :] = 0
    x[0, 4, 0] = 1
    factor = adversarial(random, (width,))
    whole = sequence(width)
    body = [load("f", factor, "i32"),
            f"%y = rnn.integer_rms_norm %x, %f epsilon({epsilon}) "
            f"shift({shift}) : {whole}, tensor<{width}xi32>"]
    return Case(f"integer_rms_norm of {width}", {"x": x}, body, {"y": whole},
                {"y": integer_rms_norm(x, factor, epsilon, shift)},
                [weight("f", factor, "i32")])


def rows_case(width=70):
    """Embedding, add, concat and argmax of integers."""
    random = np.random.default_rng(7)
    table = adversarial(random, (11, width))
    ids = random.integers(-2, 14, (STEPS, BATCH)).astype(np.int32)
    x = adversarial(random, (STEPS, BATCH, width))
    x[0, 0] = LOWEST
    x[0, 1] = x[0, 1].max()
    rows = table[np.clip(ids, 0, 10)]
    total = wrap(rows.astype(np.int64) + x)
    one, two = sequence(width), sequence(2 * width)
    body = [load("t", table, "i32"),
            f"%e = rnn.embedding %ids, %t : (tensor<?x?xi32>, "
            f"tensor<11x{width}xi32>) -> {one}",
            f"%s = rnn.add %e, %x : {one}",
            f"%c = rnn.concat %x, %s : ({one}, {one}) -> {two}",
            f"%a = rnn.argmax %x : {one} -> tensor<?x?xi32>"]
    return Case("embedding, add, concat, argmax", {"ids": ids, "x": x}, body,
                {"s": one, "c": two, "a": "tensor<?x?xi32>"},
                {"s": total, "c": np.concatenate([x, total], -1),
                 "a": np.argmax(x, -1).astype(np.int32)},
                [weight("t", table, "i32")])


def linear_case(inner, columns, bias):
    random = np.random.default_rng(inner)
    shape = (STEPS, BATCH, inner)
    x = random.integers(-128, 128, shape).astype(np.int32)
    x[0, 0], x[0, 1] = 127, -128
    w = random.integers(-127, 128, (columns, inner))
    w[0], w[-1] = 127, -127
    b = adversarial(random, (columns,))
    expected = x.astype(np.int64) @ w.T + (b if bias else 0)
    row, narrow = f"tensor<{inner}xi32>", f"tensor<{inner}xi8>"
    more = f", tensor<{columns}xi32>" if bias else ""
    body = [load("w", w, "i8"), load("b", b, "i32")] if bias else \
        [load("w", w, "i8")]
    body += map_lines("q", [("x", row)], [],
                      [f"%t = arith.trunci %r_x : {row} to {narrow}",
                       f"rnn.yield outputs(%t : {narrow}) states()"],
                      [sequence(inner)], sequence(inner, "i8"))
    body += [f"%y = rnn.linear %q, %w{', %b' if bias else ''} : "
             f"({sequence(inner, 'i8')}, tensor<{columns}x{inner}xi8>{more}) "
             f"-> {sequence(columns)}"]
    weights = [weight("w", w, "i8")] + \
        ([weight("b", b, "i32")] if bias else [])
    return Case(f"linear {inner} to {columns}{' and bias' if bias else ''}",
                {"x": x}, body, {"y": sequence(columns)},
                {"y": wrap(expected)}, weights)


def half_linear_case(inner=40, columns=24):
    """Operands kept in f16; sums of small integers, which f32 holds."""
    random = np.random.default_rng(9)
    x = random.integers(-64, 65, (STEPS, BATCH, inner)).astype(np.float32)
    w = random.integers(-64, 65, (columns, inner)).astype(np.float32)
    row, narrow = f"tensor<{inner}xf32>", f"tensor<{inner}xf16>"
    body = [load("w", w, "f32"),
            f"%w16 = rnn.cast %w : tensor<{columns}x{inner}xf32> to "
            f"tensor<{columns}x{inner}xf16>"]
    body += map_lines("q", [("x", row)], [],
                      [f"%t = arith.truncf %r_x : {row} to {narrow}",
                       f"rnn.yield outputs(%t : {narrow}) states()"],
                      [sequence(inner, "f32")], sequence(inner, "f16"))
    body += [f"%y = rnn.linear %q, %w16 : ({sequence(inner, 'f16')}, "
             f"tensor<{columns}x{inner}xf16>) -> {sequence(columns, 'f32')}"]
    return Case("linear of stored f16", {"x": x}, body,
                {"y": sequence(columns, "f32")}, {"y": x @ w.T},
                [weight("w", w, "f32")])


def cases():
    yield requantize_case()
    for pieces in (1, 3, 8, 16, 32, 64):
        yield piecewise_case(pieces)
    for interpolate in (False, True):
        yield lookup_case(256, -32768, 8, interpolate)
        yield lookup_case(3, 1000, 5, interpolate)
        yield lookup_case(256, LOWEST, 23, interpolate)
    yield lookup_case(7, -3, 0, False)
    yield add_stochastic_case()
    yield product_error_case()
    yield bytes_case()
    yield advance_random_case(lengths=False)
    yield advance_random_case(lengths=True)
    for width, epsilon, shift in ((1, 0, 20), (2, 7, 15), (64, 7, 24),
                                  (100, 0, 31), (1030, 1000, 40)):
        yield integer_rms_norm_case(width, epsilon, shift)
    yield rows_case()
    for inner, columns, bias in ((5, 7, True), (64, 192, True),
                                 (200, 33, False)):
        yield linear_case(inner, columns, bias)
    yield half_linear_case()
