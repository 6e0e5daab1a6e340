//===- RnnCells.td - recurrent cells and pointwise maps ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNCELLS_TD
#define RUNG_DIALECTS_RNN_RNNCELLS_TD

include "dialects/rnn/RnnAttrs.td"
include "dialects/rnn/RnnTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Named cells
//===----------------------------------------------------------------------===//

def Rnn_GruOp : Rnn_Op<"gru", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a gated recurrent unit over all steps of a sequence";
  let description = [{
    For each step, with gates z (update), r (reset) and n (candidate):

        z = f(Wz x + bWz + Uz h + bUz)      r = f(Wr x + bWr + Ur h + bUr)
        reset before: n = g(Wn x + bWn + Un (r * h) + bUn)
        reset after:  n = g(Wn x + bWn + r * (Un h + bUn))
        update keep:  h' = z * h + (1 - z) * n
        update take:  h' = (1 - z) * h + z * n

    `activations` are f and g, for each direction. `clip = c` limits their
    inputs to -c .. c. The gate blocks of every weight lie in the order z, r, n.
    The recurrent matrix is block-diagonal: head i of the state, dh = H / heads
    wide, sees itself alone.

    | operand | per direction | shape |
    | --- | --- | --- |
    | `input` | no | [T, B, I] |
    | `weights` | yes | [3 H, I] |
    | `recurrent` | yes | [heads, 3 dh, dh]: row g dh + o of gate g, output o |
    | `input_bias`, `recurrent_bias` | yes, or absent | [3 H] |
    | `initial` | yes | [B, H] |
    | `lengths` | no, or absent | [B] |

    `output` is [T, B, directions * H], the forward half first, and there is one
    [B, H] final state a direction. A reversed output keeps the time index of
    its input. A row whose length n is less than T behaves as a sequence of n
    steps: its outputs past them are 0, its final state is that after step n (of
    a reversed row: after step 0, having started at n - 1). A row of length 0
    returns its initial state; a length past T counts as T, a negative one as 0.

    ```mlir
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%bw)
        recurrent_bias(%bu) initial(%h) lengths(%n)
        reset(after) update(keep) direction(forward)
        activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
        : (tensor<?x?x16xf32>, tensor<24x16xf32>, tensor<2x12x4xf32>,
           tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>, tensor<?xi32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    ```

    Constraints:
    - (C1) `weights`, `recurrent`, `initial` and the final states have one entry
      a direction, `activations` two; each bias has one a direction or none.
    - (C2) Each of `weights` is [3 H, I], I being the width of `input` and H
      that of the state.
    - (C3) Each of `recurrent` is [heads, 3 dh, dh] with heads * dh = H, and
      heads is the same for each direction.
    - (C4) Each bias is [3 H].
    - (C5) `output` is [T, B, directions * H].
    - (C6) Every initial and final state is [B, H].
    - (C7) `input`, states, `lengths` and `output` agree in B.
    - (C8) All tensors but `lengths` have the same element type.
    - (C9) `clip` is finite and more than 0.
  }];
  let arguments = (ins
    Rnn_FloatSequence:$input,
    Variadic<Rnn_FloatTensor>:$weights,
    Variadic<Rnn_FloatHeadMatrices>:$recurrent,
    Variadic<Rnn_FloatTensor>:$input_bias,
    Variadic<Rnn_FloatTensor>:$recurrent_bias,
    Variadic<Rnn_FloatState>:$initial,
    Optional<Rnn_Lengths>:$lengths,
    Rnn_ResetAttr:$reset,
    Rnn_UpdateAttr:$update,
    Rnn_DirectionAttr:$direction,
    Rnn_ActivationArrayAttr:$activations,
    OptionalAttr<F64Attr>:$clip,
    OptionalAttr<Rnn_PrecisionAttr>:$precision
  );
  let results = (outs Rnn_FloatSequence:$output,
                      Variadic<Rnn_FloatState>:$final_states);
  let assemblyFormat = [{
    $input `weights` `(` $weights `)` `recurrent` `(` $recurrent `)`
    (`input_bias` `(` $input_bias^ `)`)?
    (`recurrent_bias` `(` $recurrent_bias^ `)`)?
    `initial` `(` $initial `)` (`lengths` `(` $lengths^ `)`)?
    `reset` `(` custom<Choice>($reset) `)` `update` `(` custom<Choice>($update) `)`
    `direction` `(` custom<Choice>($direction) `)` `activations` `(` $activations `)`
    (`precision` `(` $precision^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumDirections() {
      return getDirection() == Direction::Bidirectional ? 2 : 1;
    }
    /// H, the width of the state.
    int64_t getHidden() {
      return ::mlir::cast<::mlir::RankedTensorType>(
          getInitial().front().getType()).getDimSize(1);
    }
    int64_t getHeads() {
      return ::mlir::cast<::mlir::RankedTensorType>(
          getRecurrent().front().getType()).getDimSize(0);
    }
    /// f of direction \p index; the gates' activation.
    ActivationAttr getGateActivation(unsigned index) {
      return ::mlir::cast<ActivationAttr>(getActivations()[2 * index]);
    }
    /// g of direction \p index; the candidate's activation.
    ActivationAttr getCandidateActivation(unsigned index) {
      return ::mlir::cast<ActivationAttr>(getActivations()[2 * index + 1]);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Any cell
//===----------------------------------------------------------------------===//

def Rnn_RecurrenceOp : Rnn_Op<"recurrence", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmResultNames", "getAsmBlockArgumentNames"]>]> {
  let summary = "a cell, given as the dataflow of one step, over all steps";
  let description = [{
    The body computes one step of one row. Its block arguments are, in order,
    the row of each of `sequences` at this step, each of `weights` whole, and
    the row of each state. It yields the row of each output and each next
    state. Steps run from the first to the last, or with `reverse` from the
    last to the first; a reversed output keeps the time index of its inputs.

    A row whose length n is less than T behaves as a sequence of n steps: its
    states stay as they are past them, and its outputs there are 0. The body
    has no part in that. A length past T counts as T, a negative one as 0.

    Below, a cell whose update gate needs no product with the state:

    ```mlir
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%zx, %nx) weights() initial(%h0) {
    ^bb0(%z: tensor<8xf32>, %n: tensor<8xf32>, %h: tensor<8xf32>):
      %u = rnn.sigmoid %z : tensor<8xf32>
      %d = arith.subf %n, %h : tensor<8xf32>
      %s = arith.mulf %u, %d : tensor<8xf32>
      %next = arith.addf %h, %s : tensor<8xf32>
      rnn.yield outputs(%next : tensor<8xf32>) states(%next : tensor<8xf32>)
    } : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    ```

    A body has one width N. It holds `rnn.dot`, `rnn.input_dot`, `rnn.random`,
    `rnn.lookup`, elementwise operations of `rnn`, `arith` and `math` on `tensor<N x ...>`,
    `tensor.extract_slice` of block arguments, constant splats, and the final
    `rnn.yield`: nothing by which an element of one head could reach another
    but a product.

    `random` is what `rnn.random` draws from: each row's number of steps done
    before this call, and the low and the high word of its seed.

    Constraints:
    - (C1) `direction` is forward or reverse.
    - (C2) There is at least one sequence, which says what T is, and at least
      one state. Each state has a final one; the other results are outputs.
    - (C3) The body has one argument for each of `sequences` (the operand's last
      axis), `weights` (its type) and `initial` (the operand's last axis).
    - (C4) The body yields one row for each output and each state, of the
      width and element type of the result.
    - (C5) Sequences, states, `lengths`, `random` and results agree in T and B.
    - (C6) Initial and final states have the same types.
    - (C7) The body holds no other operations than those above.
    - (C8) Every value of the body has the width N of the first state, except
      arguments and slices of weights for `rnn.dot`.
    - (C9) `heads` is at least 1 and divides N, and every `rnn.dot` has as many.
    - (C10) A slice is of a block argument that is not a state, with static
      offsets and sizes and unit strides; of a weight of rank 3, it takes whole
      rows of all heads.
    - (C11) `random` is [B, 3], and there if and only if the body holds an
      `rnn.random`.
  }];
  let arguments = (ins
    Variadic<Rnn_StepSequence>:$sequences,
    Variadic<Rnn_Tensor>:$weights,
    Variadic<Rnn_State>:$initial,
    Optional<Rnn_Lengths>:$lengths,
    Optional<Rnn_RandomState>:$random,
    Rnn_DirectionAttr:$direction,
    I64Attr:$heads,
    OptionalAttr<Rnn_PrecisionAttr>:$precision
  );
  let results = (outs Variadic<Rnn_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `direction` `(` custom<Choice>($direction) `)` `heads` `(` $heads `)`
    `sequences` `(` $sequences `)` `weights` `(` $weights `)`
    `initial` `(` $initial `)` (`lengths` `(` $lengths^ `)`)?
    (`random` `(` $random^ `)`)? (`precision` `(` $precision^ `)`)?
    attr-dict-with-keyword $body `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getStep() { return getBody().front(); }
    /// The results of one row a step, [T, B, N].
    ::mlir::ResultRange getOutputs() {
      return getResults().drop_back(getInitial().size());
    }
    /// The states after the last step, [B, H]; one for each of `initial`.
    ::mlir::ResultRange getFinalStates() {
      return getResults().take_back(getInitial().size());
    }
    /// Block arguments by what they stand for.
    ::mlir::Block::BlockArgListType getSequenceArguments() {
      return getStep().getArguments().take_front(getSequences().size());
    }
    ::mlir::Block::BlockArgListType getWeightArguments() {
      return getStep().getArguments().slice(getSequences().size(),
                                            getWeights().size());
    }
    ::mlir::Block::BlockArgListType getStateArguments() {
      return getStep().getArguments().take_back(getInitial().size());
    }
    /// N, the width of every value of the body.
    int64_t getWidth() {
      return ::mlir::cast<::mlir::RankedTensorType>(
          getInitial().front().getType()).getDimSize(1);
    }
    YieldOp getYield();
  }];
  let extraClassDefinition = [{
    YieldOp $cppClass::getYield() {
      return ::mlir::cast<YieldOp>(getStep().getTerminator());
    }
  }];
}

def Rnn_YieldOp : Rnn_Op<"yield", [
    Pure, Terminator, AttrSizedOperandSegments,
    ParentOneOf<["RecurrenceOp", "MapOp"]>]> {
  let summary = "the end of a body";
  let description = [{
    ```mlir
    rnn.yield outputs(%y : tensor<8xf32>) states(%h : tensor<8xf32>)
    ```
  }];
  let arguments = (ins Variadic<Rnn_Row>:$outputs, Variadic<Rnn_Row>:$states);
  let assemblyFormat = [{
    `outputs` `(` ($outputs^ `:` type($outputs))? `)`
    `states` `(` ($states^ `:` type($states))? `)` attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Pointwise bodies
//===----------------------------------------------------------------------===//

def Rnn_MapOp : Rnn_Op<"map", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmBlockArgumentNames"]>]> {
  let summary = "a pointwise function of rows, given as a body";
  let description = [{
    The body computes one row. Its block arguments are, in order, the row of
    each of `inputs` and each of `weights` whole; it yields the row of each
    result. Element i of a result depends on element i of inputs and rows
    alone, and on tables. Every conversion between two formats that needs more
    than `rnn.cast` is one: splitting into halves and joining them, scaling to
    a grid and back.

    ```mlir
    %q = rnn.map inputs(%x) weights(%scale) {
    ^bb0(%p: tensor<8xf32>, %s: tensor<8xf32>):
      %m = arith.mulf %p, %s : tensor<8xf32>
      %r = math.roundeven %m : tensor<8xf32>
      %i = arith.fptosi %r : tensor<8xf32> to tensor<8xi32>
      rnn.yield outputs(%i : tensor<8xi32>) states()
    } : (tensor<?x?x8xf32>, tensor<8xf32>) -> tensor<?x?x8xi32>
    ```

    Constraints:
    - (C1) There is at least one input and one result.
    - (C2) Inputs and results have one shape, [T, B, N] or [B, N].
    - (C3) Each of `weights` has rank 1.
    - (C4) The body has one argument for each of `inputs` (the operand's last
      axis) and `weights` (its type).
    - (C5) The body yields one row for each result, of its width and element
      type, and no state.
    - (C6) The body is one that `rnn.recurrence` may have, N being the width of
      the inputs, without `rnn.dot`, `rnn.random` and slices.
  }];
  let arguments = (ins Variadic<Rnn_Tensor>:$inputs,
                       Variadic<Rnn_Tensor>:$weights);
  let results = (outs Variadic<Rnn_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `inputs` `(` $inputs `)` `weights` `(` $weights `)`
    attr-dict-with-keyword $body `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getRow() { return getBody().front(); }
    /// Block arguments by what they stand for.
    ::mlir::Block::BlockArgListType getInputArguments() {
      return getRow().getArguments().take_front(getInputs().size());
    }
    ::mlir::Block::BlockArgListType getWeightArguments() {
      return getRow().getArguments().take_back(getWeights().size());
    }
    /// N, the width of every value of the body.
    int64_t getWidth() {
      return ::mlir::cast<::mlir::RankedTensorType>(
          getInputs().front().getType()).getShape().back();
    }
    YieldOp getYield();
  }];
  let extraClassDefinition = [{
    YieldOp $cppClass::getYield() {
      return ::mlir::cast<YieldOp>(getRow().getTerminator());
    }
  }];
}

#endif // RUNG_DIALECTS_RNN_RNNCELLS_TD
