#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs models trained elsewhere against the answers that came with them.

    run_real_cases.py --compile BUILD/bin/rung-compile \\
        --run BUILD/bin/rung-run --device 0 --data FOLDER

FOLDER holds g2p/ and rtneural/; where it is absent the test reports itself as
skipped. g2p must give every phoneme string exactly in any precision; values
agree to 1e-5 in fp32.
"""

import json
import os
import sys
import tempfile

import numpy as np

from tools import (HERE, SKIPPED, TOLERANCE, Failure, command, compile_model,
                   expect_close, judge, parser, run_model)

from safetensors_file import write_safetensors  # by tools, from bench/


class Cases:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.tolerance = TOLERANCE[arguments.precision]

    def data(self, *names):
        return os.path.join(self.arguments.data, *names)

    def compiled(self, name, weights):
        bundle = os.path.join(self.folder, name + ".rung")
        compile_model(self.arguments,
                      os.path.join(HERE, "models", name + ".yaml"), bundle,
                      "--weights", weights)
        return bundle

    def phonemes(self):
        # Vocabularies are found beside the description's weights.
        g2p = self.compiled("g2p", self.data("g2p", "g2p.safetensors"))
        with open(self.data("g2p", "expected.txt")) as file:
            pairs = [line.rstrip("\n").split("\t") for line in file
                     if line.strip()]
        prompts = os.path.join(self.folder, "prompts.txt")
        with open(prompts, "w") as file:
            file.writelines(word + "\n" for word, _ in pairs)
        said = command(self.arguments.run, "generate", g2p, "--prompt-file",
                       prompts, "--device", self.arguments.device)
        lines = said.rstrip("\n").split("\n")
        if len(lines) != len(pairs):
            raise Failure(f"{len(lines)} lines for {len(pairs)} words: "
                          f"{said!r}")
        for (word, expected), got in zip(pairs, lines):
            if got.split() != expected.split():
                raise Failure(f"'{word}' gives '{got}', expected "
                              f"'{expected}'")
        return f"{len(pairs)} words exact"

    def encoder_states(self):
        g2p = self.compiled("g2p", self.data("g2p", "g2p.safetensors"))
        ids = np.load(self.data("g2p", "encoder_ids.npy")).astype(np.int32)
        got = run_model(self.arguments, g2p, self.folder, {"ids": ids},
                        ["states"], "--function", "encode")
        expected = np.load(self.data("g2p", "encoder_states.npy"))
        return self.close("states", got["states"], expected)

    def gru_torch(self):
        bundle = self.compiled(
            "gru_torch", self.data("rtneural", "gru_torch.safetensors"))
        return self.one_channel(
            bundle, np.load(self.data("rtneural", "gru_torch_x.npy")),
            np.load(self.data("rtneural", "gru_torch_y.npy")))

    def keras(self, name):
        weights = os.path.join(self.folder, name + ".safetensors")
        with open(self.data("rtneural", name + ".json")) as file:
            write_safetensors(weights, keras_tensors(json.load(file)))
        bundle = self.compiled("keras_" + name, weights)
        return self.one_channel(bundle, *(
            np.loadtxt(self.data("rtneural", f"{name}_{port}_python.csv"))
            for port in "xy"))

    def one_channel(self, bundle, x, y):
        got = run_model(self.arguments, bundle, self.folder,
                        {"x": x.reshape(-1, 1, 1).astype(np.float32)}, ["y"])
        return self.close("y", got["y"].reshape(-1), y.reshape(-1))

    def close(self, what, got, expected):
        return "worst %.1e" % expect_close(
            what, got, expected.astype(np.float64), self.tolerance)


def keras_tensors(model):
    """The weights of a model in RTNeural's JSON, named as Keras names them."""
    tensors, denses = {}, 0
    for layer in model["layers"]:
        arrays = [np.array(w, np.float32) for w in layer["weights"]]
        if layer["type"] == "gru":
            names = ["gru.kernel", "gru.recurrent_kernel", "gru.bias"]
        else:
            stem = f"dense_{denses}" if denses else "dense"
            names = [stem + ".kernel", stem + ".bias"]
            denses += 1
        tensors.update(zip(names, arrays, strict=True))
    return tensors


def main():
    p = parser(__doc__)
    p.add_argument("--data", required=True)
    arguments = p.parse_args()
    if not os.path.isdir(arguments.data):
        print(f"skipped: there is no folder '{arguments.data}'")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(arguments, folder)
        judge([("g2p phonemes", cases.phonemes),
               ("g2p encoder states", cases.encoder_states),
               ("rtneural gru_torch", cases.gru_torch),
               ("rtneural gru", lambda: cases.keras("gru")),
               ("rtneural gru_1d", lambda: cases.keras("gru_1d"))])


if __name__ == "__main__":
    main()
