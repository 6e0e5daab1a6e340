# SPDX-License-Identifier: Apache-2.0
"""write_two_heads.py FILE: the weights of two_heads.yaml, small made-up numbers."""

import json
import math
import struct
import sys

SHAPES = {"input": [96, 5], "recurrent": [2, 48, 16], "input_bias": [96],
          "recurrent_bias": [96]}

table, data = {}, b""
for name, shape in SHAPES.items():
    count = math.prod(shape)
    begin = len(data)
    values = ((i * 37 % 101 - 50) / 256 for i in range(count))
    data += struct.pack(f"<{count}f", *values)
    table[name] = {"dtype": "F32", "shape": shape,
                   "data_offsets": [begin, len(data)]}
header = json.dumps(table).encode()
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + data)
