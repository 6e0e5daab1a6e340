#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch (cuDNN, cuBLAS) on the work of the rows of a suite of speed.

    bench/peers/torch_rows.py FOLDER/speed.json [--row TEXT]... >peers.json

Each row of speed.json says in "peer" what PyTorch is to do. The results, in the
rows' units, are a list of {"row", "peer", "value"} that `rung-bench speed
--peers` reads. Equal work is timed once. Medians by CUDA events; a single step
also as a CUDA graph, from host to host. cuDNN has no block-diagonal recurrence:
the same hidden size runs dense.
"""

import argparse
import json
import statistics
import sys
import time

import torch

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def device_ms(call, least=5, most=20, longest=0.6):
    """The median time of a call by the device's clock."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    times, began = [], time.perf_counter()
    while len(times) < least or (len(times) < most and
                                 time.perf_counter() - began < longest):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def host_ms(call, runs=200):
    """The median time of a call and the wait for it, by the host's clock."""
    times = []
    for i in range(runs + 20):
        began = time.perf_counter()
        call()
        torch.cuda.synchronize()
        if i >= 20:
            times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def graph_of(call):
    """The call as a CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def gru(work):
    """Milliseconds of cuDNN's GRU, by name."""
    results = {}
    # A single-precision cuDNN GRU has a kernel of its own for small sizes.
    for name, dtype in TYPES.items():
        net = torch.nn.GRU(work["input"], work["hidden"],
                           work["layers"]).to(dtype).cuda()
        net.flatten_parameters()
        x = torch.randn(work["steps"], work["batch"], work["input"],
                        device="cuda", dtype=dtype)
        h = torch.zeros(work["layers"], work["batch"], work["hidden"],
                        device="cuda", dtype=dtype)

        def call():
            net(x, h)
        if work["steps"] == 1:
            results[f"cuDNN {name}, launched"] = host_ms(call)
            results[f"cuDNN {name}, a graph"] = host_ms(graph_of(call))
        else:
            results[f"cuDNN {name}"] = device_ms(call)
    return results


def product(work):
    """Milliseconds of a matrix product, by name."""
    rows, inner, columns = work["rows"], work["inner"], work["columns"]
    if work["type"] == "s8":
        a = torch.randint(-127, 128, (rows, inner), device="cuda",
                          dtype=torch.int8)
        b = torch.randint(-127, 128, (columns, inner), device="cuda",
                          dtype=torch.int8)
        return {"torch._int_mm": device_ms(lambda: torch._int_mm(a, b.t()))}
    dtype = TYPES[work["type"]]
    a = torch.randn(rows, inner, device="cuda").to(dtype)
    b = torch.randn(columns, inner, device="cuda").to(dtype)
    return {f"cuBLAS {work['type']}": device_ms(lambda: a @ b.t())}


def in_unit(row, ms):
    if row.get("unit", "us a step").endswith("OP/s"):
        work = row["peer"]
        return (2.0 * work["rows"] * work["inner"] * work["columns"] / ms *
                1e-9)
    if row.get("unit") == "ms":
        return ms
    per = 1 if row.get("unit") == "us" else row["peer"].get("steps", 1)
    return 1000 * ms / per


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite")
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=90,
                        help="begin no further work after so many")
    a = parser.parse_args()
    with open(a.suite) as file:
        rows = [row for row in json.load(file)["rows"] if "peer" in row]
    if a.row:
        rows = [row for row in rows if
                any(t in row["name"] or t in row["group"] for t in a.row)]
    done, results, began = {}, [], time.perf_counter()
    with torch.no_grad():
        for row in rows:
            key = json.dumps(row["peer"], sort_keys=True)
            if key not in done:
                if time.perf_counter() - began > a.seconds:
                    print(f"left out: {row['name']}", file=sys.stderr)
                    continue
                work = gru if row["peer"]["kind"] == "gru" else product
                try:
                    done[key] = work(row["peer"])
                except RuntimeError as error:
                    print(f"{row['name']}: {str(error).splitlines()[0]}",
                          file=sys.stderr)
                    done[key] = {}
            results += [{"row": row["name"], "peer": name,
                         "value": in_unit(row, ms)}
                        for name, ms in done[key].items()]
    json.dump(results, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
