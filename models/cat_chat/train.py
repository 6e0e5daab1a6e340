#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains cat_chat and measures it on held-out chats.

    train.py --out DIR                 on a GPU, about seven minutes
    train.py --out DIR --device cpu --tiny      a minute, to try the code
    train.py --out DIR --evaluate      measures DIR/cat_chat.safetensors

DIR gets cat_chat.safetensors, as good as it is every half minute, and at the
end metrics.json. The learning rate follows the time spent, so that training
ends in the minutes it is given whatever the machine.
"""

import argparse
import json
import math
import multiprocessing
import os
import time

import torch
from torch.nn import functional

import corpus
import held_out
from evaluate import evaluate
from network import HEAD, CatChat, restore, save

TRAIN_SEED, HELD_OUT_SEED = 1_000_000, held_out.SEED
SHORT = 320


def some_chats(task):
    seed, count = task
    writer = corpus.Writer(seed)
    return [bytes(corpus.encode(corpus.text_of(writer.chat())))
            for _ in range(count)]


def training_rows(chats, length, seed):
    """Rows of `length` + 1 ids. A row begins where a chat begins, half of them
    without the start mark, so that a prompt may come with or without it."""
    tasks = [(seed + i, min(500, chats - 500 * i))
             for i in range(math.ceil(chats / 500))]
    with multiprocessing.get_context("fork").Pool() as pool:
        parts = pool.map(some_chats, tasks)
    rows, row, start = [], bytearray(), corpus.IDS[corpus.START]
    for chat in (c for part in parts for c in part):
        if row or len(rows) % 2:
            row.append(start)
        row += chat
        if len(row) > length:
            rows.append(row[:length + 1])
            row = bytearray()
    return torch.frombuffer(bytearray().join(rows), dtype=torch.uint8).view(
        len(rows), length + 1)


def say(*words):
    print(*words, flush=True)


class Trainer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.device = torch.device(arguments.device)
        torch.manual_seed(arguments.seed)
        torch.set_float32_matmul_precision("high")
        torch.backends.cudnn.allow_tf32 = True
        self.model = CatChat(len(corpus.SYMBOLS), arguments.width)
        self.model.to(self.device)
        plain = [p for p in self.model.parameters() if p.dim() < 2]
        decayed = [p for p in self.model.parameters() if p.dim() >= 2]
        self.optimizer = torch.optim.AdamW(
            [{"params": plain, "weight_decay": 0.0},
             {"params": decayed, "weight_decay": 0.01}],
            lr=arguments.rate, betas=(0.9, 0.98))
        self.path = os.path.join(arguments.out, "cat_chat.safetensors")

    def step(self, batch):
        logits, _ = self.model(batch[:-1])
        loss = functional.cross_entropy(
            logits.flatten(0, 1), batch[1:].flatten())
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.detach()

    def batches(self, rows):
        generator = torch.Generator().manual_seed(self.arguments.seed)
        rows = rows.to(self.device)
        while True:
            order = torch.randperm(len(rows), generator=generator)
            order = order.to(self.device)
            for index in order.split(self.arguments.batch):
                if len(index) == min(self.arguments.batch, len(rows)):
                    yield rows[index].t().long().contiguous()

    def choose_streams(self, batch):
        """Keeps one stream or a stream a head, whichever is faster here."""
        if self.device.type != "cuda":
            return
        taken, kept = {}, self.optimizer.state_dict()["param_groups"][0]["lr"]
        for group in self.optimizer.param_groups:
            group["lr"] = 0.0
        for concurrent in (False, True):
            for gru in self.model.grus:
                gru.concurrent = concurrent
            for repeat in range(4):
                torch.cuda.synchronize()
                begin = time.monotonic()
                self.step(batch)
                torch.cuda.synchronize()
                taken[concurrent] = time.monotonic() - begin
        self.optimizer.state.clear()
        for group in self.optimizer.param_groups:
            group["lr"] = kept
        for gru in self.model.grus:
            gru.concurrent = taken[True] < taken[False]
        say(f"a step takes {1e3 * taken[False]:.0f} ms on one stream, "
            f"{1e3 * taken[True]:.0f} ms on one a head")

    def train(self, rows):
        arguments, batches = self.arguments, self.batches(rows)
        self.choose_streams(next(batches))
        begin = saved = told = time.monotonic()
        step, characters, losses = 0, 0, []
        while True:
            now = time.monotonic()
            progress = max((now - begin) / (60 * arguments.minutes),
                           step / arguments.steps)
            if progress >= 1:
                break
            rate = arguments.rate * min(1, (step + 1) / 100) * (
                0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            # Letters, words and sentences are learnt on short pieces, in more
            # steps; what lies far back comes after.
            short = progress < arguments.short_share
            length = min(SHORT, arguments.length) if short else (
                arguments.length)
            losses.append(self.step(next(batches)[:length + 1]))
            characters += length * arguments.batch
            step += 1
            if step % 10 == 0:
                losses[-1].item()  # the clock must not run ahead of the GPU
            if time.monotonic() - told > 10:
                told = time.monotonic()
                mean = torch.stack(losses).mean().item() / math.log(2)
                losses = []
                say(f"step {step} after {told - begin:.0f} s: "
                    f"{mean:.4f} bits a character, rate {rate:.2e}")
            if time.monotonic() - saved > 30:
                saved = time.monotonic()
                save(self.model, self.path)
        save(self.model, self.path)
        return {"steps": step, "seconds": round(time.monotonic() - begin),
                "characters": characters}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--out", required=True, help="folder for weights and metrics")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--minutes", type=float, default=6, help="time for training alone")
    add("--steps", type=int, default=20000, help="end after so many at most")
    add("--batch", type=int, default=128)
    add("--length", type=int, default=1024)
    add("--short-share", type=float, default=0.3,
        help=f"share of the time on rows of {SHORT}")
    add("--chats", type=int, default=200_000)
    add("--held-out", type=int, default=1000)
    add("--width", type=int, default=384, help=f"a multiple of {HEAD}")
    add("--rate", type=float, default=2e-3)
    add("--seed", type=int, default=1)
    add("--tiny", action="store_true", help="a small model, for a minute")
    add("--evaluate", action="store_true", help="train nothing")
    arguments = parser.parse_args()
    if arguments.tiny:
        arguments.width, arguments.chats, arguments.held_out = 128, 500, 20
        arguments.batch, arguments.length, arguments.steps = 16, 256, 60
        arguments.minutes = 0.5
    if arguments.width % HEAD:
        parser.error(f"--width {arguments.width} is no multiple of {HEAD}")
    return arguments


def main():
    arguments = parse()
    os.makedirs(arguments.out, exist_ok=True)
    trainer, metrics = None, {}
    if not arguments.evaluate:
        begin = time.monotonic()
        rows = training_rows(arguments.chats, arguments.length, TRAIN_SEED)
        say(f"{arguments.chats} chats in {len(rows)} rows of "
            f"{arguments.length}, made in {time.monotonic() - begin:.0f} s")
        trainer = Trainer(arguments)
        metrics["training"] = trainer.train(rows)
        model = trainer.model
    else:
        model = CatChat(len(corpus.SYMBOLS), arguments.width)
        restore(model, os.path.join(arguments.out, "cat_chat.safetensors"))
        model.to(arguments.device)
    metrics.update(evaluate(model, arguments.held_out, HELD_OUT_SEED, say))
    path = os.path.join(arguments.out, "metrics.json")
    with open(path + ".part", "w") as file:
        json.dump(metrics, file, indent=2)
        file.write("\n")
    os.replace(path + ".part", path)
    say(json.dumps(metrics, indent=2))


if __name__ == "__main__":
    main()
