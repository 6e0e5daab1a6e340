#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the test vectors beside it, and the table of README.md.

    scripts/environment.sh --train python3 tests/e2e/vectors/make_vectors.py
    VENV/bin/python tests/e2e/vectors/make_vectors.py keras

Without arguments: all that the environment's packages can make (torch, onnx,
hand). What another tool made stays as it is.
"""

import argparse
import importlib
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MAKERS = ["torch", "onnx", "keras", "hand"]
BEGIN, END = "<!-- cases -->\n", "<!-- end -->\n"


def table():
    rows = ["| case | right by | for |", "| --- | --- | --- |"]
    for name in sorted(os.listdir(HERE)):
        path = os.path.join(HERE, name, "data.npz")
        if os.path.exists(path):
            with np.load(path) as data:
                rows.append(f"| {name} | {data['made_by']} | "
                            f"{data['about']} |")
    return "\n".join(rows) + "\n"


def write_table():
    path = os.path.join(HERE, "README.md")
    with open(path) as file:
        before, _, rest = file.read().partition(BEGIN)
    _, _, after = rest.partition(END)
    with open(path, "w") as file:
        file.write(before + BEGIN + table() + END + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("makers", nargs="*",
                        help=f"of {', '.join(MAKERS)}; default all but keras")
    makers = parser.parse_args().makers or ["torch", "onnx", "hand"]
    for maker in makers:
        if maker not in MAKERS:
            parser.error(f"'{maker}' is none of {', '.join(MAKERS)}")
    sys.path.insert(0, HERE)
    for maker in makers:
        count = 0
        for name, make in importlib.import_module(f"cases_{maker}").cases():
            make().write(HERE)
            count += 1
        print(f"{maker}: {count} cases")
    write_table()


if __name__ == "__main__":
    main()
