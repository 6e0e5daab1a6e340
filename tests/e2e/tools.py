# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end scripts share: running the tools, counting verdicts."""

import argparse
import json
import os
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
# Modules that the scripts which make models share.
sys.path.append(os.path.join(HERE, "..", "..", "bench"))
SKIPPED = 77  # ctest's return code for a test that could not be made

# Absolute and relative. The cases sum up to 200 terms of magnitude about 1/4
# and their recurrences forget, so an error stays at the roundings of a few
# steps. fp32: some 2^-24 each, about 1e-6 in all. Mixed: both operands of each
# product are rounded, to 11 bits in f16 and 8 in bf16, which is 2^-11 and 2^-8
# a term and about as much in a gate. Ten times that still tells a wrong gate,
# bias or index, which errs by 0.1 or more.
TOLERANCE = {"fp32": 1e-5, "fp16-mixed": 5e-3, "bf16-mixed": 4e-2}


class Failure(Exception):
    pass


def parser(doc):
    p = argparse.ArgumentParser(description=doc.split("\n")[0])
    p.add_argument("--compile", required=True, help="path of rung-compile")
    p.add_argument("--run", required=True, help="path of rung-run")
    p.add_argument("--device", required=True, help="as rung-run takes it")
    p.add_argument("--precision", default="fp32")
    p.add_argument("--target", action="append", default=None,
                   help="for rung-compile (default lavapipe)")
    p.add_argument("--bundles", help="folder with PRECISION/NAME.rung, compiled "
                   "before, to take instead of compiling")
    return p


def command(*words, timeout=600):
    """Runs a tool; returns what it wrote to stdout."""
    done = subprocess.run([str(w) for w in words], capture_output=True,
                          text=True, timeout=timeout)
    if done.returncode:
        raise Failure(f"{os.path.basename(str(words[0]))} exits with "
                      f"{done.returncode}: {(done.stderr or done.stdout)}")
    return done.stdout


def derive_profile(path, folder, change):
    """Writes a copy of a device's profile into a folder; returns its path.
    `change` gets the profile, to give it a name and what a test needs."""
    with open(path) as file:
        profile = json.load(file)
    change(profile)
    path = os.path.join(folder, profile["name"] + ".json")
    with open(path, "w") as file:
        json.dump(profile, file)
    return path


def joint_profile(path, folder, units, **more):
    """A copy that promises joint progress of so many compute units."""
    return derive_profile(path, folder, lambda profile: profile.update(
        name="joint", joint_progress=True, compute_units=units, **more))


def compile_model(arguments, model, output, *more):
    if arguments.bundles:
        shutil.copy(os.path.join(arguments.bundles, arguments.precision,
                                 os.path.basename(output)), output)
        return
    targets = arguments.target or ["lavapipe"]
    command(arguments.compile, model, "-o", output, "--precision",
            arguments.precision, *more,
            *[w for t in targets for w in ("--target", t)])


def run_model(arguments, bundle, folder, inputs, outputs, *more, device=None):
    """Runs a bundle on arrays by port; returns the outputs by port."""
    words = [arguments.run, bundle, "--device", device or arguments.device]
    for number, (port, array) in enumerate(inputs.items()):
        path = os.path.join(folder, f"in{number}.npy")
        np.save(path, array)
        words += ["--input", f"{port}=@{path}"]
    paths = {port: os.path.join(folder, f"out{number}.npy")
             for number, port in enumerate(outputs)}
    for port, path in paths.items():
        words += ["--output", f"{port}=@{path}"]
    command(*words, *more)
    return {port: np.load(path) for port, path in paths.items()}


def expect_close(what, got, expected, tolerance):
    """Returns the largest difference, or raises Failure."""
    if got.shape != expected.shape:
        raise Failure(f"{what} has shape {got.shape}, expected "
                      f"{expected.shape}")
    if not got.size:
        return 0.0
    away = np.abs(got.astype(np.float64) - expected)
    if not (away <= tolerance * (1 + np.abs(expected))).all():
        at = tuple(int(i) for i in np.argwhere(
            ~(away <= tolerance * (1 + np.abs(expected))))[0])
        raise Failure(f"{what} is {got[at]} at {list(at)}, expected "
                      f"{expected[at]}; largest difference {np.nanmax(away)}")
    return float(away.max())


def expect_same_bits(name, got, expected, what):
    """Arrays of 32-bit elements; `what` says of which other run they are."""
    different = got.view(np.uint32) != expected.view(np.uint32)
    if different.any():
        raise Failure(f"{name} differs {what} in {int(different.sum())} of "
                      f"{different.size} elements")


def judge(checks):
    """Runs (name, function) pairs; prints a line each and a summary."""
    passed = failed = 0
    for name, check in checks:
        try:
            print(f"passed  {name}: {check()}", flush=True)
            passed += 1
        except Failure as failure:
            print(f"failed  {name}: {failure}", flush=True)
            failed += 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed or not passed else 0)
