//===- LowerInt8Pwl.td - layers in integers ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWL_TD
#define RUNG_PASSES_PRECISION_LOWERINT8PWL_TD

include "mlir/Pass/PassBase.td"

def LowerInt8Pwl : Pass<"rnn-lower-int8-pwl", "::mlir::ModuleOp"> {
  let summary = "write layers of bytes in integers, activations by lines";
  let description = [{
    Rewrites each `rnn.recurrence` whose `precision` has operands of s8, and
    each `rnn.linear` that gives it its sequences, so that between the input and
    the state nothing is a float.

    *Numbers.* Every value is an integer q on a grid: q * 2^-bits. Arguments of
    activations have 16 bits behind the point, gates 30, candidates 24, states
    15 (s16) or 24 (s32), fewer where a range needs it. All rounding is
    `rnn.requantize`; a state saturates.

    *Products.* A weight has a scale a row, the largest of the row being 127.
    What it is multiplied with is cut into a high and a low byte,
    q = 256 high + low + 128, on the finest grid on which the sum of 127 * q
    cannot pass 2^31: 15 bits up to a width of 516, one less for each doubling.
    Both products are exact; their sum, with 128 times the sum of the weights,
    is requantized by a factor a row. `operand=1` takes a single byte.

    *Activations.* tanh and the sigmoid are lines over the arguments up to 0,
    mirrored above: tanh(-x) = -tanh(x), f(-x) = 1 - f(x). The lines of the
    sigmoid follow its fourth root, undone by two squarings, and are fitted so
    that both tails keep a relative error: a gate of 0.001 has its digits.
    `activation=table` has 256 entries over the calibrated range, `table-linear`
    interpolates between 257.

    *Ranges.* `rung.activation_ranges` on a recurrence (an array<f64: low, high>
    for each activation in order), `rung.state_range` (the largest magnitude of
    each state) and `rung.input_range` on a linear (array<f64: low, high>) say
    what calibration saw. A range that can be proved needs none.

    *Weights.* An integer form of @w is @w.s8 with @w.factors and
    @w.corrections, or @w.s32; @w gets `rung.own = @w.own`, the floats that they
    stand for.

    With `all`, embeddings, norms, sums, concatenations and the other linears
    with operands of s8 are integers too; without, those linears become f32.

    Before:
    ```mlir
    rnn.recurrence ... sequences(%xp) weights(%u) initial(%h0)
        precision(<operand = s8, accumulate = s32, state = s32, ...>) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
      %d = rnn.dot %ph, %pu
          : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
      %a = arith.addf %px, %d : tensor<8xf32>
      %n = math.tanh %a : tensor<8xf32>
    ```
    After:
    ```mlir
    %q = rnn.map inputs(%h0) weights() { ... arith.fptosi ... }
    %y, %hn = rnn.recurrence ... weights(%u.s8, %u.corrections, %u.factors) {
    ^bb0(%px: tensor<8xi32>, %pu: tensor<2x4x4xi8>, %pc: tensor<8xi32>,
         %pf: tensor<8xi32>, %ph: tensor<8xi32>):
      %q = rnn.requantize %ph, %one shift(9) : tensor<8xi32>
      ...
      %dh = rnn.dot %high, %pu
          : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xi32>
      %dl = rnn.dot %low, %pu
          : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xi32>
      %d = rnn.requantize %sum, %pf shift(40) : tensor<8xi32>
      %a = arith.addi %px, %d : tensor<8xi32>
      ...
      %n = rnn.piecewise %below knots([...]) slopes([...]) offsets([...])
          shift(22) : tensor<8xi32>
      ...
    } : ...
    %hf = rnn.map inputs(%hn) weights() { ... arith.sitofp ... }
    ```

    Requires: no `rnn.gru`; bodies of products, sums, minima, maxima, choices,
    sigmoid and tanh on weights of the module; ranges as above.
    Leaves: no float in a recurrence with operands of s8.
  }];
  let options = [
    Option<"pieces", "pieces", "int", /*default=*/"32",
           "lines of each activation, 2 to 64">,
    Option<"state", "state", "std::string", /*default=*/"",
           "s16 or s32; as annotated if not given">,
    Option<"operandBytes", "operand", "int", /*default=*/"2",
           "bytes of the state that products take, 1 or 2">,
    Option<"activation", "activation", "std::string",
           /*default=*/"\"piecewise\"", "piecewise, table or table-linear">,
    Option<"all", "all", "bool", /*default=*/"false",
           "also the layers around the recurrences">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect",
                           "::rung::rnn::RnnDialect"];
}

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWL_TD
