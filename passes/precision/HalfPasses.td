//===- HalfPasses.td - states in pairs, and rounded at random -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_HALFPASSES_TD
#define RUNG_PASSES_PRECISION_HALFPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandPairedFp16 : Pass<"rnn-expand-paired-fp16", "::mlir::ModuleOp"> {
  let summary = "compute recurrences in sums of two f16";
  let description = [{
    Writes each `rnn.recurrence` whose `precision` keeps its state as f16x2 in
    pairs: every row of numbers becomes two rows of f16, high and low, whose sum
    has about 22 bits. Nothing of f32 is left inside; `rnn.map` splits what
    enters into pairs and joins what leaves.

    Sums are error-free (TwoSum of Knuth, FastTwoSum of Dekker), products take
    their error from one fused multiply-add, which is exact there, and the
    matrices, f16, multiply both halves. `rnn.sigmoid`, `math.tanh` and
    `math.exp` become additions, products, comparisons and shifts of exponents.
    A gate that is the share of a distance, u of h + u * (n - h), is kept times
    2^10 (2^4 where n may be large) until it is added, since f16 has no bits
    below 2^-24.

    With `round = stochastic`, the sums that round into the low half of a state
    carry `rung.rounds_state`, for `rnn-insert-stochastic-rounding`; a state
    that no sum or product rounds is refused.

    Numbers of 65504 and more are none of this format: what enters is limited to
    that, a sum or product past it becomes NaN. So does a state past 47 that
    moves by the share of a distance.

    Before:
    ```mlir
    %y, %hn = rnn.recurrence ... sequences(%x) weights(%u) initial(%h)
        precision(<operand = f16, accumulate = f16, state = f16x2, ...>) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
      %d = rnn.dot %ph, %pu
          : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
      %a = arith.addf %px, %d : tensor<8xf32>
      rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
    } : ...
    ```
    After:
    ```mlir
    %xs0 = rnn.map inputs(%x) weights() { ... } // high
    %xs1 = rnn.map inputs(%x, %xs0) weights() { ... } // low
    %hs0 = rnn.map inputs(%h) weights() { ... }
    %hs1 = rnn.map inputs(%h, %hs0) weights() { ... }
    %u16 = rnn.cast %u : tensor<2x4x4xf32> to tensor<2x4x4xf16>
    %r:4 = rnn.recurrence ... sequences(%xs0, %xs1) weights(%u16)
        initial(%hs0, %hs1) precision(...) {
    ^bb0(%xh: tensor<8xf16>, %xl: tensor<8xf16>, %pu: tensor<2x4x4xf16>,
         %hh: tensor<8xf16>, %hl: tensor<8xf16>):
      %dh = rnn.dot %hh, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
      %dl = rnn.dot %hl, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
      %s = arith.addf %xh, %dh : tensor<8xf16>      // TwoSum ...
      ...
      %e = arith.addf %ea, %eb : tensor<8xf16>      // ... and its error
      %l = arith.addf %xl, %dl : tensor<8xf16>
      %t = arith.addf %e, %l : tensor<8xf16>
      %high = arith.addf %s, %t : tensor<8xf16>     // FastTwoSum
      %b = arith.subf %high, %s : tensor<8xf16>
      %low = arith.subf %t, %b : tensor<8xf16>
      rnn.yield outputs(%high, %low : ...) states(%high, %low : ...)
    } : ...
    %y = rnn.map inputs(%r#0, %r#1) weights() { ... } // high + low
    %hn = rnn.map inputs(%r#2, %r#3) weights() { ... }
    ```

    Requires: no `rnn.gru` of that precision; bodies in f32, of the operations
    that `rnn-expand-cells` makes of all activations but softplus; rows of
    weights that are an `rnn.weight`.
    Leaves: no f32 in a recurrence with a state of f16x2, and its states
    normalised pairs. Other layers are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect",
                           "::rung::rnn::RnnDialect"];
}

def InsertStochasticRounding
    : Pass<"rnn-insert-stochastic-rounding", "::mlir::ModuleOp"> {
  let summary = "round states at random, without bias";
  let description = [{
    Where `precision` has `round = stochastic`, the sum of two f16 that makes a
    state becomes an `rnn.add_stochastic`, for all that reads it: an output that
    is the state is the rounded one. Of a paired state, the sums that
    `rnn-expand-paired-fp16` marked with `rung.rounds_state` are the ones: they
    make its low half.

    Each such sum draws a word of bits of its own. `layer` is the number of the
    recurrence in its function, so that layers draw different bits. The
    function gets a state `random`, its last argument and result: for each row
    the number of steps done, and the low and the high word of the seed.

    Before:
    ```mlir
    func.func @run(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32> {...})
        -> (tensor<?x8xf32> {...}) {
      ...
      %hn16 = rnn.recurrence ... initial(%h16)
          precision(<..., state = f16, round = stochastic>) {
      ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
        ...
        %next = arith.addf %ph, %s : tensor<8xf16>
        rnn.yield outputs() states(%next : tensor<8xf16>)
      } : ...
      return %hn : tensor<?x8xf32>
    }
    ```
    After:
    ```mlir
    func.func @run(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32> {...},
                   %r: tensor<?x3xi32> {rnn.name = "random",
                                        rnn.state = "random"})
        -> (tensor<?x8xf32> {...},
            tensor<?x3xi32> {rnn.name = "random", rnn.state = "random"}) {
      ...
      %hn16 = rnn.recurrence ... initial(%h16) random(%r)
          precision(<..., state = f16, round = stochastic>) {
      ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
        ...
        %bits = rnn.random layer(0) word(0) : tensor<8xi32>
        %next = rnn.add_stochastic %ph, %s, %bits
            : tensor<8xf16>, tensor<8xi32>
        rnn.yield outputs() states(%next : tensor<8xf16>)
      } : ...
      %rn = rnn.advance_random %r, %x16 : tensor<?x3xi32>, tensor<?x?x8xf16>
      return %hn, %rn : tensor<?x8xf32>, tensor<?x3xi32>
    }
    ```

    Requires: no `rnn.gru`; `rnn-insert-casts` before it for a state of f16,
    `rnn-expand-paired-fp16` for one of f16x2; every state made by one sum of
    two f16, no more than four such sums a recurrence, the same `lengths` for
    all of a function. A product that is a state is refused: to add zero to it,
    once rounded, would round nothing.
    Leaves: every state of a stochastic layer the result of an
    `rnn.add_stochastic`, or for pairs, of exact operations on one.
  }];
  let dependentDialects = ["::rung::rnn::RnnDialect"];
}

#endif // RUNG_PASSES_PRECISION_HALFPASSES_TD
