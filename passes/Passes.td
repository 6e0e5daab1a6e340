//===- Passes.td - passes on the rnn dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PASSES_TD
#define RUNG_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

def ExpandCells : Pass<"rnn-expand-cells", "::mlir::ModuleOp"> {
  let summary = "replace named cells by recurrences whose bodies are one step";
  let description = [{
    Each direction of an `rnn.gru` becomes an `rnn.linear`, which is the input's
    product for all steps, and an `rnn.recurrence`, whose body computes one step
    of one row. A bidirectional cell ends in an `rnn.concat`.

    The update is always computed from the small gate, the share u that the
    candidate takes: `update(take)` has u = f(a), `update(keep)` has
    u = 1 - f(a), which is f(-a) for the sigmoid; then h' = h + u * (n - h).
    Subtracting a gate near one would lose its digits.

    Before:
    ```mlir
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
        reset(after) update(take) direction(forward)
        activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
        : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
           tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    ```
    After:
    ```mlir
    %xp = rnn.linear %x, %w
        : (tensor<?x?x5xf32>, tensor<24x5xf32>) -> tensor<?x?x24xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h) {
    ^bb0(%px: tensor<24xf32>, %pu: tensor<2x12x4xf32>, %ph: tensor<8xf32>):
      %uz = tensor.extract_slice %pu[0, 0, 0] [2, 4, 4] [1, 1, 1] : ...
      %dz = rnn.dot %ph, %uz
          : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
      %xz = tensor.extract_slice %px[0] [8] [1] : ...
      %az = arith.addf %xz, %dz : tensor<8xf32>
      ...
      %z = rnn.sigmoid %az : tensor<8xf32>
      %d = arith.subf %n, %ph : tensor<8xf32>
      %s = arith.mulf %z, %d : tensor<8xf32>
      %next = arith.addf %ph, %s : tensor<8xf32>
      rnn.yield outputs(%next : tensor<8xf32>) states(%next : tensor<8xf32>)
    } : ...
    ```

    Requires: nothing.
    Leaves: no `rnn.gru`; a `precision` of a cell on its linear and recurrence.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

def AnnotatePrecision
    : Pass<"rnn-annotate-precision", "::mlir::ModuleOp"> {
  let summary = "give every product an explicit precision";
  let description = [{
    Sets `precision` on each `rnn.gru`, `rnn.linear` and `rnn.recurrence` that
    has none. One that carries one is left as it is, so that the author of a
    model can pin a layer.

    | preset | operand | accumulate | state |
    | --- | --- | --- | --- |
    | `fp32` | f32 | f32 | f32 |
    | `fp16-mixed` | f16 | f32 | f32 |
    | `bf16-mixed` | bf16 | f32 | f32 |

    Before:
    ```mlir
    %y = rnn.linear %x, %w : ...
    ```
    After `rnn-annotate-precision{precision=fp16-mixed}`:
    ```mlir
    %y = rnn.linear %x, %w precision(<operand = f16, accumulate = f32,
        state = f32, round = nearest>) : ...
    ```

    Requires: nothing.
    Leaves: every gru, linear and recurrence with a `precision`.
  }];
  let options = [Option<"precision", "precision", "std::string",
                        /*default=*/"\"fp32\"", "name of a preset">];
  let dependentDialects = ["::rung::rnn::RnnDialect"];
}

def InsertCasts : Pass<"rnn-insert-casts", "::mlir::ModuleOp"> {
  let summary = "make the rounding of every product's operands an operation";
  let description = [{
    Where `precision` asks for operands other than f32, converts the input and
    the weight of each `rnn.linear`, and in each `rnn.recurrence` the matrices
    (outside, once) and the row given to each `rnn.dot` (inside, every step).
    Results, biases, states and pointwise arithmetic stay f32.

    Before:
    ```mlir
    rnn.recurrence ... weights(%u) precision(<operand = f16, ...>) {
    ^bb0(..., %pu: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
      %d = rnn.dot %ph, %pu
          : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    ```
    After:
    ```mlir
    %u16 = rnn.cast %u : tensor<2x4x4xf32> to tensor<2x4x4xf16>
    rnn.recurrence ... weights(%u16) precision(<operand = f16, ...>) {
    ^bb0(..., %pu: tensor<2x4x4xf16>, %ph: tensor<8xf32>):
      %t = arith.truncf %ph : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %t, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
    ```

    Requires: no `rnn.gru`; f32 for accumulate and state.
    Leaves: the operands of every linear and dot in the format that its
    `precision` names.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::rung::rnn::RnnDialect"];
}

#endif // RUNG_PASSES_PASSES_TD
