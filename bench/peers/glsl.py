#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the hand-written baselines of bench/peers/glsl, and checks each.

    bench/peers/glsl.py --kernels FOLDER --bench rung-bench [--small] [NAME]...

FOLDER holds the compiled kernels (build/glsl). Inputs are made here, results
are compared with NumPy's in float64 in the same run: a recurrence's first
16 or 61 steps, a product's first 61 rows. --small takes the sizes and kernels for
software Vulkan. NAMEs are those of the rows; none means all.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

# Arrays repeat so many rows: prime, so that no tile meets itself again.
ROWS = 61


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(x, u):
    """States of a GRU: x is [T, B, 3, H, D], u is [H, 3, D (in), D (out)]."""
    x = x.astype(np.float64).transpose(0, 3, 2, 1, 4)  # [T, H, 3, B, D]
    u = u.astype(np.float64)
    h = np.zeros(x.shape[1:2] + x.shape[3:])
    states = []
    for step in x:
        sums = h[:, None] @ u
        keep = sigmoid(-(step[:, 0] + sums[:, 0]))
        reset = sigmoid(step[:, 1] + sums[:, 1])
        n = np.tanh(step[:, 2] + reset * sums[:, 2])
        h = h + keep * (n - h)
        states.append(h)
    return np.array(states).transpose(0, 2, 1, 3)  # [T, B, H, D]


class Jobs:
    """The jobs of a run, with their arrays in a folder."""

    def __init__(self, folder, kernels, small):
        self.folder, self.kernels, self.small = folder, kernels, small
        self.random = np.random.default_rng(1)
        self.jobs = []

    def array(self, values):
        path = os.path.join(self.folder, f"{len(os.listdir(self.folder))}.npy")
        np.save(path, values)
        return path

    def uniform(self, scale, *shape):
        return self.random.uniform(-scale, scale, shape).astype(np.float16)

    def whole(self, *shape):
        return self.random.integers(-127, 128, shape).astype(np.int8)

    def add(self, name, kernel, buffers, push, groups, **more):
        subgroup = 8 if self.small else 32
        path = os.path.join(self.kernels, kernel + ".spv")
        self.jobs.append({"name": name, "spirv": os.path.abspath(path),
                          "buffers": buffers, "push": push,
                          "groups": [groups, 1, 1], "subgroup_size": subgroup,
                          "repeat": 3 if self.small else 20, **more})

    def repeated(self, rows, count):
        """The buffer that repeats `rows` to `count` of them, and those that
        can be checked."""
        rows = rows[:count]
        return {"file": self.array(rows),
                "elements": count * int(np.prod(rows.shape[1:]))}, rows

    def block_gru(self, name, kernel, heads, batch, steps, rows):
        x, first = self.repeated(self.uniform(1, ROWS, batch, 3, heads, 64),
                                 steps)
        u = self.uniform(0.15, heads, 3, 64, 64)
        self.add(name, kernel, [
            x, {"file": self.array(u)},
            {"type": "f16", "elements": steps * batch * heads * 64,
             "expect": self.array(gru(first, u)), "atol": 4e-3}],
            [steps, batch, heads], heads * -(-batch // rows), steps=steps)

    def dense_gru(self, name, kernel, width, steps):
        units = 16
        x, first = self.repeated(self.uniform(1, ROWS, 1, 3, 1, width), steps)
        u = self.uniform(1 / width ** 0.5, 1, 3, width, width)
        # The kernel has a unit's weights in a row: [D (out), 3, D (in)].
        rows = np.ascontiguousarray(u[0].transpose(2, 0, 1))
        self.add(name, kernel, [
            x, {"file": self.array(rows)},
            {"type": "f16", "elements": steps * width,
             "expect": self.array(gru(first[:16], u)), "atol": 4e-3},
            {"type": "i32", "elements": 64 + 2 * width // 2, "clear": True,
             "expect": self.array(np.int32([width // units * steps, 0])),
             "atol": 0}],
            [steps, width // units], width // units, steps=steps)

    def product(self, name, kernel, size, tile, whole):
        make = self.whole if whole else (lambda *s: self.uniform(0.5, *s))
        (a, some), (b, others) = (self.repeated(make(ROWS, size), size)
                                  for _ in range(2))
        block = some.astype(np.float64) @ others.astype(np.float64).T
        expected = np.tile(block, (1, -(-size // ROWS)))[:, :size]
        self.add(name, kernel, [
            a, b,
            {"type": "i32" if whole else "f32", "elements": size * size,
             "expect": self.array(expected),
             "atol": 0 if whole else 2e-2, "rtol": 0 if whole else 1e-3}],
            [size, size, size], (size // tile[0]) * (size // tile[1]),
            operations=2.0 * size ** 3)

    def product_rate(self, name, kernel, shape, whole, workgroups):
        m, n, k = shape
        turns = 16 if self.small else 4096
        a, b = (np.random.default_rng(2).integers(-1, 2, s).astype(
            np.int8 if whole else np.float16) for s in ((4, m, k), (2, k, n)))
        # Whole numbers, exact as f32 and s32.
        one = np.einsum("imk,jkn->ijmn", a.astype(np.int64),
                        b.astype(np.int64)) * turns
        self.add(name, kernel, [
            {"file": self.array(a)}, {"file": self.array(b)},
            {"type": "i32" if whole else "f32",
             "elements": workgroups * 64 * m * n,
             "expect": self.array(one.reshape(-1).astype(np.float64)),
             "atol": 0, "rtol": 0}],
            [turns], workgroups,
            operations=2.0 * m * n * k * 64 * workgroups * turns)

    def matvec(self, name, kernel, depth, rows):
        w, x = self.whole(rows, depth), self.whole(depth)
        y = w.astype(np.int64) @ x.astype(np.int64)
        self.add(name, kernel, [
            {"file": self.array(w)}, {"file": self.array(x)},
            {"type": "i32", "elements": rows, "expect":
             self.array(y.astype(np.float64)), "atol": 0, "rtol": 0}],
            [rows, depth], -(-rows // 4), operations=2.0 * rows * depth,
            bytes=rows * depth)

    def barrier(self, name, workgroups, steps):
        self.add(name, "grid_barrier", [
            {"type": "i32", "elements": 2, "clear": True,
             "expect": self.array(np.int32([workgroups * steps, 0])),
             "atol": 0}], [steps, workgroups], workgroups, steps=steps)

    def copy(self, name, words):
        block = self.random.integers(-2**31, 2**31, 65521).astype(np.int32)
        self.add(name, "copy", [
            {"file": self.array(block), "elements": 4 * words},
            {"type": "i32", "elements": 4 * words, "atol": 0,
             "expect": self.array(np.resize(block, min(4 * words, 10 ** 6)))}],
            [words], min(1056, -(-words // 256)), bytes=32.0 * words)


# Each row: its name, the method of Jobs that makes it, what that is given.
LARGE = [
    ("64 heads x 64, B 32", "block_gru", "block_gru", 64, 32, 1024, 16),
    ("64 heads x 64, B 32, 16x8x16", "block_gru", "block_gru.narrow",
     64, 32, 1024, 16),
    ("64 heads x 64, B 1", "block_gru", "block_gru", 64, 1, 1024, 16),
    ("12 heads x 64, B 16", "block_gru", "block_gru", 12, 16, 1024, 16),
    ("12 heads x 64, B 16, 16x8x16", "block_gru", "block_gru.narrow",
     12, 16, 1024, 16),
    ("dense D 2048, B 1", "dense_gru", "dense_gru", 2048, 4096),
    ("dense D 256, B 1", "dense_gru", "dense_gru.256", 256, 4096),
    *((f"{t} product {size}", "product", f"product_{t}", size, (128, 128),
       t == "s8") for size in (1024, 2048, 4096, 8192) for t in ("f16", "s8")),
    *((f"{t} product {size}, 256 rows", "product", f"product_{t}.256", size,
       (256, 128), t == "s8") for size in (4096, 8192) for t in ("f16", "s8")),
    ("f16 multiply-adds alone", "product_rate", "product_rate_f16",
     (16, 16, 16), False, 1056),
    ("s8 multiply-adds alone", "product_rate", "product_rate_s8",
     (16, 16, 32), True, 1056),
    ("s8 matrix-vector 2048 x 101", "matvec", "matvec_s8", 2048, 101),
    ("s8 matrix-vector 2048 x 2048", "matvec", "matvec_s8", 2048, 2048),
    ("barrier of 132 workgroups", "barrier", 132, 1024),
    ("barrier of 264 workgroups", "barrier", 264, 1024),
    ("copy", "copy", 1 << 25),
]
SMALL = [
    ("2 heads x 64, B 11", "block_gru", "block_gru.small", 2, 11, 9, 8),
    ("dense D 64, B 1", "dense_gru", "dense_gru.small", 64, 5),
    ("f16 product 128", "product", "product_f16.small", 128, (32, 16), False),
    ("s8 product 128", "product", "product_s8.small", 128, (32, 16), True),
    ("f16 multiply-adds alone", "product_rate", "product_rate_f16.small",
     (8, 8, 8), False, 2),
    ("s8 multiply-adds alone", "product_rate", "product_rate_s8.small",
     (8, 8, 8), True, 2),
    ("s8 matrix-vector 256 x 21", "matvec", "matvec_s8.small", 256, 21),
    ("barrier of 2 workgroups", "barrier", 2, 3),
    ("copy", "copy", 4096),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kernels", required=True)
    parser.add_argument("--bench", default="rung-bench")
    parser.add_argument("--device", default="")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    a = parser.parse_args()
    rows = SMALL if a.small else LARGE
    for name in a.names:
        if name not in [row[0] for row in rows]:
            parser.error(f"no row is named '{name}'")
    with tempfile.TemporaryDirectory() as folder:
        jobs = Jobs(folder, a.kernels, a.small)
        for name, method, *given in rows:
            if not a.names or name in a.names:
                getattr(jobs, method)(name, *given)
        path = os.path.join(folder, "jobs.json")
        with open(path, "w") as file:
            json.dump({"kernels": jobs.jobs}, file)
        sys.exit(subprocess.run(
            [a.bench, "kernels", path, "--device", a.device, "--timeout", "60",
             *["--json"] * a.json]).returncode)


if __name__ == "__main__":
    main()
