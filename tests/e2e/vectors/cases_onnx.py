# SPDX-License-Identifier: Apache-2.0
"""Cases that ONNX Runtime computes, in float32."""

import contextlib
import os

import numpy as np

import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from case import Gru

TOOL = f"ONNX Runtime {onnxruntime.__version__}"


def grus():
    def gru(name, about, **sizes):
        return Gru(f"onnx_{name}", about, convention="onnx", **sizes)
    small = dict(input=3, hidden=5, batch=3, steps=7, initial=True)
    both = dict(small, direction="bidirectional")
    sigmoid, tanh = ("sigmoid", None, None), ("tanh", None, None)
    yield gru("before", "reset before", reset="before", **small)
    yield gru("before_h20", "reset before, H and B just over a tile",
              input=13, hidden=20, batch=17, steps=33, reset="before")
    yield gru("before_h64", "reset before, whole tiles", input=8, hidden=64,
              batch=16, steps=7, reset="before", initial=True)
    yield gru("before_h1", "reset before, H 1", input=1, hidden=1, batch=1,
              steps=33, reset="before")
    yield gru("before_no_bias", "reset before, no biases", reset="before",
              biases=0, **small)
    yield gru("after", "reset after", reset="after", **small)
    yield gru("reverse", "backwards", direction="reverse", **small)
    yield gru("reverse_before", "backwards, reset before", reset="before",
              direction="reverse", **small)
    yield gru("lengths", "rows of many lengths", reset="before",
              lengths=[3, 7, 1], **small)
    yield gru("reverse_lengths", "each row backwards from its own end",
              direction="reverse", lengths=[3, 7, 1], **small)
    yield gru("bidirectional_lengths", "both directions, reset before",
              reset="before", lengths=[7, 2, 4], **both)
    yield gru("clip", "clipped activation inputs", clip=0.25, **small)
    yield gru("clip_before", "clipped, reset before", clip=0.25,
              reset="before", **small)
    for f, g in (
            (("hard_sigmoid", None, None), tanh),
            (("hard_sigmoid", 0.3, 0.4), ("leaky_relu", 0.1, None)),
            (("hard_sigmoid", 1 / 6, 0.5), ("relu", None, None)),
            (sigmoid, ("scaled_tanh", 0.8, 0.6)),
            (sigmoid, ("softsign", None, None)),
            (sigmoid, ("elu", 0.7, None)),
            (sigmoid, ("softplus", None, None)),
            (sigmoid, ("thresholded_relu", 0.3, None)),
            (("affine", 0.2, 0.4), tanh),
            (("tanh", None, None), ("sigmoid", None, None)),
            (("softsign", None, None), ("affine", 0.5, 0.1))):
        for reset in ("after", "before"):
            yield gru(f"{f[0]}_{g[0]}_{reset}", f"f {f[0]}, g {g[0]}",
                      activations=[f, g], reset=reset, **small)
    yield gru("four_activations", "other functions in each direction",
              activations=[sigmoid, ("elu", 0.7, None),
                           ("hard_sigmoid", 0.3, 0.4), tanh], **both)


@contextlib.contextmanager
def silence():
    """Debian's onnx and onnxruntime share one library of operator schemas;
    each time both use it, it complains a thousand times that it is filled."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def onnx_name(name):
    return "".join(part.capitalize() for part in name.split("_"))


def compute(gru):
    tensors = {name.split(".")[1]: tensor
               for name, tensor in gru.onnx().items()}
    directions = len(gru.parameters[0])
    feeds = {"X": gru.x}
    value = helper.make_tensor_value_info
    inputs = [value("X", TensorProto.FLOAT, ["T", "N", gru.input])]
    if gru.lengths:
        feeds["lens"] = np.array(gru.lengths, np.int32)
        inputs.append(value("lens", TensorProto.INT32, ["N"]))
    feeds["h0"] = np.stack(gru.states[0])
    inputs.append(value("h0", TensorProto.FLOAT, ["D", "N", gru.hidden]))
    attributes = dict(hidden_size=gru.hidden, direction=gru.direction,
                      linear_before_reset=int(gru.reset == "after"))
    if gru.clip is not None:
        attributes["clip"] = gru.clip
    if gru.activations:
        attributes["activations"] = [onnx_name(a) for a, _, _
                                     in gru.activations]
        # One entry a function; those that take none skip theirs.
        for index, key in ((1, "activation_alpha"), (2, "activation_beta")):
            values = [a[index] for a in filled(gru.activations)]
            if any(v is not None for v in values):
                attributes[key] = [v for v in values if v is not None]
    node = helper.make_node(
        "GRU", ["X", "W", "R", "B" if gru.biases else "",
                "lens" if gru.lengths else "", "h0"], ["Y", "Y_h"],
        **attributes)
    outputs = [value("Y", TensorProto.FLOAT, None),
               value("Y_h", TensorProto.FLOAT, None)]
    graph = helper.make_graph(
        [node], "gru", inputs, outputs,
        [numpy_helper.from_array(t, n) for n, t in tensors.items()])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    with silence():
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options,
            providers=["CPUExecutionProvider"])
    y, y_h = session.run(None, feeds)
    return (y.transpose(0, 2, 1, 3).reshape(gru.steps, gru.batch, -1),
            [[y_h[d] for d in range(directions)]])


def filled(activations):
    """Alpha and beta wherever ONNX wants one, so that none is off by one."""
    for name, alpha, beta in activations:
        if name == "hard_sigmoid" and alpha is None:
            alpha, beta = 0.2, 0.5
        yield name, alpha, beta


def cases():
    for gru in grus():
        yield gru.name, lambda gru=gru: gru.case(TOOL, *compute(gru))
