# SPDX-License-Identifier: Apache-2.0
"""write_safetensors.py FILE NAME=SHAPE…: F32 tensors, SHAPE as in 24,8;
element i of each is i / 100."""

import json
import math
import struct
import sys

table, data = {}, b""
for argument in sys.argv[2:]:
    name, shape = argument.split("=")
    sizes = [int(size) for size in shape.split(",")]
    count = math.prod(sizes)
    begin = len(data)
    data += struct.pack(f"<{count}f", *(i / 100 for i in range(count)))
    table[name] = {"dtype": "F32", "shape": sizes,
                   "data_offsets": [begin, len(data)]}
header = json.dumps(table).encode()
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + data)
