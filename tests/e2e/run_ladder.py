#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what each rung of the precision ladder promises of its bits.

    run_ladder.py --compile BUILD/bin/rung-compile --run BUILD/bin/rung-run \\
        --device 0

Integer rungs equal the reference to the bit on any input, both resets, one
embedding, GRU and classifier of D = 64, V = 64 and the committed chat model.
Every rung gives the same bits again, in segments and one step at a time; with
stochastic rounding another seed gives others, and the same seed the same.
"""

import os
import shutil
import tempfile

import numpy as np

from tools import HERE, Failure, compile_model, judge, parser, run_model

from safetensors_file import write_safetensors  # by tools, from bench/

DESCRIPTION = """\
rung: 1
name: ladder
weights: {name}.safetensors
functions:
  run:
    inputs: {{ids: {{type: i32, shape: [T, B]}}}}
    layers:
      - {{name: symbols, op: embedding, weight: table}}
      - name: gru
        op: gru
        hidden: {hidden}
        heads: {heads}
        reset: {reset}
        update: {update}
        weights: {{convention: pytorch, prefix: gru.}}
        state: h
      - {{name: scores, op: linear, weight: head.weight, bias: head.bias}}
      - {{name: next, op: argmax}}
    outputs: {{y: gru, logits: scores, token: next}}
"""
SYMBOLS = 64
CHAT = os.path.join(HERE, "..", "..", "models", "cat_chat")
INTEGER = ("int8,all", "int8,all,state=s16", "int8,all,operand=1",
           "int8,all,activation=table-linear", "int8,all,pieces=8")
ROUNDED = ("fp16", "fp16-sr", "fp16x2", "fp16x2-sr", "int8,all")


def adversarial_table(random):
    """Rows of the embedding: zeros, both extremes in turn, then random ones of
    which some are large."""
    table = random.standard_normal((SYMBOLS, 64))
    table[0] = 0
    table[1] = np.where(np.arange(64) % 2, -4, 4)
    table[2], table[3] = 4, -4
    table[4:16] *= 3
    return np.clip(table, -4, 4)


def write_model(folder, reset, update="keep", hidden=64, heads=1, gain=1.5):
    """A model of D = 64 and V = 64; `gain` scales the recurrent weights, some
    of which are at the largest magnitude of their row in each column."""
    name = f"{reset}_{update}_{hidden}_{heads}"
    random = np.random.default_rng(7)
    head = hidden // heads
    recurrent = random.uniform(-1, 1, (3 * hidden, head)) * gain / head ** 0.5
    recurrent[::5] = np.sign(recurrent[::5]) * gain / head ** 0.5
    tensors = {
        "table": adversarial_table(random),
        "gru.weight_ih_l0": random.standard_normal((3 * hidden, 64)) / 8,
        "gru.weight_hh_l0": recurrent,
        "gru.bias_ih_l0": random.standard_normal(3 * hidden),
        "gru.bias_hh_l0": random.standard_normal(3 * hidden) / 4,
        "head.weight": random.standard_normal((SYMBOLS, hidden)),
        "head.bias": random.standard_normal(SYMBOLS),
    }
    write_safetensors(os.path.join(folder, name + ".safetensors"),
                      {k: v.astype(np.float32) for k, v in tensors.items()})
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(DESCRIPTION.format(name=name, hidden=hidden, heads=heads,
                                      reset=reset, update=update))
    return path


def write_chat_model(folder, reset):
    """The committed model, or the same weights with the other reset."""
    with open(os.path.join(CHAT, "cat_chat.yaml")) as file:
        text = file.read()
    text = text.replace("reset: after", f"reset: {reset}")
    for name in ("cat_chat.safetensors", "vocabulary.txt"):
        text = text.replace(name, os.path.relpath(os.path.join(CHAT, name),
                                                  folder))
    path = os.path.join(folder, f"cat_chat_{reset}.yaml")
    with open(path, "w") as file:
        file.write(text)
    return path


def same_bits(got, expected, what):
    for name in expected:
        a, b = (x.view(np.uint32) for x in (got[name], expected[name]))
        if not np.array_equal(a, b):
            raise Failure(f"{name} differs {what} in {int((a != b).sum())} of "
                          f"{a.size} elements, first at "
                          f"{np.argwhere(a != b)[0].tolist()}")


class Ladder:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.bundles = arguments, folder, {}

    def bundle(self, model, precision):
        """Compiled once; the name tells model and rung."""
        stem = os.path.splitext(os.path.basename(model))[0]
        rung = precision.replace(",", "-").replace("=", "-")
        path = os.path.join(self.folder, f"{stem}.{rung}.rung")
        if path not in self.bundles:
            self.arguments.precision = precision
            compile_model(self.arguments, model, path)
            self.bundles[path] = True
        return path

    def prepare(self, model, precision, folder):
        """Puts the bundle where --bundles finds it on another machine."""
        os.makedirs(os.path.join(folder, precision), exist_ok=True)
        shutil.move(self.bundle(model, precision),
                    os.path.join(folder, precision))

    def run(self, bundle, inputs, outputs, *more, device=None):
        return run_model(self.arguments, bundle, self.folder, inputs, outputs,
                         *more, device=device)

    def check_exact(self, model, precision, outputs, steps, batch, symbols):
        bundle = self.bundle(model, precision)
        ids = np.random.default_rng(steps).integers(
            0, symbols, (steps, batch)).astype(np.int32)
        expected = self.run(bundle, {"ids": ids}, outputs, device="reference")
        got = self.run(bundle, {"ids": ids}, outputs)
        same_bits(got, expected, "from the reference")
        size = sum(array.size for array in expected.values())
        return f"0 of {size} elements differ"

    def check_replay(self, model, precision):
        """The same bits twice, in segments and step by step."""
        bundle = self.bundle(model, precision)
        outputs, steps, batch = ("y", "h", "logits"), 48, 3
        ids = np.random.default_rng(1).integers(
            0, SYMBOLS, (steps, batch)).astype(np.int32)
        inputs = {"ids": ids}
        stochastic = precision.endswith("-sr")
        if stochastic:
            inputs["random"] = np.tile(np.int32([5, 123, -456]), (batch, 1))
            outputs += ("random",)
        once = self.run(bundle, inputs, outputs)
        same_bits(self.run(bundle, inputs, outputs), once, "the second time")
        for segments in (3, 8, steps):
            got = self.run(bundle, inputs, outputs, "--segments", segments)
            same_bits(got, once, f"in {segments} segments")
        if not stochastic:
            return f"the same bits in 1, 3, 8 and {steps} segments"
        if not np.array_equal(once["random"][:, 0], [5 + steps] * batch):
            raise Failure(f"random is {once['random'].tolist()} after {steps} "
                          "steps from step 5")
        inputs["random"] = inputs["random"] + np.int32([0, 1, 0])
        other = self.run(bundle, inputs, outputs)
        if np.array_equal(other["y"], once["y"]):
            raise Failure("another seed gives the same bits")
        return "the same bits for a seed, others for another"


def cases(ladder, folder):
    """(model, rung, what, check) for everything that is promised."""
    models = [write_model(folder, "after"), write_model(folder, "before")]
    odd = write_model(folder, "before", "take", hidden=40, heads=2, gain=4)

    def exact(outputs, steps, batch, symbols=SYMBOLS):
        return (f"T {steps} B {batch}", lambda model, rung: ladder.check_exact(
            model, rung, outputs, steps, batch, symbols))

    for model in models + [odd]:
        outputs = ("y", "h", "logits", "token")
        for rung in INTEGER if model != odd else INTEGER[:2]:
            yield model, rung, *exact(outputs, 512, 3)
        yield model, "int8,all", *exact(outputs, 4096, 1)
    for reset in ("after", "before"):
        outputs = ("logits", "token", "h0", "h1", "h2")
        yield (write_chat_model(folder, reset), "int8,all",
               *exact(outputs, 4096, 1, symbols=101))
    for rung in ROUNDED:
        for model in (models[0], odd):
            yield model, rung, "replay", ladder.check_replay


def main():
    options = parser(__doc__)
    options.add_argument("--prepare", metavar="FOLDER",
                         help="only compile, for --bundles FOLDER elsewhere")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ladder = Ladder(arguments, folder)
        checks = list(cases(ladder, folder))
        if arguments.prepare:
            for model, rung in dict.fromkeys((m, r) for m, r, *_ in checks):
                ladder.prepare(model, rung, arguments.prepare)
            return
        judge([(f"{os.path.basename(model)[:-5]} {rung} {what}",
                lambda c=check, m=model, r=rung: c(m, r))
               for model, rung, what, check in checks])


if __name__ == "__main__":
    main()
