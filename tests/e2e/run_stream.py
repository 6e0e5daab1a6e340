#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs functions whose steps await their input on the device.

    run_stream.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0 --profile compiler/target/profiles/lavapipe.json

Software Vulkan shares the host's memory, so a kernel of its sees what the host
writes; models are compiled for a copy of its profile that promises it. Runs are
compared with the reference, with themselves in parts, and are long enough for
what is submitted ahead to be used up and submitted again. Where a function can't
be a stream it runs as others do.
"""

import os
import tempfile

import numpy as np

from run_grid import write_model
from tools import (TOLERANCE, Failure, command, compile_model, expect_close,
                   expect_same_bits, joint_profile, judge, parser, run_model)

THREADS = 16
REQUEST = ["--transform", "rnn-request-stream{function=run}"]


class Streams:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        arguments.target = [joint_profile(arguments.profile, folder, THREADS)]

    def compile(self, precision, streams, *shape):
        model = write_model(self.folder, *shape)
        bundle = f"{model[:-5]}.{precision}.rung"
        self.arguments.precision = precision
        compile_model(self.arguments, model, bundle, *REQUEST)
        tile = command(self.arguments.compile, model, "--emit=tile",
                       "--precision", precision, *REQUEST, "--target",
                       self.arguments.target[0])
        if ("rung.words" in tile) != streams:
            raise Failure(f"it {'is no' if streams else 'is a'} stream")
        return bundle

    def run(self, bundle, x, h, device=None):
        return run_model(self.arguments, bundle, self.folder, {"x": x, "h": h},
                         ["y", "h"], device=device)

    def check(self, precision, streams, hidden, heads, reset, steps):
        bundle = self.compile(precision, streams, hidden, heads, reset,
                              "forward")
        random = np.random.default_rng(steps)
        x = random.standard_normal((steps, 1, 24)).astype(np.float32)
        h = np.tanh(random.standard_normal((1, hidden))).astype(np.float32)
        got = self.run(bundle, x, h)
        expected = self.run(bundle, x, h, device="reference")
        worst = max(expect_close(name, got[name],
                                 expected[name].astype(np.float64),
                                 TOLERANCE.get(precision, 2e-2))
                    for name in ("y", "h"))
        rows = []
        for part in np.array_split(x, 3):
            piece = self.run(bundle, part, h)
            h = piece["h"]
            rows.append(piece["y"])
        expect_same_bits("y", np.concatenate(rows), got["y"], "in parts")
        expect_same_bits("h", h, got["h"], "in parts")
        return f"worst {worst:.1e}"


def main():
    p = parser(__doc__)
    p.add_argument("--profile", required=True, help="software Vulkan's")
    arguments = p.parse_args()
    os.environ["LP_NUM_THREADS"] = str(THREADS)
    with tempfile.TemporaryDirectory() as folder:
        streams = Streams(arguments, folder)
        cases = [
            ("fp16-mixed", True, 64, 1, "after", 5),
            ("fp16-mixed", True, 62, 1, "after", 40),
            ("fp16-mixed", True, 128, 2, "after", 7),
            ("fp16", False, 64, 1, "after", 6),
            ("fp16-mixed", False, 64, 1, "before", 4),
            ("fp32", False, 64, 1, "after", 4),
        ]
        judge([(f"{c[0]} {c[2]} units, {c[3]} heads, reset {c[4]}, T {c[5]}",
                lambda c=c: streams.check(*c)) for c in cases])


if __name__ == "__main__":
    main()
