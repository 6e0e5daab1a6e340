# SPDX-License-Identifier: Apache-2.0
"""Cases that Keras computes, in float64 (TensorFlow backend).

Debian has no Keras. `make_vectors.py keras` runs where there is one, say in a
virtual environment with `pip install tensorflow-cpu`.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras
import numpy as np

from case import Gru

TOOL = f"Keras {keras.__version__} ({keras.backend.backend()})"
HARD_SIGMOID = ("hard_sigmoid", 1 / 6, 0.5)  # Keras 3's: x / 6 + 0.5


def grus():
    def gru(name, about, **sizes):
        return Gru(f"keras_{name}", about, convention="keras", **sizes)
    yield gru("after", "reset after, bias [2, 3H]", input=3, hidden=5,
              batch=3, steps=7, initial=True)
    yield gru("before", "reset before, bias [3H]", input=3, hidden=5, batch=3,
              steps=7, reset="before", biases=1, initial=True)
    yield gru("h20", "H and B just over a tile", input=13, hidden=20,
              batch=17, steps=33)
    yield gru("no_bias", "no biases", input=1, hidden=8, batch=3, steps=7,
              biases=0)
    yield gru("before_no_bias", "reset before, no biases", input=3, hidden=8,
              batch=3, steps=2, reset="before", biases=0)
    yield gru("hard_sigmoid", "Keras 3's hard sigmoid", input=3, hidden=5,
              batch=3, steps=7,
              activations=[HARD_SIGMOID, ("tanh", None, None)])
    yield gru("before_relu", "reset before, g relu", input=3, hidden=5,
              batch=3, steps=7, reset="before", biases=1,
              activations=[("sigmoid", None, None), ("relu", None, None)])
    yield gru("backwards", "go_backwards, its outputs put back in time order",
              input=3, hidden=5, batch=3, steps=7, direction="reverse",
              initial=True)
    yield gru("bidirectional", "two directions", input=3, hidden=5, batch=3,
              steps=7, direction="bidirectional", initial=True)


def compute(gru):
    f, g = gru.parameters[0][0]["activations"]
    layer = keras.layers.GRU(
        gru.hidden, activation=g[0], recurrent_activation=f[0],
        use_bias=gru.biases > 0, reset_after=gru.reset == "after",
        return_sequences=True, return_state=True,
        go_backwards=gru.direction == "reverse", dtype="float64")
    if gru.direction == "bidirectional":
        layer = keras.layers.Bidirectional(layer, dtype="float64")
    layer.build((gru.batch, gru.steps, gru.input))
    layer.set_weights([w.astype(np.float64) for w in gru.keras().values()])
    initial = [state.astype(np.float64) for state in gru.states[0]]
    y, *finals = layer(gru.x.astype(np.float64).transpose(1, 0, 2),
                       initial_state=initial)
    y = keras.ops.convert_to_numpy(y).transpose(1, 0, 2)
    if gru.direction == "reverse":
        y = y[::-1]
    return y, [[keras.ops.convert_to_numpy(final) for final in finals]]


def cases():
    for gru in grus():
        yield gru.name, lambda gru=gru: gru.case(TOOL, *compute(gru))
