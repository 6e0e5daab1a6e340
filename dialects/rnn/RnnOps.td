//===- RnnOps.td - operations on graphs of layers ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNOPS_TD
#define RUNG_DIALECTS_RNN_RNNOPS_TD

include "dialects/rnn/RnnAttrs.td"
include "dialects/rnn/RnnTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

def Rnn_WeightOp : Rnn_Op<"weight", [Symbol]> {
  let summary = "a named weight of the model";
  let description = [{
    Holds one tensor of trained numbers; any function of the module may load it.

    ```mlir
    rnn.weight @fc.bias : tensor<2xf32> = dense<[0.5, -1.0]>
    ```

    Constraints:
    - (C1) `value` has a ranked tensor type with an element type of f32, f16,
      bf16, i8 or i32 and at least one element.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$value);
  let assemblyFormat =
      "$sym_name `:` custom<TypedElements>($value) attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getValue().getType());
    }
  }];
}

def Rnn_LoadWeightOp : Rnn_Op<"load_weight", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the value of a weight";
  let description = [{
    ```mlir
    %w = rnn.load_weight @fc.bias : tensor<2xf32>
    ```

    Constraints:
    - (C1) `weight` names an `rnn.weight` of the enclosing module.
    - (C2) The result has the type of that weight.
  }];
  let arguments = (ins FlatSymbolRefAttr:$weight);
  let results = (outs Rnn_Tensor:$result);
  let assemblyFormat = "$weight attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Layers around the cell
//===----------------------------------------------------------------------===//

def Rnn_EmbeddingOp : Rnn_Op<"embedding", [Pure]> {
  let summary = "rows of a table, chosen by ids";
  let description = [{
    `result[t, b] = table[ids[t, b]]`. An id below 0 or past the last row reads
    the first or the last row.

    ```mlir
    %x = rnn.embedding %ids, %table
        : (tensor<?x?xi32>, tensor<101x64xf32>) -> tensor<?x?x64xf32>
    ```

    Constraints:
    - (C1) `table` has rank 2 and at least one row.
    - (C2) `result` has the shape of `ids` with the width of `table` behind it.
    - (C3) `result` and `table` have the same element type.
  }];
  let arguments = (ins Rnn_Ids:$ids, Rnn_Tensor:$table);
  let results = (outs Rnn_Tensor:$result);
  let assemblyFormat = [{
    $ids `,` $table attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rnn_LinearOp : Rnn_Op<"linear", [Pure]> {
  let summary = "a matrix product over the last axis, with an optional bias";
  let description = [{
    `result[..., o] = sum_i input[..., i] * weight[o, i] + bias[o]`.

    ```mlir
    %y = rnn.linear %x, %w, %b
        : (tensor<?x?x64xf32>, tensor<101x64xf32>, tensor<101xf32>)
        -> tensor<?x?x101xf32>
    ```

    Precision passes may make the operands of the product narrower than its
    sum: `input` and `weight` have one element type, `bias` and `result` one.
    Integer sums are exact.

    Constraints:
    - (C1) `weight` has rank 2, and its columns are the width of `input`.
    - (C2) `bias` has rank 1, and as many elements as `weight` has rows.
    - (C3) `result` has the shape of `input` with the rows of `weight` as width.
    - (C4) `input` and `weight` have the same element type.
    - (C5) `bias` and `result` have the same element type.
    - (C6) `result` is of f32 for f32 and bf16 operands, of f32 or f16 for f16,
      and of i32 for i8.
  }];
  let arguments = (ins Rnn_Tensor:$input, Rnn_Tensor:$weight,
                       Optional<Rnn_Tensor>:$bias,
                       OptionalAttr<Rnn_PrecisionAttr>:$precision);
  let results = (outs Rnn_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`,` $bias^)? (`precision` `(` $precision^ `)`)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rnn_RmsNormOp : Rnn_Op<"rms_norm", [Pure, TypesMatchWith<
    "result has the type of input", "input", "result", "$_self">]> {
  let summary = "division by the root of the mean square over the last axis";
  let description = [{
    `result[..., i] = input[..., i] / sqrt(mean_j(input[..., j]^2) + epsilon)
    * scale[i]`.

    ```mlir
    %y = rnn.rms_norm %x, %scale {epsilon = 1.0e-6 : f64}
        : tensor<?x?x64xf32>, tensor<64xf32>
    ```

    Constraints:
    - (C1) `scale` has rank 1 and the width of `input`.
    - (C2) `scale` and `input` have the same element type.
    - (C3) `epsilon` is finite and not negative.
  }];
  let arguments = (ins Rnn_FloatTensor:$input,
                       Rnn_FloatTensor:$scale,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$epsilon);
  let results = (outs Rnn_FloatTensor:$result);
  let assemblyFormat =
      "$input `,` $scale attr-dict `:` type($input) `,` type($scale)";
  let hasVerifier = 1;
}

def Rnn_IntegerRmsNormOp : Rnn_Op<"integer_rms_norm", [Pure, TypesMatchWith<
    "result has the type of input", "input", "result", "$_self">]> {
  let summary = "rms_norm in integers alone";
  let description = [{
    For each row x of N integers, with k = max(0, ceil(log2 N) - 1) and
    p = 14 - ceil(k / 2):

        x_j is limited to -32767 .. 32767
        v = max(1, epsilon + sum_j floor((x_j^2 + (k > 0 ? 2^(k-1) : 0)) / 2^k))
        d = 0; while v < 2^30: v = 4 v, d = d + 1
        q = floor(sqrt(v))
        z_j = x_j * 2^(d + p) / q, rounded towards 0
        result_j = floor((z_j * factor_j + 2^(shift-1)) / 2^shift)

    v fits 32 bits unsigned and z_j 32 bits signed; the last line is that of
    `rnn.requantize`. So z_j is about 2^p * x_j / sqrt(sum_j x_j^2 / 2^k +
    epsilon), where 2^k is N / 2 if N is a power of two, and |z_j| < 2^15.

    ```mlir
    %y = rnn.integer_rms_norm %x, %factor epsilon(7) shift(24)
        : tensor<?x?x64xi32>, tensor<64xi32>
    ```

    Constraints:
    - (C1) `factor` has rank 1 and the width of `input`.
    - (C2) `epsilon` is not negative.
    - (C3) `shift` is 1 to 62.
    - (C4) `input` is 1 to 65536 wide.
  }];
  let arguments = (ins Rnn_WordTensor:$input, Rnn_WordTensor:$factor,
                       Rnn_IntegerAttr:$epsilon, Rnn_IntegerAttr:$shift);
  let results = (outs Rnn_WordTensor:$result);
  let assemblyFormat = [{
    $input `,` $factor `epsilon` `(` $epsilon `)` `shift` `(` $shift `)`
    attr-dict `:` type($input) `,` type($factor)
  }];
  let hasVerifier = 1;
}

def Rnn_SoftmaxOp : Rnn_Op<"softmax", [Pure, SameOperandsAndResultType]> {
  let summary = "exponentials over the last axis, divided by their sum";
  let description = [{
    `result[..., i] = exp(input[..., i] - m) / sum_j exp(input[..., j] - m)`,
    m being the largest of `input[..., j]`.

    ```mlir
    %p = rnn.softmax %x : tensor<?x?x101xf32>
    ```
  }];
  let arguments = (ins Rnn_FloatTensor:$input);
  let results = (outs Rnn_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Rnn_ArgmaxOp : Rnn_Op<"argmax", [Pure]> {
  let summary = "index of the largest element of the last axis";
  let description = [{
    The lowest index among equals.

    ```mlir
    %id = rnn.argmax %x : tensor<?x?x101xf32> -> tensor<?x?xi32>
    ```

    Constraints:
    - (C1) `result` has the shape of `input` without its last axis.
    - (C2) The last axis of `input` has at least one element.
  }];
  let arguments = (ins Rnn_Tensor:$input);
  let results = (outs Rnn_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Random states
//===----------------------------------------------------------------------===//

def Rnn_AdvanceRandomOp : Rnn_Op<"advance_random", [
    Pure, TypesMatchWith<"result has the type of random", "random", "result",
                         "$_self">]> {
  let summary = "random states after the steps of a sequence";
  let description = [{
    A row of `random` is the number of its steps done, and the low and the high
    word of its seed. The first grows by the number of steps that the row has
    in `sequence`, T, or with `lengths` min(max(lengths, 0), T), and wraps; the
    seed stays.

    ```mlir
    %next = rnn.advance_random %r, %x lengths(%n)
        : tensor<?x3xi32>, tensor<?x?x8xf32>, tensor<?xi32>
    ```

    Constraints:
    - (C1) `random` is [B, 3].
    - (C2) `random`, `sequence` and `lengths` agree in B.
  }];
  let arguments = (ins Rnn_RandomState:$random, Rnn_Sequence:$sequence,
                       Optional<Rnn_Lengths>:$lengths);
  let results = (outs Rnn_RandomState:$result);
  let assemblyFormat = [{
    $random `,` $sequence (`lengths` `(` $lengths^ `)`)? attr-dict `:`
    type($random) `,` type($sequence) (`,` type($lengths)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

def Rnn_ActivationOp
    : Rnn_Op<"activation", [Pure, SameOperandsAndResultType]> {
  let summary = "a pointwise function";
  let description = [{
    ```mlir
    %y = rnn.activation %x {function = #rnn.activation<tanh>}
        : tensor<?x?x64xf32>
    ```
  }];
  let arguments = (ins Rnn_FloatTensor:$input, Rnn_ActivationAttr:$function);
  let results = (outs Rnn_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Rnn_AddOp
    : Rnn_Op<"add", [Pure, Commutative, SameOperandsAndResultType]> {
  let summary = "pointwise sum";
  let description = [{
    ```mlir
    %y = rnn.add %a, %b : tensor<?x?x64xf32>
    ```
  }];
  let arguments = (ins Rnn_Tensor:$lhs, Rnn_Tensor:$rhs);
  let results = (outs Rnn_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Rnn_ConcatOp : Rnn_Op<"concat", [Pure]> {
  let summary = "tensors side by side along the last axis";
  let description = [{
    ```mlir
    %y = rnn.concat %a, %b
        : (tensor<?x?x64xf32>, tensor<?x?x32xf32>) -> tensor<?x?x96xf32>
    ```

    Constraints:
    - (C1) There is at least one input.
    - (C2) The inputs and `result` differ in the size of the last axis alone.
    - (C3) The width of `result` is the sum of the inputs' widths.
  }];
  let arguments = (ins Variadic<Rnn_Tensor>:$inputs);
  let results = (outs Rnn_Tensor:$result);
  let assemblyFormat =
      "$inputs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rnn_CastOp : Rnn_Op<"cast", [Pure]> {
  let summary = "conversion to another float format";
  let description = [{
    Rounds to nearest, ties to even; a value past the largest becomes infinite.

    ```mlir
    %y = rnn.cast %x : tensor<?x?x64xf32> to tensor<?x?x64xf16>
    ```

    Constraints:
    - (C1) `input` and `result` have the same shape.
  }];
  let arguments = (ins Rnn_FloatTensor:$input);
  let results = (outs Rnn_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // RUNG_DIALECTS_RNN_RNNOPS_TD
