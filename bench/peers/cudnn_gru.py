#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times cuDNN's GRU, by PyTorch, on one layer.

    bench/peers/cudnn_gru.py --hidden 2048 --input 64 --batch 1 --steps 1024

Prints the median device time of a run and of a step for f32, f16 and bf16.
cuDNN has no block-diagonal recurrence: the same hidden size is run dense, which
is what its users do, with the off-diagonal blocks at zero.
"""

import argparse
import json
import statistics

import torch


def time_gru(arguments, dtype):
    gru = torch.nn.GRU(arguments.input, arguments.hidden).cuda().to(dtype)
    x = torch.randn(arguments.steps, arguments.batch, arguments.input,
                    device="cuda", dtype=dtype)
    h = torch.zeros(1, arguments.batch, arguments.hidden, device="cuda",
                    dtype=dtype)
    times = []
    with torch.no_grad():
        for i in range(arguments.warmup + arguments.repeat):
            begin, end = (torch.cuda.Event(enable_timing=True)
                          for _ in range(2))
            begin.record()
            gru(x, h)
            end.record()
            torch.cuda.synchronize()
            if i >= arguments.warmup:
                times.append(begin.elapsed_time(end))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in (("hidden", None), ("input", 64), ("batch", 1),
                          ("steps", 1024), ("repeat", 10), ("warmup", 3)):
        parser.add_argument("--" + name, type=int, default=default,
                            required=default is None)
    arguments = parser.parse_args()
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        ms = time_gru(arguments, dtype)
        print(json.dumps({
            "peer": "cudnn", "dtype": str(dtype).removeprefix("torch."),
            "hidden": arguments.hidden, "input": arguments.input,
            "batch": arguments.batch, "steps": arguments.steps,
            "ms": round(ms, 4),
            "us_a_step": round(1000 * ms / arguments.steps, 3)}), flush=True)


if __name__ == "__main__":
    main()
