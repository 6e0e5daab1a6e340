# SPDX-License-Identifier: Apache-2.0
"""Cases of run_operations.py: f16, by doubles, which hold every sum and product
of two."""

import numpy as np

from operation_case import (BATCH, Case, adversarial, map_lines, sequence)


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
