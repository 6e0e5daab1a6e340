# SPDX-License-Identifier: Apache-2.0
"""Writes safetensors files: what the scripts that make models share.

The format (huggingface.co/docs/safetensors): the header's length as a
little-endian u64, the header as JSON padded to 8 bytes, the tensors' bytes.
"""

import json
import struct

import numpy as np


def write_safetensors(path, tensors):
    """Writes arrays by name, as float32."""
    header, offset, arrays = {}, 0, []
    for name, values in tensors.items():
        array = np.ascontiguousarray(values, dtype=np.float32)
        header[name] = {"dtype": "F32", "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
        arrays.append(array)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays:
            file.write(array.tobytes())
