# SPDX-License-Identifier: Apache-2.0
"""The network of cat_chat, and its weights as Rung reads them.

Embedding, three layers of (RMSNorm, block-diagonal GRU), RMSNorm, linear.
A GRU whose recurrent matrix is block-diagonal while its input matrix is full
is one small GRU a head side by side, so that is how it is trained: cuDNN has
kernels for those.

In training z is the share that the old state keeps, as in PyTorch. The file
holds the other polarity (`update: take`, z the share that the candidate
takes): sigmoid(-a) = 1 - sigmoid(a), so the rows of z are negated.
"""

import json
import math
import os
import struct

import torch
from torch import nn

HEAD = 64
EPSILON = 1e-5


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        scale = torch.rsqrt(x.square().mean(-1, keepdim=True) + EPSILON)
        return x * scale * self.weight


class BlockDiagonalGRU(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.heads = nn.ModuleList(
            nn.GRU(width, HEAD) for _ in range(width // HEAD))
        self.concurrent = False
        for gru in self.heads:
            # Gates that remember from 1 to some 600 steps to begin with.
            span = torch.empty(HEAD).uniform_(0, math.log(600)).exp()
            with torch.no_grad():
                gru.bias_ih_l0.zero_()
                gru.bias_hh_l0.zero_()
                gru.bias_ih_l0[HEAD:2 * HEAD] = span.log()
                for block in gru.weight_hh_l0.view(3, HEAD, HEAD):
                    nn.init.orthogonal_(block)

    def forward(self, x, state=None):
        """x [T, B, D], state [B, D] or None; returns all states [T, B, D]."""
        parts = [None] * len(self.heads)
        if state is not None:
            parts = [h[None].contiguous() for h in state.split(HEAD, -1)]
        if not (self.concurrent and x.is_cuda):
            outputs = [g(x, h)[0] for g, h in zip(self.heads, parts)]
            return torch.cat(outputs, -1)
        return torch.cat(self.on_streams(x, parts), -1)

    def on_streams(self, x, parts):
        """Every head on a stream of its own; one head fills no GPU."""
        main, outputs = torch.cuda.current_stream(), []
        for index, (gru, h) in enumerate(zip(self.heads, parts)):
            stream = stream_of(index)
            stream.wait_stream(main)
            with torch.cuda.stream(stream):
                y = gru(x, h)[0]
            x.record_stream(stream)
            y.record_stream(main)
            outputs.append(y)
        for index in range(len(self.heads)):
            main.wait_stream(stream_of(index))
        return outputs


_streams = []


def stream_of(index):
    while len(_streams) <= index:
        _streams.append(torch.cuda.Stream())
    return _streams[index]


class CatChat(nn.Module):
    def __init__(self, symbols, width, layers=3):
        super().__init__()
        self.embedding = nn.Embedding(symbols, width)
        self.norms = nn.ModuleList(RMSNorm(width) for _ in range(layers))
        self.grus = nn.ModuleList(
            BlockDiagonalGRU(width) for _ in range(layers))
        self.norm = RMSNorm(width)
        self.head = nn.Linear(width, symbols)

    def forward(self, ids, states=None):
        """ids [T, B]; returns logits [T, B, V] and, a layer, all states."""
        x, kept = self.embedding(ids), []
        for index, (norm, gru) in enumerate(zip(self.norms, self.grus)):
            x = gru(norm(x), None if states is None else states[index])
            kept.append(x)
        return self.head(self.norm(x)), kept


def exported(model):
    """Name -> float32 tensor, as cat_chat.yaml names them."""
    tensors = {"embedding.weight": model.embedding.weight}
    for k, (norm, gru) in enumerate(zip(model.norms, model.grus)):
        tensors[f"layers.{k}.norm.weight"] = norm.weight
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            # [3, rows of a head, ...] a head, stacked gate by gate.
            blocks = [getattr(g, name + "_l0").unflatten(0, (3, HEAD))
                      for g in gru.heads]
            stacked = torch.stack(blocks, 1).clone()
            stacked[1].neg_()
            tensors[f"layers.{k}.gru.{name}"] = stacked.flatten(0, 2)
    tensors["norm.weight"] = model.norm.weight
    tensors["head.weight"] = model.head.weight
    tensors["head.bias"] = model.head.bias
    return {name: t.detach().float().cpu().contiguous()
            for name, t in tensors.items()}


@torch.no_grad()
def restore(model, path):
    """Sets a model's parameters from a file that `save` wrote."""
    tensors = read_safetensors(path)
    model.embedding.weight.copy_(tensors["embedding.weight"])
    for k, (norm, gru) in enumerate(zip(model.norms, model.grus)):
        norm.weight.copy_(tensors[f"layers.{k}.norm.weight"])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            stacked = tensors[f"layers.{k}.gru.{name}"].clone()
            stacked = stacked.unflatten(0, (3, len(gru.heads), HEAD))
            stacked[1].neg_()
            for index, head in enumerate(gru.heads):
                getattr(head, name + "_l0").copy_(
                    stacked[:, index].flatten(0, 1))
    model.norm.weight.copy_(tensors["norm.weight"])
    model.head.weight.copy_(tensors["head.weight"])
    model.head.bias.copy_(tensors["head.bias"])


def save(model, path):
    """Writes a safetensors file, which appears only when it is complete."""
    header, offset, tensors = {}, 0, exported(model)
    for name, tensor in tensors.items():
        size = tensor.numel() * 4
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 64)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.numpy().astype("<f4").tobytes())
    os.replace(path + ".part", path)


def read_safetensors(path):
    with open(path, "rb") as file:
        [size] = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), bytearray(file.read())
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(data, dtype=torch.float32,
                                   count=math.prod(entry["shape"]),
                                   offset=entry["data_offsets"][0])
            .reshape(entry["shape"]) for name, entry in header.items()}
