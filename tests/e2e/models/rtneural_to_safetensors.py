#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtneural_to_safetensors.py MODEL.json OUT.safetensors

Writes the weights of an RTNeural model of dense and GRU layers under Keras's
names: dense.kernel, dense.bias, gru.kernel, gru.recurrent_kernel, gru.bias,
dense_1.kernel, …; layouts as they are in the file, which are Keras's."""

import json
import struct
import sys

NAMES = {"dense": ("dense", ["kernel", "bias"]),
         "time-distributed-dense": ("dense", ["kernel", "bias"]),
         "gru": ("gru", ["kernel", "recurrent_kernel", "bias"])}


def shape_of(value):
    return [len(value)] + shape_of(value[0]) if isinstance(value, list) else []


def flat(value):
    if isinstance(value, list):
        for item in value:
            yield from flat(item)
    else:
        yield value


def tensors(model):
    counts = {}
    for layer in model["layers"]:
        kind, parts = NAMES[layer["type"]]
        count = counts.get(kind, 0)
        counts[kind] = count + 1
        name = f"{kind}_{count}" if count else kind
        for part, value in zip(parts, layer["weights"], strict=True):
            yield f"{name}.{part}", value


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        model = json.load(file)
    table, data = {}, b""
    for name, value in tensors(model):
        numbers = list(flat(value))
        begin = len(data)
        data += struct.pack(f"<{len(numbers)}f", *numbers)
        table[name] = {"dtype": "F32", "shape": shape_of(value),
                       "data_offsets": [begin, len(data)]}
    header = json.dumps(table).encode()
    with open(sys.argv[2], "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)


if __name__ == "__main__":
    main()
