# SPDX-License-Identifier: Apache-2.0
"""Cases of run_operations.py: pointwise functions of integers."""

import numpy as np

from operation_case import (BATCH, HIGHEST, LOWEST, STEPS, Case, adversarial,
                            load, map_lines, requantize, sequence, weight,
                            words, wrap)


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
