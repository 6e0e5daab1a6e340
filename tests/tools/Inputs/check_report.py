# SPDX-License-Identifier: Apache-2.0
"""check_report.py REPORT.json: the report of two_heads at fp32, 100 steps of 3
rows, 60000 bytes for activations: 5 inputs, 32 units, 2 heads."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)

assert report["model"] == "two_heads" and report["precision"] == "fp32"
assert (report["steps"], report["batch"]) == (100, 3)
assert report["limit_bytes"] == 120000
assert report["stayed_float"] == []

(layer,) = report["error_budget"]
assert (layer["layer"], layer["function"]) == ("cell", "run")
assert (layer["heads"], layer["width"]) == (2, 32)
rounded = {item["op"]: item["per_unit"] for item in layer["roundings"]}
assert rounded["rnn.dot"] == 3 and rounded["math.tanh"] == 1, rounded
assert all(item["ulp"] == 2.0**-23 for item in layer["roundings"])
assert [growth["input"] for growth in layer["growth"]] == ["new", "slow"]
for growth in layer["growth"]:
    steps = [at["steps"] for at in growth["predictions"]]
    assert steps == [1, 16, 256, 1024, 4096, 16384]
    for at in growth["predictions"]:
        assert 0 < at["error"] < 1e-6 and 0 < at["state_rms"] < 1
        squares = sum(part["error"] ** 2 for part in at["parts"].values())
        assert abs(squares - at["error"] ** 2) < 1e-9 * squares

linear, recurrent = report["costs"]
assert (linear["part"], linear["operations"]) == ("input", 2 * 96 * 5)
assert linear["bytes"] == 4 * (5 + 96) and linear["weight_bytes"] == 4 * 96 * 5
assert (recurrent["part"], recurrent["operations"]) == ("recurrent", 6 * 32 * 16)
assert recurrent["bytes"] == 4 * (96 + 32)

times = {time["profile"]: time for time in report["times"]}
assert times["lavapipe"]["operation_seconds"] is None

(memory,) = report["memory"]
per_step = 3 * 4 * (5 + 96 + 32)
assert memory["activation_bytes_per_step"] == per_step
assert memory["activation_bytes"] == 100 * per_step
assert memory["state_bytes"] == 3 * 4 * 32
assert memory["port_bytes"] == 100 * 3 * 4 * (5 + 32)
kept = memory["weight_bytes"] + memory["state_bytes"] + memory["port_bytes"]
steps = 100
while kept + 3 * 4 * 96 * steps * (2 if steps < 100 else 1) > 120000:
    steps //= 2
assert memory["segments"] == -(-100 // steps) == 4, memory
assert memory["total_bytes"] == kept + 2 * 3 * 4 * 96 * steps, memory
