#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the cases of `vectors/` and compares the outputs.

    run_vectors.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device lavapipe --precision fp32 [CASE]...

A case is compiled, run all steps at once and held against its `expect.`
outputs. A forward case with a state is then run again step by step, the state
passed on, and must give the same bits. One line a case; the exit code is 1 if
any failed. CASE is a name or a pattern such as 'torch_*'.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

from tools import HERE, TOLERANCE, Failure

# Cases that say nothing at a precision, and why.
NOT_AT = {
    ("*thresholded_relu*", "*-mixed"):
        "g jumps: a rounding may fall on the other side",
}


@dataclass
class Case:
    name: str
    folder: str
    inputs: dict
    expects: dict
    states: list
    forward: bool

    @staticmethod
    def load(name):
        folder = os.path.join(HERE, "vectors", name)
        with open(os.path.join(folder, "model.yaml")) as file:
            text = file.read()
        with np.load(os.path.join(folder, "data.npz")) as data:
            arrays = {k: data[k] for k in data.files
                      if k not in ("made_by", "about")}
        expects = {k.removeprefix("expect."): v for k, v in arrays.items()
                   if k.startswith("expect.")}
        inputs = {k: v for k, v in arrays.items()
                  if not k.startswith("expect.")}
        [outputs] = re.findall(r"outputs: \{(.*)\}", text)
        plain = [port.split(":")[0].strip() for port in outputs.split(",")]
        return Case(name, folder, inputs, expects,
                    [port for port in expects if port not in plain],
                    "direction:" not in text and "lengths:" not in text)

    def segments(self, every_step):
        """Lengths of the parts to run one after the other."""
        steps = len(next(v for k, v in self.inputs.items()
                         if k not in self.states))
        if every_step or steps <= 7:
            return [1] * steps
        # Single steps at both ends and around odd and even parts.
        middle = (steps - 6) // 2
        return [1, 1, 1, middle, 1, steps - 6 - middle, 1, 1]


class Runner:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder

    def command(self, *words):
        try:
            done = subprocess.run(words, capture_output=True, text=True,
                                  timeout=self.arguments.timeout)
        except subprocess.TimeoutExpired:
            raise Failure(f"{os.path.basename(words[0])} is not done after "
                          f"{self.arguments.timeout} s")
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise Failure(f"{os.path.basename(words[0])} exits with "
                          f"{done.returncode}: {said}")

    def bundle(self, case):
        """Compiles a case, or takes what an earlier run compiled from the
        same files with the same compiler."""
        arguments = self.arguments
        folder = os.path.join(arguments.bundles or self.folder,
                              arguments.precision)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, case.name + ".rung")
        model = os.path.join(case.folder, "model.yaml")
        weights = os.path.join(case.folder, "weights.safetensors")
        newest = max(os.path.getmtime(source) for source
                     in (arguments.compile, model, weights)
                     if os.path.exists(source))
        if not os.path.exists(path) or os.path.getmtime(path) < newest:
            self.command(arguments.compile, model, "-o", path,
                         "--precision", arguments.precision,
                         *[w for t in arguments.target
                           for w in ("--target", t)])
        return path

    def run(self, case, bundle, inputs):
        """Runs the one function; returns all outputs by port."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            words = [self.arguments.run, bundle, "--device",
                     self.arguments.device]
            for number, (port, array) in enumerate(inputs.items()):
                path = os.path.join(folder, f"in{number}.npy")
                np.save(path, array)
                words += ["--input", f"{port}=@{path}"]
            paths = {port: os.path.join(folder, f"out{number}.npy")
                     for number, port in enumerate(case.expects)}
            for port, path in paths.items():
                words += ["--output", f"{port}=@{path}"]
            self.command(*words)
            return {port: np.load(path) for port, path in paths.items()}

    def stepped(self, case, bundle):
        """Runs part after part, passing the states on."""
        states = {port: case.inputs[port] for port in case.states
                  if port in case.inputs}
        parts, begin = [], 0
        for count in case.segments(self.arguments.every_step):
            inputs = {port: array[begin:begin + count] for port, array
                      in case.inputs.items() if port not in case.states}
            parts.append(self.run(case, bundle, inputs | states))
            states = {port: parts[-1][port] for port in case.states}
            begin += count
        return {port: states[port] if port in states else
                np.concatenate([part[port] for part in parts])
                for port in case.expects}

    def check(self, case):
        """What to say of a case that passes; raises Failure otherwise."""
        bundle = self.bundle(case)
        outputs = self.run(case, bundle, case.inputs)
        tolerance = TOLERANCE[self.arguments.precision]
        worst = max(compare(port, outputs[port], expected, tolerance)
                    for port, expected in case.expects.items())
        said = f"worst {worst:.1e}"
        if not (case.states and case.forward and len(outputs["y"])):
            return said
        again = self.stepped(case, bundle)
        for port, array in outputs.items():
            same_bits(port, again[port], array)
        return said + ", step by step the same bits"


def compare(port, got, expected, tolerance):
    """The largest difference; raises Failure where one is too large."""
    if got.shape != expected.shape or got.dtype != expected.dtype:
        raise Failure(f"{port} is {got.dtype} {got.shape}, expected "
                      f"{expected.dtype} {expected.shape}")
    if not got.size:
        return 0.0
    away = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    limit = tolerance * (1 + np.abs(expected.astype(np.float64)))
    if expected.dtype.kind == "i":
        limit[...] = 0
    bad = ~(away <= limit)  # a NaN is bad
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Failure(
            f"{bad.sum()} of {bad.size} values of {port} differ by more than "
            f"{tolerance}, first at {list(at)}: {got[at]}, expected "
            f"{expected[at]}; the largest difference is {np.max(away)}")
    return float(away.max())


def same_bits(port, stepped, whole):
    if stepped.shape != whole.shape:
        raise Failure(f"{port} has shape {stepped.shape} step by step, "
                      f"{whole.shape} at once")
    differ = stepped.view(np.uint32) != whole.view(np.uint32)
    if differ.any():
        at = tuple(int(i) for i in np.argwhere(differ)[0])
        raise Failure(f"{differ.sum()} of {differ.size} values of {port} "
                      f"have other bits step by step, first at {list(at)}: "
                      f"{stepped[at]!r} after {whole[at]!r}")


def reason_to_skip(name, precision):
    return next((why for (case, at), why in NOT_AT.items()
                 if fnmatch.fnmatch(name, case)
                 and fnmatch.fnmatch(precision, at)), None)


def case_names(patterns):
    folder = os.path.join(HERE, "vectors")
    names = sorted(n for n in os.listdir(folder)
                   if os.path.exists(os.path.join(folder, n, "data.npz")))
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            sys.exit(f"run_vectors.py: error: no case matches '{pattern}'")
    return [n for n in names if not patterns
            or any(fnmatch.fnmatch(n, p) for p in patterns)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("cases", nargs="*", metavar="CASE")
    add("--compile", required=True, help="path of rung-compile")
    add("--run", required=True, help="path of rung-run")
    add("--device", required=True, help="as rung-run takes it")
    add("--precision", default="fp32", choices=TOLERANCE)
    add("--target", action="append", default=[], help="for rung-compile")
    add("--bundles", help="folder that keeps bundles for the next run")
    add("--every-step", action="store_true",
        help="also long cases in single steps throughout")
    add("--jobs", type=int, default=2)
    add("--timeout", type=float, default=120, help="seconds for a command")
    return parser.parse_args()


def main():
    arguments = parse()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runner = Runner(arguments, folder)

        def judge(name):
            why = reason_to_skip(name, arguments.precision)
            if why:
                return "skipped", why
            try:
                return "passed", runner.check(Case.load(name))
            except Failure as failure:
                return "failed", str(failure)
        names = case_names(arguments.cases)
        for name, (verdict, said) in zip(names, pool.map(judge, names)):
            counts[verdict] += 1
            print(f"{verdict:7} {name}: {said}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count
                    in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
