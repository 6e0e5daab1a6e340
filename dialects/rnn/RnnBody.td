//===- RnnBody.td - operations of a cell's body ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNBODY_TD
#define RUNG_DIALECTS_RNN_RNNBODY_TD

include "dialects/rnn/RnnAttrs.td"
include "dialects/rnn/RnnTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Rnn_InBody : ParentOneOf<["RecurrenceOp", "MapOp"]>;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

def Rnn_DotOp : Rnn_Op<"dot", [Pure, HasParent<"RecurrenceOp">]> {
  let summary = "the product of a row with one matrix a head";
  let description = [{
    `result[h * dn + o] = sum_k weight[h, o, k] * input[h * dk + k]`.

    ```mlir
    %y = rnn.dot %h, %u
        : (tensor<256xf16>, tensor<4x64x64xf16>) -> tensor<256xf32>
    ```

    Sums are of the result's format; integer sums are exact.

    Constraints:
    - (C1) `input` is heads * dk wide, `weight` being [heads, dn, dk].
    - (C2) `result` is heads * dn wide.
    - (C3) `input` and `weight` have the same element type.
    - (C4) `result` is of f32 for f32 and bf16 operands, of f32 or f16 for f16,
      and of i32 for i8.
  }];
  let arguments = (ins Rnn_Row:$input, Rnn_HeadMatrices:$weight);
  let results = (outs Rnn_Row:$result);
  let assemblyFormat = [{
    $input `,` $weight attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rnn_InputDotOp : Rnn_Op<"input_dot", [Pure, HasParent<"RecurrenceOp">]> {
  let summary = "the product of a sequence's row with rows of a weight";
  let description = [{
    `result[j] = sum_i weight[first + j, i] * input[i]`, for j below the body's
    width: what an `rnn.linear` of that sequence gives a step, without its bias.
    It needs nothing of the step before.

    ```mlir
    %xz = rnn.input_dot %x, %w first(256)
        : (tensor<64xf16>, tensor<768x64xf16>) -> tensor<256xf32>
    ```

    It stands only between `rnn-fuse-input-product` and kernels: a bundle's
    graph holds the `rnn.linear` that it was.

    Constraints:
    - (C1) `input` is a sequence's whole row, an argument of the body, and
      `weight` a whole weight of the body.
    - (C2) `weight` has rank 2, and its columns are the width of `input`.
    - (C3) `first` is not negative, and `first` and the width of `result` do
      not exceed the rows of `weight`.
    - (C4) `input` and `weight` have the same element type.
    - (C5) `result` is of f32 for f32 and bf16 operands, of f32 or f16 for f16,
      and of i32 for i8.
  }];
  let arguments = (ins Rnn_Row:$input, Rnn_Tensor:$weight, I64Attr:$first);
  let results = (outs Rnn_Row:$result);
  let assemblyFormat = [{
    $input `,` $weight `first` `(` $first `)` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Rnn_SigmoidOp : Rnn_Op<"sigmoid", [
    Pure, SameOperandsAndResultType, Rnn_InBody] #
    ElementwiseMappable.traits> {
  let summary = "the logistic function";
  let description = [{
    1 / (1 + exp(-x)) of each element, 0 and 1 at the infinities.

    ```mlir
    %z = rnn.sigmoid %a : tensor<256xf32>
    ```
  }];
  let arguments = (ins Rnn_FloatRow:$input);
  let results = (outs Rnn_FloatRow:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

//===----------------------------------------------------------------------===//
// Stochastic rounding
//===----------------------------------------------------------------------===//

def Rnn_RandomOp : Rnn_Op<"random", [Pure, HasParent<"RecurrenceOp">]> {
  let summary = "32 random bits an element";
  let description = [{
    Word `word` of Philox4x32-10 (Salmon et al., 2011) with

        counter = (step, layer, batch row, column)
        key     = (low word, high word of the row's seed)

    where step is the row's number of steps before this call plus the number of
    iterations in it (0 in the first, whatever the direction), and column the
    position in the row. So the bits depend on neither tiling, device nor
    segmentation. Step and seed come from the recurrence's `random`.

    ```mlir
    %bits = rnn.random layer(0) word(1) : tensor<256xi32>
    ```

    Constraints:
    - (C1) `layer` is not negative.
    - (C2) `word` is 0, 1, 2 or 3.
  }];
  let arguments = (ins Rnn_IntegerAttr:$layer, Rnn_IntegerAttr:$word);
  let results = (outs Rnn_WordRow:$result);
  let assemblyFormat = [{
    `layer` `(` $layer `)` `word` `(` $word `)` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Rnn_AddStochasticOp : Rnn_Op<"add_stochastic", [
    Pure, Rnn_InBody, AllTypesMatch<["lhs", "rhs", "result"]>] #
    ElementwiseMappable.traits> {
  let summary = "sum of two f16, rounded at random without bias";
  let description = [{
    Let v be the exact sum. If v is an f16, or infinite, or NaN, it is the
    result. Otherwise, with lo < v < hi the f16 beside it, the result is hi if

        bits < (v - lo) / (hi - lo) * 2^32

    with `bits` as an unsigned number, else lo: hi comes with the probability
    (v - lo) / (hi - lo), exactly, subnormals included. Past the largest finite
    magnitude, 65504, the upper neighbour is 65536, which becomes infinity.

    ```mlir
    %s = rnn.add_stochastic %h, %d, %bits : tensor<256xf16>, tensor<256xi32>
    ```
  }];
  let arguments = (ins Rnn_HalfRow:$lhs, Rnn_HalfRow:$rhs, Rnn_WordRow:$bits);
  let results = (outs Rnn_HalfRow:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $bits attr-dict `:` type($lhs) `,` type($bits)
  }];
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def Rnn_RequantizeOp : Rnn_Op<"requantize", [
    Pure, SameOperandsAndResultType, Rnn_InBody] #
    ElementwiseMappable.traits> {
  let summary = "multiplication by a fixed-point factor";
  let description = [{
    `floor((input * factor + 2^(shift - 1)) / 2^shift)`, all of it exact, of
    which the low 32 bits are kept. This is the one rounding of the integer
    rungs: to nearest, a half upwards.

    ```mlir
    %y = rnn.requantize %v, %f shift(24) : tensor<256xi32>
    ```

    Constraints:
    - (C1) `shift` is 1 to 62.
  }];
  let arguments = (ins Rnn_WordRow:$input, Rnn_WordRow:$factor,
                       Rnn_IntegerAttr:$shift);
  let results = (outs Rnn_WordRow:$result);
  let assemblyFormat = [{
    $input `,` $factor `shift` `(` $shift `)` attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
}

def Rnn_PiecewiseOp : Rnn_Op<"piecewise", [
    Pure, SameOperandsAndResultType, Rnn_InBody] #
    ElementwiseMappable.traits> {
  let summary = "a piecewise linear function";
  let description = [{
    With i the number of knots that are at most x, the result is
    `offsets[i] + requantize(x, slopes[i])`, its requantization being by
    `shift`; the sum wraps.

    ```mlir
    // A ramp from 0 to 256.
    %y = rnn.piecewise %x knots([0, 1024]) slopes([0, 256, 0])
        offsets([0, 0, 256]) shift(10) : tensor<256xi32>
    ```

    Constraints:
    - (C1) There are P slopes and P offsets, and P - 1 knots, P being 1 or more.
    - (C2) Each knot is more than the one before it.
    - (C3) `shift` is 1 to 62.
  }];
  let arguments = (ins Rnn_WordRow:$input, DenseI32ArrayAttr:$knots,
                       DenseI32ArrayAttr:$slopes, DenseI32ArrayAttr:$offsets,
                       Rnn_IntegerAttr:$shift);
  let results = (outs Rnn_WordRow:$result);
  let assemblyFormat = [{
    $input `knots` `(` $knots `)` `slopes` `(` $slopes `)`
    `offsets` `(` $offsets `)` `shift` `(` $shift `)`
    attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// P, the number of pieces.
    size_t getNumPieces() { return getSlopes().size(); }
  }];
}

def Rnn_LookupOp : Rnn_Op<"lookup", [
    Pure, Rnn_InBody, AllTypesMatch<["input", "result"]>]> {
  let summary = "an entry of a table, or a point between two";
  let description = [{
    A table of K intervals, the first of which begins at `low`, each of them
    2^shift long. With

        u = min(max(x - low, 0), K * 2^shift - 1)      i = floor(u / 2^shift)

    the result is `table[i]`, or with `interpolate`

        table[i] + floor(((table[i + 1] - table[i]) * (u mod 2^shift)
                          + 2^(shift - 1)) / 2^shift)

    where differences and products are exact. The table has K entries, with
    `interpolate` K + 1.

    ```mlir
    %y = rnn.lookup %x, %table low(-32768) shift(8) interpolate
        : tensor<256xi32>, tensor<257xi32>
    ```

    Constraints:
    - (C1) `table` is one of the weights of the body, whole.
    - (C2) `table` has at least 1 entry, with `interpolate` 2.
    - (C3) `shift` is 0 to 30, with `interpolate` 1 to 30.
    - (C4) `low` + K * 2^shift is at most 2^31, and so is K * 2^shift; so an
      input may be limited to the table's range before `low` is subtracted.
  }];
  let arguments = (ins Rnn_WordRow:$input, Rnn_WordRow:$table,
                       Rnn_IntegerAttr:$low, Rnn_IntegerAttr:$shift,
                       UnitAttr:$interpolate);
  let results = (outs Rnn_WordRow:$result);
  let assemblyFormat = [{
    $input `,` $table `low` `(` $low `)` `shift` `(` $shift `)`
    (`interpolate` $interpolate^)? attr-dict `:` type($input) `,` type($table)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// K, the number of intervals.
    int64_t getNumIntervals() {
      return getTable().getType().getDimSize(0) - (getInterpolate() ? 1 : 0);
    }
  }];
}

#endif // RUNG_DIALECTS_RNN_RNNBODY_TD
