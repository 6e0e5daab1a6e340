# SPDX-License-Identifier: Apache-2.0
"""The recurrent cell in float64, written from its equations alone.

Slow and plain on purpose: one row, one step, one head at a time. It makes the
vectors that no other tool can, and every vector from another tool is held
against it before it is written.
"""

import numpy as np

# ONNX's definitions; alpha and beta default as there.
DEFAULTS = {"affine": (1.0, 0.0), "leaky_relu": (0.01, None),
            "thresholded_relu": (1.0, None), "scaled_tanh": (1.0, 1.0),
            "hard_sigmoid": (0.2, 0.5), "elu": (1.0, None)}


def activate(activation, v):
    name, a, b = activation
    default = DEFAULTS.get(name, (None, None))
    a = default[0] if a is None else a
    b = default[1] if b is None else b
    return {
        "sigmoid": lambda: np.exp(-np.logaddexp(0, -v)),
        "tanh": lambda: np.tanh(v),
        "relu": lambda: np.maximum(0, v),
        "affine": lambda: a * v + b,
        "leaky_relu": lambda: np.where(v >= 0, v, a * v),
        "thresholded_relu": lambda: np.where(v > a, v, 0),
        "scaled_tanh": lambda: a * np.tanh(b * v),
        "hard_sigmoid": lambda: np.clip(a * v + b, 0, 1),
        "elu": lambda: np.where(v >= 0, v, a * np.expm1(np.minimum(v, 0))),
        "softsign": lambda: v / (1 + np.abs(v)),
        "softplus": lambda: np.logaddexp(0, v),
        "identity": lambda: v,
    }[name]()


def recurrent(u, h):
    """u [heads, dh, dh] times h [heads * dh], head by head."""
    heads, dh, _ = u.shape
    return np.concatenate(
        [u[k] @ h[k * dh:(k + 1) * dh] for k in range(heads)])


def step(gru, p, x, h):
    """One step of one row: x [I], h [H] -> h' [H]."""
    width = h.size
    limit = np.inf if gru.clip is None else gru.clip
    f, g = p["activations"]
    w = p["w"].astype(np.float64).reshape(3, width, -1)
    bw = p["bw"].astype(np.float64).reshape(3, width)
    bu = p["bu"].astype(np.float64).reshape(3, width)
    heads, rows, dh = p["u"].shape
    u = p["u"].astype(np.float64).reshape(heads, 3, dh, dh)

    def gate(index, function, product):
        a = w[index] @ x + bw[index] + product
        return activate(function, np.clip(a, -limit, limit))
    z = gate(0, f, recurrent(u[:, 0], h) + bu[0])
    r = gate(1, f, recurrent(u[:, 1], h) + bu[1])
    if gru.reset == "before":
        n = gate(2, g, recurrent(u[:, 2], r * h) + bu[2])
    else:
        n = gate(2, g, r * (recurrent(u[:, 2], h) + bu[2]))
    return z * h + (1 - z) * n if gru.update == "keep" else (
        (1 - z) * h + z * n)


def direction(gru, p, x, h0, lengths, backward):
    """x [T, B, I] -> y [T, B, H] and the final states [B, H]."""
    y = np.zeros(x.shape[:2] + (h0.shape[1],))
    final = h0.astype(np.float64).copy()
    for row, length in enumerate(lengths):
        times = range(length)
        for t in reversed(times) if backward else times:
            final[row] = step(gru, p, x[t, row], final[row])
            y[t, row] = final[row]
    return y, final


def run(gru, layers, x, states, lengths):
    """`layers[k][d]`: parameters of layer k, direction d; `states` alike.
    Returns y and the final states, alike."""
    finals = []
    for parameters, initial in zip(layers, states):
        results = []
        for d, (p, h0) in enumerate(zip(parameters, initial)):
            backward = d == 1 or gru.direction == "reverse"
            results.append(direction(gru, p, x, h0, lengths, backward))
        x = np.concatenate([y for y, _ in results], -1)
        finals.append([final for _, final in results])
    return x, finals
