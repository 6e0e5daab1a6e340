#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prepares what `rung-bench tune` times: rows of the suite of speed, compiled
once for each tiling that compiler/tiling offers.

    bench/tune_candidates.py --out FOLDER --profile nvidia-hopper --only TEXT...
    FOLDER/rung-bench tune FOLDER -o tuned.json          where the device is
    rung-compile MODEL --target tuned.json ...

--only takes the rows of bench/speed_models.py whose name or group holds the
text. A candidate is a profile whose key "tiles" names the tiling of one
problem; the best of each problem go into the profile that is written.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import speed_models

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = os.path.join(HERE, "..", "compiler", "target", "profiles")
# What rnn-select-tiles leaves on the operation that got a candidate.
CHOICE = re.compile(r'rung\.problem = "([^"]*)".*?rung\.tiles = (\{[^{}]*\})')


class Tools:
    def __init__(self, folder, base, out):
        self.folder, self.base, self.out = folder, base, out
        self.target = os.path.join(out, "candidate.json")

    def choose(self, more):
        """Writes the base profile with more tiles."""
        with open(self.target, "w") as file:
            json.dump({**self.base,
                       "tiles": {**self.base.get("tiles", {}), **more}}, file)

    def run(self, name, *words, given=None):
        return subprocess.run(
            [os.path.join(self.folder, name), *words], input=given, text=True,
            capture_output=True)

    def must(self, name, *words):
        done = self.run(name, *words)
        if done.returncode:
            sys.exit(f"{name} exits with {done.returncode}: {done.stderr}")
        return done.stdout

    def source(self, model):
        base = os.path.join(self.out, model)
        return base + (".mlir" if os.path.exists(base + ".mlir") else ".yaml")

    def calibration(self, model, precision):
        """Options that tell integers how large the numbers get."""
        if not precision.startswith("int8"):
            return []
        base = os.path.join(self.out, model)
        ranges = base + ".ranges.json"
        if os.path.exists(ranges):
            return ["--calibrate", ranges]
        return ["--calibrate", base + ".npz", "--calibration-out", ranges]

    def choices(self, model, precision, most):
        """(problem, tiles) of each candidate, or of the first ones."""
        graph = self.must("rung-compile", self.source(model), "--precision",
                          precision, *self.calibration(model, precision),
                          "--emit=precision")
        found = []
        while len(found) < most:
            self.choose({"candidate": len(found)})
            done = self.run(
                "rung-opt", f"--rnn-select-strategy=profile={self.target}",
                f"--rnn-select-tiles=profile={self.target}", given=graph)
            if done.returncode:
                if f"there are {len(found)}" not in done.stderr:
                    sys.exit(f"rung-opt: {done.stderr}")
                return found
            found.append(CHOICE.search(done.stdout).groups())
        return found

    def compile(self, model, precision, problem, tiles, bundle):
        self.choose({problem: tiles})
        done = self.run(
            "rung-compile", self.source(model), "--precision", precision,
            "--target", self.target, *self.calibration(model, precision),
            "-o", bundle)
        if done.returncode:
            print(f"left out: {tiles}: {done.stderr}", file=sys.stderr)
        return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--tools",
                        default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--profile", required=True,
                        help="a built-in profile's name, or a .json file")
    parser.add_argument("--only", action="append", required=True)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--most", type=int, default=1000,
                        help="only so many candidates of each model")
    a = parser.parse_args()
    suite = speed_models.make_suite(a.only, a.small)
    if not suite.rows:
        parser.error(f"no row's name or group holds {', '.join(a.only)}")
    suite.write(a.out)
    path = (a.profile if a.profile.endswith(".json") else
            os.path.join(PROFILES, a.profile + ".json"))
    with open(path) as file:
        base = json.load(file)
    tools = Tools(a.tools, base, a.out)
    rows, choices = [], []
    for model, precision in suite.bundles:
        wanted = [row for row in suite.rows
                  if row["bundle"] == f"{model}.{precision}.rung"]
        for i, (problem, tiles) in enumerate(
                tools.choices(model, precision, a.most)):
            bundle = f"{model}.{precision}.{i}.rung"
            if not tools.compile(model, precision, problem, tiles,
                                 os.path.join(a.out, bundle)):
                continue
            for row in wanted:
                name = f"{row['name']} #{i}"
                rows.append({**row, "name": name, "bundle": bundle,
                             "group": row["name"]})
                choices.append({"row": name, "problem": problem,
                                "tiles": tiles})
    os.remove(tools.target)
    with open(os.path.join(a.out, "speed.json"), "w") as file:
        json.dump({"rows": rows}, file, indent=1)
    with open(os.path.join(a.out, "tune.json"), "w") as file:
        json.dump({"profile": base, "choices": choices}, file, indent=1)
    shutil.copy(os.path.join(a.tools, "rung-bench"), a.out)
    print(f"{len(rows)} candidates in {a.out}")


if __name__ == "__main__":
    main()
