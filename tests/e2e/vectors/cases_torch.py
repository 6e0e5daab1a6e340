# SPDX-License-Identifier: Apache-2.0
"""Cases that PyTorch computes, in float64."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils import rnn

from case import Case, Gru, generator

TOOL = f"PyTorch {torch.__version__.split('+')[0]}"


def grus():
    def gru(name, about, **sizes):
        sizes.setdefault("convention", "pytorch")
        return Gru(f"torch_{name}", about, **sizes)
    return [
        gru("one", "everything is 1", input=1, hidden=1, batch=1, steps=1),
        gru("h1", "H 1 over many steps", input=3, hidden=1, batch=3, steps=33,
            initial=True),
        gru("h5", "H no multiple of any tile", input=2, hidden=5, batch=3,
            steps=7),
        gru("h20", "H and B just over a tile", input=13, hidden=20, batch=17,
            steps=33, initial=True),
        gru("h64", "a whole number of tiles", input=4, hidden=64, batch=16,
            steps=7, initial=True),
        gru("h154", "H no multiple of 4", input=3, hidden=154, batch=3,
            steps=2, initial=True),
        gru("b1", "one row", input=8, hidden=20, batch=1, steps=33),
        gru("no_bias", "no biases", input=3, hidden=20, batch=3, steps=7,
            biases=0),
        gru("one_bias", "the input's bias alone, names one by one", input=3,
            hidden=20, batch=3, steps=7, biases=1, convention="names"),
        gru("names", "weights named one by one", input=3, hidden=5, batch=3,
            steps=2, convention="names"),
        gru("lengths", "rows of many lengths", input=3, hidden=5, batch=16,
            steps=7, lengths=[7, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1, 7, 1],
            initial=True),
        gru("bidirectional", "two directions", input=3, hidden=5, batch=3,
            steps=7, direction="bidirectional", initial=True),
        gru("bidirectional_lengths", "each row backwards from its own end",
            input=3, hidden=20, batch=3, steps=7, direction="bidirectional",
            lengths=[2, 7, 5], initial=True),
        gru("layers2", "two layers", input=3, hidden=20, batch=3, steps=7,
            layers=2, initial=True),
        gru("layers3", "three layers without a given state", input=1,
            hidden=8, batch=17, steps=33, layers=3),
        gru("layers2_bidirectional_lengths", "all of it at once", input=3,
            hidden=5, batch=3, steps=7, layers=2, direction="bidirectional",
            lengths=[7, 1, 4], initial=True),
        gru("heads", "block-diagonal: heads are GRUs side by side", input=20,
            hidden=20, batch=3, steps=7, heads=4, initial=True),
        gru("heads_take", "the same with z's rows negated", input=10,
            hidden=128, batch=3, steps=33, heads=2, update="take",
            initial=True),
        gru("heads_layers", "layers of heads", input=6, hidden=12, batch=3,
            steps=7, heads=3, layers=3, initial=True),
    ]


@torch.no_grad()
def compute(gru):
    """Runs layer after layer, head beside head, so that every `Gru` with
    reset after, sigmoid and tanh can be computed."""
    x = torch.from_numpy(gru.x).double()
    finals = []
    dh = gru.hidden // gru.heads
    for parameters, states in zip(gru.parameters, gru.states):
        outputs, layer_finals = [], []
        for head in range(gru.heads):
            module = nn.GRU(x.shape[-1], dh,
                            bidirectional=len(parameters) == 2).double()
            for p, end in zip(parameters, ("", "_reverse")):
                load(gru, module, p, head, "_l0" + end)
            h0 = torch.stack([torch.from_numpy(s).double().view(
                -1, gru.heads, dh)[:, head] for s in states])
            fed = x
            if gru.lengths:
                fed = rnn.pack_padded_sequence(x, gru.lengths,
                                               enforce_sorted=False)
            y, final = module(fed, h0)
            if gru.lengths:
                y, _ = rnn.pad_packed_sequence(y, total_length=gru.steps)
            outputs.append(y.unflatten(-1, (len(parameters), dh)))
            layer_finals.append(final)
        x = torch.stack(outputs, -2).flatten(2)
        finals.append(list(torch.cat(layer_finals, -1).numpy()))
    return x.numpy(), finals


def load(gru, module, p, head, end):
    dh = gru.hidden // gru.heads

    def rows(name, per_head):
        tensor = torch.from_numpy(p[name].copy()).double()
        z, r, n = (tensor[head] if per_head else tensor.unflatten(
            0, (3, gru.heads, dh))[:, head].flatten(0, 1)).split(dh)
        return torch.cat([r, -z if gru.update == "take" else z, n])
    module.get_parameter("weight_ih" + end).copy_(rows("w", False))
    module.get_parameter("weight_hh" + end).copy_(rows("u", True))
    module.get_parameter("bias_ih" + end).copy_(rows("bw", False))
    module.get_parameter("bias_hh" + end).copy_(rows("bu", False))


def layer(name, about, inputs, layers, tensors, data, outputs):
    """A case of layers other than GRUs; `outputs`: port -> (value, array)."""
    text = ["rung: 1", f"name: {name}"]
    if tensors:
        text.append("weights: weights.safetensors")
    text += ["functions:", "  run:", "    inputs:"]
    text += [f"      {k}: {v}" for k, v in inputs.items()]
    text += ["    layers:"] + [f"      - {{{line}}}" for line in layers]
    ports = ", ".join(f"{k}: {v}" for k, (v, _) in outputs.items())
    text += [f"    outputs: {{{ports}}}"]
    return Case(name, TOOL, about, "\n".join(text) + "\n",
                {k: v.numpy().astype(np.float32) for k, v in tensors.items()},
                {k: v.numpy() for k, v in data.items()},
                {k: v.numpy() for k, (_, v) in outputs.items()})


def f32(width):
    return f"{{type: f32, shape: [T, B, {width}]}}"


def embeddings(tensor):
    ids = torch.tensor([[0, 6, 3], [5, 1, 6]], dtype=torch.int32)
    table = tensor(7, 5)
    yield layer("embedding", "sizes of 7 and 5",
                {"ids": "{type: i32, shape: [T, B]}"},
                ["name: y, op: embedding, input: ids, weight: table"],
                {"table": table}, {"ids": ids},
                {"y": ("y", functional.embedding(ids.long(), table))})
    wide = torch.tensor([[-1, 7, -2147483648, 2147483647, 3]],
                        dtype=torch.int32)
    yield layer("embedding_clamp", "ids outside the table are clamped to it",
                {"ids": "{type: i32, shape: [T, B]}"},
                ["name: y, op: embedding, input: ids, weight: table"],
                {"table": table}, {"ids": wide},
                {"y": ("y", functional.embedding(wide.long().clamp(0, 6),
                                                 table))})


def linears(tensor):
    for inputs, outputs, bias, steps, batch in (
            (1, 1, True, 1, 1), (5, 3, False, 7, 3), (34, 101, True, 2, 17),
            (64, 64, True, 3, 16), (3, 154, False, 1, 1),
            (20, 1, True, 33, 3)):
        weight = tensor(outputs, inputs) / inputs ** 0.5
        tensors, line = {"weight": weight}, "name: y, op: linear, input: x, "
        line += "weight: weight"
        if bias:
            tensors["bias"] = tensor(outputs)
            line += ", bias: bias"
        x = tensor(steps, batch, inputs)
        y = functional.linear(x.double(), weight.double(),
                              tensors["bias"].double() if bias else None)
        yield layer(f"linear_{inputs}x{outputs}",
                    f"{inputs} to {outputs}, {'a' if bias else 'no'} bias",
                    {"x": f32(inputs)}, [line], tensors, {"x": x},
                    {"y": ("y", y)})


def normalizations(tensor):
    for width, epsilon in ((1, 1e-5), (5, 1e-5), (64, 1e-2), (154, 1e-6)):
        x, scale = 3 * tensor(7, 3, width), tensor(width)
        x[0, 0] = 0  # a row whose mean square is 0
        y = functional.rms_norm(x.double(), [width], scale.double(), epsilon)
        yield layer(f"rms_norm_{width}", f"width {width}, epsilon {epsilon}",
                    {"x": f32(width)},
                    ["name: y, op: rms_norm, input: x, weight: scale, "
                     f"epsilon: {epsilon:f}"],
                    {"scale": scale}, {"x": x}, {"y": ("y", y)})
    for width in (1, 7, 101):
        x = 4 * tensor(7, 3, width)
        x[0, 0] += 1e4    # exp of the plain value is infinite
        x[1, 1] -= 1e4    # and 0 here
        x[2, 2] = 2.5     # all alike
        yield layer(f"softmax_{width}", f"width {width}, large values too",
                    {"x": f32(width)}, ["name: y, op: softmax, input: x"],
                    {}, {"x": x}, {"y": ("y", x.double().softmax(-1))})


def argmaxes(tensor):
    for width in (1, 7, 101):
        x = tensor(7, 3, width)
        x[0, 0] = 0.0
        x[1, 1, width // 2:] = 9.0
        x[2, 2] = -float("inf")
        # Ties go to the lowest index, which torch does not promise.
        top = x.max(-1, keepdim=True).values
        index = torch.arange(width).expand_as(x)
        y = torch.where(x == top, index, width).min(-1).values.int()
        yield layer(f"argmax_{width}", f"width {width}; ties: lowest index",
                    {"x": f32(width)}, ["name: y, op: argmax, input: x"], {},
                    {"x": x}, {"y": ("y", y)})


def pointwise(tensor):
    x, y = 2 * tensor(3, 5, 7), tensor(3, 5, 7)
    wide, narrow = x.double(), y.double()
    functions = {
        "sigmoid": wide.sigmoid(), "tanh": wide.tanh(), "relu": wide.relu(),
        "leaky_relu": functional.leaky_relu(wide, 0.01),
        "elu": functional.elu(wide), "softsign": functional.softsign(wide),
        "softplus": functional.softplus(wide),
        "hard_sigmoid": (0.2 * wide + 0.5).clamp(0, 1), "identity": wide,
        "thresholded_relu": functional.threshold(wide, 1.0, 0.0)}
    yield layer("activations", "each function that has its defaults",
                {"x": f32(7)},
                [f"name: {f}, op: activation, input: x, function: {f}"
                 for f in functions], {}, {"x": x},
                {f: (f, value) for f, value in functions.items()})
    yield layer("add_concat", "two inputs joined both ways",
                {"a": f32(7), "b": f32(7)},
                ["name: sum, op: add, inputs: [a, b]",
                 "name: both, op: concat, inputs: [sum, a, b]"], {},
                {"a": x, "b": y},
                {"sum": ("sum", wide + narrow),
                 "both": ("both", torch.cat([wide + narrow, wide, narrow],
                                            -1))})


def network():
    """A character model in small: every layer of models/cat_chat. The first
    in which no two scores are so close that a precision could swap them."""
    return next(case for case in map(network_of, range(1000)) if case)


@torch.no_grad()
def network_of(seed):
    gru = Gru("network", "a character model in small", input=32, hidden=32,
              batch=3, steps=7, heads=2, update="take", initial=True,
              convention="pytorch")
    random = generator(f"layers of network {seed}")

    def tensor(*shape):
        return torch.from_numpy(
            random.standard_normal(shape).astype(np.float32))
    tensors = {"table": tensor(11, 32), "scale": tensor(32).abs(),
               "weight": tensor(11, 32) / 4, "bias": tensor(11)}
    ids = torch.from_numpy(random.integers(0, 11, (7, 3)).astype(np.int32))
    wide = {k: v.double() for k, v in tensors.items()}

    def norm(x):
        return functional.rms_norm(x, [32], wide["scale"], 1e-5)
    gru.x = norm(wide["table"][ids.long()]).numpy()
    y, [[final]] = compute(gru)
    logits = functional.linear(norm(torch.from_numpy(y)), wide["weight"],
                               wide["bias"])
    top = logits.topk(2, -1).values
    if (top[..., 0] - top[..., 1]).min() < 0.2:
        return None
    scale = "weight: scale, epsilon: 0.00001"
    case = layer(
        gru.name, gru.about, {"ids": "{type: i32, shape: [T, B]}"},
        ["name: letters, op: embedding, input: ids, weight: table",
         f"name: norm0, op: rms_norm, {scale}",
         "name: cell, op: gru, hidden: 32, heads: 2, reset: after, "
         "update: take, weights: {convention: pytorch, prefix: cell.}, "
         "state: h",
         f"name: norm1, op: rms_norm, {scale}",
         "name: scores, op: linear, weight: weight, bias: bias",
         "name: share, op: softmax, input: scores",
         "name: next, op: argmax, input: scores"],
        tensors, {"ids": ids},
        {"y": ("scores", logits), "share": ("share", logits.softmax(-1)),
         "token": ("next", logits.argmax(-1).int())})
    case.weights.update(gru.pytorch())
    case.inputs["h"] = gru.states[0][0]
    case.expects["h"] = final
    return case


def cases():
    yield "network", network
    for gru in grus():
        yield gru.name, lambda gru=gru: gru.case(TOOL, *compute(gru))
    for make in (embeddings, linears, normalizations, argmaxes, pointwise):
        random = generator(make.__name__)

        def tensor(*shape, random=random):
            return torch.from_numpy(
                random.standard_normal(shape).astype(np.float32))
        for case in make(tensor):
            yield case.name, lambda case=case: case
