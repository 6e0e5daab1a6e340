//===- Passes.td - passes on the rnn dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PASSES_TD
#define RUNG_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"
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

#endif // RUNG_PASSES_PASSES_TD
