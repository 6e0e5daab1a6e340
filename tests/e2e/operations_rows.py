# SPDX-License-Identifier: Apache-2.0
"""Cases of run_operations.py: operations on whole rows of integers."""

import numpy as np

from operation_case import (BATCH, HIGHEST, LOWEST, STEPS, Case, adversarial,
                            load, map_lines, requantize, sequence, weight,
                            wrap)


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


def tiles(panel=1):
    """Tiles of 32 x 32 that stage both operands, 16 deep, by a grid of
    subgroups: whole ones go straight to memory, others in pieces."""
    return (" {rung.tiles = {profile = \"lavapipe\", rows = 32 : i64, columns = 32 : i64, "
            f"depth = 16 : i64, stages = 2 : i64, panel = {panel} : i64, "
            "stage_weights, layout = #tile.layout<instruction = [8, 8, 8], "
            "subgroups = 4, subgroup_size = 8, cooperative = true, "
            "subgroup_rows = 2>}}")


def linear_case(inner, columns, bias, pinned="", batch=BATCH):
    random = np.random.default_rng(inner)
    shape = (STEPS, batch, inner)
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
    body += [f"%y = rnn.linear %q, %w{', %b' if bias else ''}{pinned} : "
             f"({sequence(inner, 'i8')}, tensor<{columns}x{inner}xi8>{more}) "
             f"-> {sequence(columns)}"]
    weights = [weight("w", w, "i8")] + \
        ([weight("b", b, "i32")] if bias else [])
    return Case(f"linear {inner} to {columns}{' and bias' if bias else ''}"
                f"{', staged' if pinned else ''}",
                {"x": x}, body, {"y": sequence(columns)},
                {"y": wrap(expected)}, weights)


def half_linear_case(inner=40, columns=24, pinned="", batch=BATCH):
    """Operands kept in f16; sums of small integers, which f32 holds."""
    random = np.random.default_rng(9)
    x = random.integers(-64, 65, (STEPS, batch, inner)).astype(np.float32)
    w = random.integers(-64, 65, (columns, inner)).astype(np.float32)
    row, narrow = f"tensor<{inner}xf32>", f"tensor<{inner}xf16>"
    body = [load("w", w, "f32"),
            f"%w16 = rnn.cast %w : tensor<{columns}x{inner}xf32> to "
            f"tensor<{columns}x{inner}xf16>"]
    body += map_lines("q", [("x", row)], [],
                      [f"%t = arith.truncf %r_x : {row} to {narrow}",
                       f"rnn.yield outputs(%t : {narrow}) states()"],
                      [sequence(inner, "f32")], sequence(inner, "f16"))
    body += [f"%y = rnn.linear %q, %w16{pinned} : ({sequence(inner, 'f16')}, "
             f"tensor<{columns}x{inner}xf16>) -> {sequence(columns, 'f32')}"]
    return Case(f"linear of stored f16{', staged' if pinned else ''}",
                {"x": x}, body,
                {"y": sequence(columns, "f32")}, {"y": x @ w.T},
                [weight("w", w, "f32")])
