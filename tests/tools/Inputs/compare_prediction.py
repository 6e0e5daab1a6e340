# SPDX-License-Identifier: Apache-2.0
"""compare_prediction.py FOLDER PRECISION STEPS: compiles each model of the
drift suite in FOLDER, measures its drift on the reference, and fails where the
report's prediction is off by more than 4x.

An error below 4 ulp of f32, in which states are handed over, is not compared.
"""

import json
import os
import subprocess
import sys

FLOOR = 4 * 2.0**-24


def run(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def compare(folder, model, precision, steps):
    path = os.path.join(folder, model["name"])
    bundle = f"{path}.{precision}.rung"
    compile_ = ["rung-compile", path + ".yaml", "--precision", precision,
                "--target", "generic"]
    if precision.startswith("int8"):
        compile_ += ["--calibrate", path + ".npz"]
    run(*compile_, "-o", bundle)
    drift = ["rung-run", "drift", bundle, "--steps", steps, "--batch", "2",
             "--device", "reference", "--inputs", model["inputs"], "--json"]
    if model["memory"]:
        drift += ["--memory", str(model["memory"])]
    with open(path + ".json", "w") as file:
        file.write(run(*drift))
    report = json.loads(run(*compile_, "--report=json", "--report-measured",
                            path + ".json"))
    compared = off = 0
    growths = [growth for layer in report["error_budget"]
               for growth in layer["growth"]]
    for growth in growths:
        predicted = {at["steps"]: at["error"] for at in growth["predictions"]}
        for measured in growth["measured"]:
            for at, error in zip(measured["steps"], measured["errors"]):
                if error < FLOOR and predicted[at] < FLOOR:
                    continue
                compared += 1
                ratio = predicted[at] / max(error, FLOOR)
                if not 0.25 < ratio < 4:
                    off += 1
                    print(f"{model['name']} {precision} after {at} steps: "
                          f"predicted {predicted[at]:.2g}, measured "
                          f"{error:.2g}")
    return compared, off


def main():
    folder, precision, steps = sys.argv[1:]
    with open(os.path.join(folder, "suite.json")) as file:
        models = json.load(file)["models"]
    results = [compare(folder, model, precision, steps) for model in models]
    assert sum(compared for compared, _ in results) >= len(models), \
        "too little was compared"
    sys.exit(1 if any(off for _, off in results) else 0)


main()
