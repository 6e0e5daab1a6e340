//===- Passes.td - passes on the rnn dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PASSES_TD
#define RUNG_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"
include "passes/precision/HalfPasses.td"
include "passes/precision/LowerInt8Pwl.td"

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
// Structure
//===----------------------------------------------------------------------===//

def CheckSpectralNorm
    : Pass<"rnn-check-spectral-norm", "::mlir::ModuleOp"> {
  let summary = "warn of recurrent matrices that amplify much";
  let description = [{
    Finds the spectral norm of the recurrent matrix of each head and gate of
    every `rnn.gru`, and of each product of every `rnn.recurrence`, by power
    iteration from a fixed start. It ends when the residual is 1e-3 of the
    squared norm; the norm found is at most 0.05 % below that of some singular
    value, the largest but for a freak, and never above. A gate with heads over
    `limit` is one warning that names the layer, the gate, the heads and their
    norms. Errors of a state pass through these matrices at every step.

    With `rescale`, a matrix over the limit is multiplied by
    limit / (1.001 norm), in a new weight that the layers take; that is another
    model, and the warning says so.

    Before:
    ```mlir
    %u = rnn.load_weight @cell.u : tensor<2x12x4xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) ...
    ```
    After `rnn-check-spectral-norm{rescale}`, and a warning: layer 'cell', gate
    'update': the spectral norm of the recurrent matrix is over the limit of 1.5
    in 1 of 2 heads: head 0 has 2.03; rescaled to the limit, which changes the
    model
    ```mlir
    %u = rnn.load_weight @cell.u.rescaled : tensor<2x12x4xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) ...
    ```

    Requires: recurrent weights that are loaded f32, so no earlier pass that
    rounds them.
    Leaves: the module as it was; with `rescale`, no finite norm over the limit,
    and no weight without a use.
  }];
  let options = [
    Option<"limit", "limit", "double", /*default=*/"1.5",
           "largest norm that is no cause for a warning">,
    Option<"rescale", "rescale", "bool", /*default=*/"false",
           "bring matrices over the limit down to it">];
  let dependentDialects = ["::rung::rnn::RnnDialect"];
}

def InsertRmsNorm : Pass<"rnn-insert-rms-norm", "::mlir::ModuleOp"> {
  let summary = "normalize the input of every recurrent layer";
  let description = [{
    Puts an `rnn.rms_norm` with a scale of ones before the input of each
    `rnn.gru`, or after `rnn-expand-cells` before the product that makes the
    sequence of an `rnn.recurrence`. A layer whose input is an `rnn.rms_norm`
    stays as it is. `layers` names those meant, by the names of the model's
    description; a name that no recurrent layer has is an error.

    The pass changes what the model computes, and says so in a warning for each
    layer: it is for models that are trained on with the norm in place, or
    measured with it.

    Before:
    ```mlir
    %y, %hn = rnn.gru %x weights(%w) ...
    ```
    After:
    ```mlir
    rnn.weight @cell.rms_norm.scale : tensor<5xf32> = dense<1.0>
    ...
    %s = rnn.load_weight @cell.rms_norm.scale : tensor<5xf32>
    %n = rnn.rms_norm %x, %s {epsilon = 1.0e-5 : f64}
        : tensor<?x?x5xf32>, tensor<5xf32>
    %y, %hn = rnn.gru %n weights(%w) ...
    ```

    Requires: f32 inputs of layers; sequences of recurrences that are results of
    `rnn.linear`.
    Leaves: every layer meant with an input that is normalized.
  }];
  let options = [
    ListOption<"layers", "layers", "std::string",
               "names of layers, or all (which none means too)">,
    Option<"epsilon", "epsilon", "double", /*default=*/"1.0e-5",
           "what is added to the mean square">];
  let dependentDialects = ["::rung::rnn::RnnDialect"];
}

def SplitBlockDiagonal
    : Pass<"rnn-split-block-diagonal", "::mlir::ModuleOp"> {
  let summary = "cut full recurrent matrices into those of independent heads";
  let description = [{
    A recurrent matrix of which only diagonal blocks are not zero is a block a
    head: fewer weights, fewer multiplications, and work for more workgroups.
    Every head of an `rnn.gru`, or of an `rnn.recurrence`, is cut into the most
    heads by which none of its gates loses anything. The product of the input
    stays full.

    With `heads=N` the layers get N heads, whatever is lost; an error says how
    much of the weights' energy (sum of squares) that is, of each gate and of
    all, unless `allow-lossy` is given. A remark for each layer says what was
    done.

    Before, [1, 3 H, H]:
    ```mlir
    %u = rnn.load_weight @cell.u : tensor<1x192x64xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h) ...
        : (..., tensor<1x192x64xf32>, ...) -> ...
    ```
    After, [4, 3 H / 4, H / 4]:
    ```mlir
    %u = rnn.load_weight @cell.u.heads4 : tensor<4x48x16xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h) ...
        : (..., tensor<4x48x16xf32>, ...) -> ...
    ```

    Requires: recurrent weights that are loaded f32, so no earlier pass that
    rounds them; matrices of a recurrence that begin at multiples of their
    width.
    Leaves: layers with as many heads or more; no weight without a use.
  }];
  let options = [
    Option<"heads", "heads", "int64_t", /*default=*/"0",
           "heads of every layer; 0 finds the most that lose nothing">,
    Option<"allowLossy", "allow-lossy", "bool", /*default=*/"false",
           "drop weights that are not zero">];
  let dependentDialects = ["::rung::rnn::RnnDialect",
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

    | preset | operand | accumulate | state | round |
    | --- | --- | --- | --- | --- |
    | `fp32` | f32 | f32 | f32 | nearest |
    | `fp16-mixed` | f16 | f32 | f32 | nearest |
    | `bf16-mixed` | bf16 | f32 | f32 | nearest |
    | `fp16` | f16 | f16 | f16 | nearest |
    | `fp16-sr` | f16 | f16 | f16 | stochastic |
    | `fp16x2` | f16 | f16 | f16x2 | nearest |
    | `fp16x2-sr` | f16 | f16 | f16x2 | stochastic |
    | `int8` | s8 | s32 | s32 | nearest |

    Behind `int8`, after commas, may stand `state=s16`, which shows here, and
    what `rnn-lower-int8-pwl` reads: `pieces=16`, `operand=1`,
    `activation=table`, `all`.

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
                        /*default=*/"\"fp32\"",
                        "preset, and options of it behind commas">];
  let dependentDialects = ["::rung::rnn::RnnDialect"];
}

def InsertCasts : Pass<"rnn-insert-casts", "::mlir::ModuleOp"> {
  let summary = "make the rounding to each layer's formats an operation";
  let description = [{
    Where `precision` asks for operands of f16 or bf16, converts the input and
    the weight of each `rnn.linear`; its sums, bias and result stay f32. A
    recurrence with sums and a state of f32 has its matrices converted
    (outside, once) and the row given to each `rnn.dot` (inside, every step);
    biases, states and pointwise arithmetic stay f32.

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

    A recurrence with sums and a state of f16 is computed in f16 alone. Casts
    around it keep the graph's tensors f32; constants are rounded, finite ones
    past the largest f16 to that.

    Before:
    ```mlir
    %y, %hn = rnn.recurrence ... sequences(%x) weights(%u) initial(%h)
        precision(<operand = f16, accumulate = f16, state = f16, ...>) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
      %d = rnn.dot %ph, %pu
          : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
      %s = arith.addf %d, %px : tensor<8xf32>
      rnn.yield outputs(%s : tensor<8xf32>) states(%s : tensor<8xf32>)
    } : ... -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    ```
    After:
    ```mlir
    %x16 = rnn.cast %x : tensor<?x?x8xf32> to tensor<?x?x8xf16>
    %u16 = rnn.cast %u : tensor<2x4x4xf32> to tensor<2x4x4xf16>
    %h16 = rnn.cast %h : tensor<?x8xf32> to tensor<?x8xf16>
    %y16, %hn16 = rnn.recurrence ... sequences(%x16) weights(%u16)
        initial(%h16) precision(...) {
    ^bb0(%px: tensor<8xf16>, %pu: tensor<2x4x4xf16>, %ph: tensor<8xf16>):
      %d = rnn.dot %ph, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
      %s = arith.addf %d, %px : tensor<8xf16>
      rnn.yield outputs(%s : tensor<8xf16>) states(%s : tensor<8xf16>)
    } : ... -> (tensor<?x?x8xf16>, tensor<?x8xf16>)
    %y = rnn.cast %y16 : tensor<?x?x8xf16> to tensor<?x?x8xf32>
    %hn = rnn.cast %hn16 : tensor<?x8xf16> to tensor<?x8xf32>
    ```

    Recurrences with a paired state, and layers of integers, are left to
    `rnn-expand-paired-fp16` and `rnn-lower-int8-pwl`.

    A weight that is rounded carries `rung.own_format`, the name of the format.

    Requires: no `rnn.gru`; in a body to be computed in f16, no floats but f32
    and f16, and no operation on the bits of an f32.
    Leaves: each rounding of a layer that is not left to another pass an
    operation, or that of an operation's own result.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::rung::rnn::RnnDialect"];
}

#endif // RUNG_PASSES_PASSES_TD
