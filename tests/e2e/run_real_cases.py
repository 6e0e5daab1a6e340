#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs models trained elsewhere against the answers that came with them.

    run_real_cases.py --compile BUILD/bin/rung-compile \\
        --run BUILD/bin/rung-run --device 0 --data FOLDER

FOLDER holds g2p/ and rtneural/; where it is absent the test reports itself as
skipped. g2p must give every phoneme string exactly in any precision; values
agree to 1e-5 in fp32.
"""

import os
import sys
import tempfile

import numpy as np

from tools import (HERE, SKIPPED, Failure, command, compile_model,
                   expect_close, judge, parser, run_model)

TOLERANCE = {"fp32": 1e-5, "fp16-mixed": 5e-3, "bf16-mixed": 4e-2}


def main():
    p = parser(__doc__)
    p.add_argument("--data", required=True)
    arguments = p.parse_args()
    if not os.path.isdir(arguments.data):
        print(f"skipped: there is no folder '{arguments.data}'")
        sys.exit(SKIPPED)
    tolerance = TOLERANCE[arguments.precision]
    models = os.path.join(HERE, "models")

    def data(*names):
        return os.path.join(arguments.data, *names)

    with tempfile.TemporaryDirectory() as folder:
        g2p = os.path.join(folder, "g2p.rung")
        torch = os.path.join(folder, "gru_torch.rung")

        def phonemes():
            # Vocabularies are found beside the description's weights.
            compile_model(arguments, os.path.join(models, "g2p.yaml"), g2p,
                          "--weights", data("g2p", "g2p.safetensors"))
            pairs = [line.rstrip("\n").split("\t") for line
                     in open(data("g2p", "expected.txt")) if line.strip()]
            prompts = os.path.join(folder, "prompts.txt")
            with open(prompts, "w") as file:
                file.writelines(word + "\n" for word, _ in pairs)
            said = command(arguments.run, "generate", g2p, "--prompt-file",
                           prompts, "--device", arguments.device)
            lines = said.rstrip("\n").split("\n")
            if len(lines) != len(pairs):
                raise Failure(f"{len(lines)} lines for {len(pairs)} words: "
                              f"{said!r}")
            for (word, expected), got in zip(pairs, lines):
                if got.split() != expected.split():
                    raise Failure(f"'{word}' gives '{got}', expected "
                                  f"'{expected}'")
            return f"{len(pairs)} words exact"

        def encoder_states():
            ids = np.load(data("g2p", "encoder_ids.npy")).astype(np.int32)
            got = run_model(arguments, g2p, folder, {"ids": ids}, ["states"],
                            "--function", "encode")
            return "worst %.1e" % expect_close(
                "states", got["states"],
                np.load(data("g2p", "encoder_states.npy")).astype(np.float64),
                tolerance)

        def gru_torch():
            compile_model(arguments, os.path.join(models, "gru_torch.yaml"),
                          torch, "--weights",
                          data("rtneural", "gru_torch.safetensors"))
            x = np.load(data("rtneural", "gru_torch_x.npy"))
            y = np.load(data("rtneural", "gru_torch_y.npy"))
            got = run_model(arguments, torch, folder,
                            {"x": x.reshape(-1, 1, 1).astype(np.float32)},
                            ["y"])
            return "worst %.1e" % expect_close(
                "y", got["y"].reshape(-1), y.reshape(-1).astype(np.float64),
                tolerance)

        judge([("g2p phonemes", phonemes),
               ("g2p encoder states", encoder_states),
               ("rtneural gru_torch", gru_torch)])


if __name__ == "__main__":
    main()
