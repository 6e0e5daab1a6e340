# SPDX-License-Identifier: Apache-2.0
"""Cases from the equations alone: what no other tool here computes.

`worked` can be followed with a pencil. f is hard_sigmoid with alpha 1/4 and
beta 1/2, g the identity, so that all numbers are exact. Two heads of one unit,
one row, two steps, h0 = [1, -1]:

    unit   Wz Wr Wn   bWn   Uz Ur Un   bUn
      0     1 -1  1     0    1  1  2     1
      1     0  1  2     1   -1  0  1     0

Step 1, x = 1, h = [1, -1]:
    unit 0: z = f(1 + 1) = 1      r = f(-1 + 1) = 1/2
    unit 1: z = f(0 + 1) = 3/4    r = f(1 + 0) = 3/4
    reset after:
      n0 = 1 + 1/2 (2 + 1) = 5/2        n1 = 2 + 1 + 3/4 (-1) = 9/4
      keep: h0 = 1                      h1 = -3/4 + 1/4 9/4 = -3/16
      take: h0 = 5/2                    h1 = -1/4 + 3/4 9/4 = 23/16
    reset before:
      n0 = 1 + 2 (1/2) + 1 = 3          n1 = 2 + 1 + (-3/4) = 9/4
      keep: h0 = 1, h1 = -3/16          take: h0 = 3, h1 = 23/16

Step 2, x = -1, from step 1:
    after, keep, h = [1, -3/16]:
      z0 = f(-1 + 1) = 1/2              r0 = f(1 + 1) = 1
      n0 = -1 + 1 (2 + 1) = 2           h0 = 1/2 + 1/2 2 = 3/2
      z1 = f(0 + 3/16) = 35/64          r1 = f(-1 + 0) = 1/4
      n1 = -2 + 1 - 3/64 = -67/64
      h1 = -35/64 3/16 - 29/64 67/64 = -420/4096 - 1943/4096 = -2363/4096
    before, take, h = [3, 23/16]:
      z0 = f(-1 + 3) = 1                r0 = f(1 + 3) = 1 (1.5, cut)
      n0 = -1 + 2 (3) + 1 = 6           h0 = 6
      z1 = f(0 - 23/16) = 9/64          r1 = f(-1) = 1/4
      n1 = -2 + 1 + 23/64 = -41/64
      h1 = 55/64 23/16 - 9/64 41/64 = 5060/4096 - 369/4096 = 4691/4096
"""

import numpy as np

from case import Gru

WORKED = {
    ("after", "keep"): [[1, -3 / 16], [3 / 2, -2363 / 4096]],
    ("before", "take"): [[3, 23 / 16], [6, 4691 / 4096]],
}


def worked(reset, update):
    gru = Gru(f"worked_{reset}_{update}", "to be followed with a pencil",
              input=1, hidden=2, heads=2, batch=1, steps=2, reset=reset,
              update=update, initial=True, convention="names",
              activations=[("hard_sigmoid", 0.25, 0.5),
                           ("identity", None, None)])
    [[p]] = gru.parameters
    p["w"] = np.array([[1, 0, -1, 1, 1, 2]], np.float32).T
    p["u"] = np.array([[1, 1, 2], [-1, 0, 1]], np.float32)[:, :, None]
    p["bw"] = np.array([0, 0, 0, 0, 0, 1], np.float32)
    p["bu"] = np.array([0, 0, 0, 0, 1, 0], np.float32)
    gru.x = np.array([1, -1], np.float32).reshape(2, 1, 1)
    gru.states = [[np.array([[1, -1]], np.float32)]]
    y = np.array(WORKED[reset, update]).reshape(2, 1, 2)
    return gru.case("pencil", y, [[y[-1]]])


def grus():
    def gru(name, about, **sizes):
        sizes.setdefault("convention", "rung")
        return Gru(f"hand_{name}", about, **sizes)
    yield gru("take", "z takes the candidate", input=3, hidden=5, batch=3,
              steps=7, update="take", initial=True)
    yield gru("take_before", "take, reset before", input=3, hidden=20,
              batch=17, steps=33, update="take", reset="before")
    yield gru("heads_before", "heads, reset before", input=12, hidden=12,
              heads=3, batch=3, steps=7, reset="before", initial=True)
    yield gru("heads_take_before", "heads of 32, take, reset before", input=7,
              hidden=64, heads=2, batch=17, steps=7, update="take",
              reset="before", initial=True)
    yield gru("heads_of_one", "as many heads as units", input=3, hidden=5,
              heads=5, batch=3, steps=7, update="take")
    yield gru("heads_names", "[heads, 3 dh, dh] named one by one", input=3,
              hidden=20, heads=4, batch=3, steps=7, biases=1,
              convention="names")
    yield gru("zero_steps", "T 0: the state passes through", input=3,
              hidden=5, batch=3, steps=0, initial=True)
    yield gru("zero_steps_layers", "T 0 in two directions and layers",
              input=3, hidden=5, batch=17, steps=0, layers=2,
              direction="bidirectional", initial=True)
    yield gru("zero_lengths", "rows of length 0 keep their state", input=3,
              hidden=5, batch=3, steps=7, lengths=[0, 7, 0], initial=True)
    yield gru("zero_lengths_bidirectional", "the same in both directions",
              input=3, hidden=20, batch=17, steps=2, lengths=[0, 1, 2] * 5
              + [0, 2], direction="bidirectional", reset="before",
              initial=True)
    yield gru("heads_reverse_lengths", "heads, backwards, take", input=6,
              hidden=20, heads=4, batch=3, steps=7, lengths=[4, 0, 7],
              direction="reverse", update="take", initial=True,
              convention="names")
    yield gru("take_hard_sigmoid", "a take whose gate is no sigmoid", input=3,
              hidden=5, batch=3, steps=7, update="take", initial=True,
              activations=[("hard_sigmoid", None, None),
                           ("softsign", None, None)])
    yield gru("take_clip", "clip under take", input=3, hidden=5, batch=3,
              steps=7, update="take", clip=0.25, initial=True)
    yield gru("one_bias_before", "the input's bias alone, reset before",
              input=3, hidden=5, batch=3, steps=7, reset="before", biases=1)
    yield gru("identity", "g the identity", input=3, hidden=5, batch=3,
              steps=7, activations=[("sigmoid", None, None),
                                    ("identity", None, None)])
    yield gru("slow", "gates near one: update bias 7", input=3, hidden=20,
              batch=3, steps=33, initial=True)


def cases():
    for reset, update in WORKED:
        yield f"worked_{reset}_{update}", lambda r=reset, u=update: worked(
            r, u)
    for gru in grus():
        if gru.name == "hand_slow":
            gru.parameters[0][0]["bw"][:gru.hidden] = 7
        yield gru.name, gru.by_hand
