//===- TileMatrixOps.td - matrices of a workgroup ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEMATRIXOPS_TD
#define RUNG_DIALECTS_TILE_TILEMATRIXOPS_TD

include "dialects/tile/TileBase.td"

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "a matrix from shared memory";
  let description = [{
    `%a = tile.load %s[%i, %j] : memref<...> -> !tile.matrix<16x64xf16, a>`:
    element (r, c) is shared[i + r][j + c]; `transposed`, as weights are that
    lie in rows of their outputs, shared[i + c][j + r].

    In a plain layout an `a` matrix is a view: the memory is read by the
    `tile.mma` that uses it and must keep its content until then.

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the matrix is no larger than the memory.
    - (C3) in a cooperative layout the memory's row pitch is a multiple of 16
      bytes.
    - (C4) the layout's instruction divides the matrix, its rows of subgroups
      the row blocks of all but `b`, and its columns of subgroups the column
      blocks of all but `a`.
    - (C5) only a `b` matrix is transposed.
  }];
  let arguments = (ins Tile_SharedMemory:$memory, Index:$row, Index:$column,
                       UnitAttr:$transposed);
  let results = (outs Tile_AnyMatrix:$matrix);
  let assemblyFormat = [{
    $memory `[` $row `,` $column `]` (`transposed` $transposed^)? attr-dict
    `:` type($memory) `->` type($matrix)
  }];
  let builders = [OpBuilder<(ins "::rung::tile::MatrixType":$matrix,
    "::mlir::Value":$memory, "::mlir::Value":$row, "::mlir::Value":$column), [{
    build($_builder, $_state, matrix, memory, row, column,
          /*transposed=*/false);
  }]>];
  let hasVerifier = 1;
}

def Tile_LoadPackedOp : Tile_Op<"load_packed", [MemoryEffects<[MemRead]>]> {
  let summary = "a right operand from packed weights in global memory";
  let description = [{
    Element (k, n) is memory[base + k * pitch + n]; `transposed`:
    memory[base + n * pitch + k]. Nothing is masked: packed weights are padded.
    In a cooperative layout base and pitch are multiples of 16 bytes.

    In a plain layout the result is a view, as that of `tile.load`.

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the layout's instruction divides the matrix, and its columns of
      subgroups the column blocks.
  }];
  let arguments = (ins Tile_GlobalMemory:$memory, Index:$base, Index:$pitch,
                       UnitAttr:$transposed);
  let results = (outs Tile_B:$matrix);
  let assemblyFormat = [{
    $memory `[` $base `]` `pitch` $pitch (`transposed` $transposed^)? attr-dict
    `:` type($memory) `->` type($matrix)
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastRowOp : Tile_Op<"broadcast_row", [MemoryEffects<[MemRead]>]> {
  let summary = "an accumulator whose rows are all one row of global memory";
  let description = [{
    Element (r, c) is memory[base + c].

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the matrix fits the layout, as for `tile.load`.
  }];
  let arguments = (ins Tile_GlobalMemory:$memory, Index:$base);
  let results = (outs Tile_Acc:$matrix);
  let assemblyFormat = [{
    $memory `[` $base `]` attr-dict `:` type($memory) `->` type($matrix)
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastColumnOp : Tile_Op<"broadcast_column", [
    MemoryEffects<[MemRead]>]> {
  let summary = "an accumulator with one value of shared memory for each row";
  let description = [{
    Element (r, c) is shared[i][j + r].

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the matrix fits the layout, as for `tile.load`.
    - (C3) a row of the memory holds a value for each row of the matrix.
  }];
  let arguments = (ins Tile_SharedMemory:$memory, Index:$row, Index:$column);
  let results = (outs Tile_Acc:$matrix);
  let assemblyFormat = [{
    $memory `[` $row `,` $column `]` attr-dict
    `:` type($memory) `->` type($matrix)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "an accumulator into shared memory";
  let description = [{
    `tile.store %m, %s[%i, %j] : !tile.matrix<...>, memref<...>`: element
    (r, c) goes to shared[i + r][j + c].

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the matrix is no larger than the memory.
    - (C3) in a cooperative layout the memory's row pitch is a multiple of 16
      bytes.
  }];
  let arguments = (ins Tile_Acc:$matrix, Tile_SharedMemory:$memory, Index:$row,
                       Index:$column);
  let assemblyFormat = [{
    $matrix `,` $memory `[` $row `,` $column `]` attr-dict
    `:` type($matrix) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Tile_StoreGlobalOp : Tile_Op<"store_global", [MemoryEffects<[MemWrite]>]> {
  let summary = "a whole accumulator into global memory";
  let description = [{
    `tile.store_global %m, %y[%base] pitch %p : !tile.matrix<...>, memref<...>`:
    element (r, c) goes to memory[base + r * pitch + c]. Nothing is masked. In
    a cooperative layout base and pitch are multiples of 16 bytes.

    Constraints:
    - (C1) memory and matrix have the same element type.
  }];
  let arguments = (ins Tile_Acc:$matrix, Tile_GlobalMemory:$memory, Index:$base,
                       Index:$pitch);
  let assemblyFormat = [{
    $matrix `,` $memory `[` $base `]` `pitch` $pitch attr-dict
    `:` type($matrix) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a part of an accumulator in which every subgroup has a share";
  let description = [{
    `%p = tile.slice %m[32, 64] : !tile.matrix<64x128xf32, acc> ->
    !tile.matrix<32x64xf32, acc>`: element (r, c) is m[32 + r][64 + c]. Nothing
    moves: each subgroup takes some of its own blocks.

    Constraints:
    - (C1) both have one element type, and the part lies inside the matrix.
    - (C2) offset and shape of the part are multiples of one block for each
      subgroup of the layout's grid.
  }];
  let arguments = (ins Tile_Acc:$source, I64Attr:$row, I64Attr:$column);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = [{
    $source `[` $row `,` $column `]` attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_FillOp : Tile_Op<"fill", [Pure]> {
  let summary = "an accumulator of one value";
  let description = [{
    `%m = tile.fill %x : f32 -> !tile.matrix<16x64xf32, acc>`

    Constraints:
    - (C1) scalar and matrix have the same element type.
    - (C2) the matrix fits the layout, as for `tile.load`.
  }];
  let arguments = (ins Tile_Scalar:$scalar);
  let results = (outs Tile_Acc:$matrix);
  let assemblyFormat = [{
    $scalar attr-dict `:` type($scalar) `->` type($matrix)
  }];
  let hasVerifier = 1;
}

def Tile_MmaOp : Tile_Op<"mma", [AllTypesMatch<["accumulator", "result"]>,
                                 MemoryEffects<[MemRead]>]> {
  let summary = "multiply two matrices and add to an accumulator";
  let description = [{
    `%r = tile.mma %acc, %a, %b : !tile.matrix<16x64xf32, acc>,
    !tile.matrix<16x32xf16, a>, !tile.matrix<32x64xf16, b>`

    In a cooperative layout the blocks of k are added in order, each by one
    instruction. In a plain layout a and b are read here, converted to the
    accumulator's element type and added for k = 0, 1, 2, ... in order; in f16,
    eight products at a time are summed from zero, and then added. Neighbours in k
    are read at once where the weights' rows are known to be multiples of 4
    bytes or more; the order of the sums is the same.

    Constraints:
    - (C1) the shapes agree: acc MxN, a MxK, b KxN.
    - (C2) a and b have the same element type.
    - (C3) floats accumulate in f32 or f16, i8 in i32.
    - (C4) in a plain layout a comes from a `tile.load` and b from a
      `tile.load_packed`.
  }];
  let arguments = (ins Tile_Acc:$accumulator, Tile_A:$a, Tile_B:$b);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = [{
    $accumulator `,` $a `,` $b attr-dict
    `:` type($accumulator) `,` type($a) `,` type($b)
  }];
  let hasVerifier = 1;
}

def Tile_ConvertOp : Tile_Op<"convert", [Pure]> {
  let summary = "an accumulator in another format";
  let description = [{
    `%h = tile.convert %m : !tile.matrix<16x64xf32, acc> ->
    !tile.matrix<16x64xf16, acc>`, to the nearest, ties to even. Integers are 0
    or more: drivers differ in what they take a matrix's others for.

    Constraints:
    - (C1) the shapes are the same.
    - (C2) the element types are f32 and f16, in either order, or go from i32 to
      f32.
  }];
  let arguments = (ins Tile_Acc:$source);
  let results = (outs Tile_Acc:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MapOp : Tile_Op<"map", [RecursiveMemoryEffects]> {
  let summary = "a function of each element";
  let description = [{
    The region computes one element of each result from one element of each
    operand; it may use scalars of the outside.

    ```mlir
    %y = tile.map(%a, %b) {
    ^bb0(%x: f32, %z: f32):
      %s = arith.addf %x, %z : f32
      tile.yield %s : f32
    } : (!tile.matrix<16x64xf32, acc>, !tile.matrix<16x64xf32, acc>)
        -> !tile.matrix<16x64xf32, acc>
    ```

    All operands and results are accumulators, or all are flights. Which
    element of a matrix an invocation holds depends on the element type, so
    matrices must not mix them; flights may.

    Constraints:
    - (C1) there is an operand; operands and results have one shape, and are
      either all accumulators of one element type or all flights of one width.
    - (C2) the region's arguments are the operands' element types.
    - (C3) the region yields the results' element types.
  }];
  let arguments = (ins Variadic<Tile_AccOrFlight>:$operands);
  let results = (outs Variadic<Tile_AccOrFlight>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $operands `)` $body attr-dict `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results,
    "::mlir::ValueRange":$operands,
    "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>("
    "::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$body)>];
}

#endif // RUNG_DIALECTS_TILE_TILEMATRIXOPS_TD
