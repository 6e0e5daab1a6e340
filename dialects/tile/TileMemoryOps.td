//===- TileMemoryOps.td - flights and shared memory --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEMEMORYOPS_TD
#define RUNG_DIALECTS_TILE_TILEMEMORYOPS_TD

include "dialects/tile/TileBase.td"

def Tile_FetchOp : Tile_Op<"fetch", [RecursiveMemoryEffects,
                                     MemoryEffects<[MemRead]>]> {
  let summary = "take a block from global memory into flight";
  let description = [{
    Element (r, j) of the result is `memory[base + row(r) * pitch + j]` where
    row(r) >= 0 (signed) and j < columns, and 0 elsewhere. The region computes
    row(r) from the tile's row r; it may read memory, and must itself guard
    what it reads.

    ```mlir
    %f = tile.fetch %x[%base] pitch %pitch columns %c rows {
    ^bb0(%r: index):
      ...
      tile.yield %row : index
    } : memref<?xf32> -> !tile.flight<16x64xf32>
    ```

    The loads are unconditional: a masked element reads element 0 of the
    memory and drops it, so that all loads can be under way together. So the
    memory must not be empty. A flight's group of neighbours is loaded, or
    masked, at once.

    Constraints:
    - (C1) memory and flight have the same element type.
    - (C2) the region has one `index` argument and yields one `index`.
    - (C3) base, pitch and columns are known to be multiples of the flight's
      width.
  }];
  let arguments = (ins Tile_GlobalMemory:$memory, Index:$base, Index:$pitch,
                       Index:$columns);
  let results = (outs Tile_FlightType:$flight);
  let regions = (region SizedRegion<1>:$rows);
  let assemblyFormat = [{
    $memory `[` $base `]` `pitch` $pitch `columns` $columns `rows` $rows
    attr-dict `:` type($memory) `->` type($flight)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::rung::tile::FlightType":$flight,
    "::mlir::Value":$memory, "::mlir::Value":$base, "::mlir::Value":$pitch,
    "::mlir::Value":$columns,
    "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, "
    "::mlir::Value)>":$row)>];
}

def Tile_LandOp : Tile_Op<"land", [MemoryEffects<[MemWrite]>]> {
  let summary = "put a flight into shared memory";
  let description = [{
    `tile.land %f, %shared[%i, %j] : !tile.flight<...>, memref<...>` stores
    element (r, c) at shared[i + r][j + c]. A flight's group is stored at once
    where the place allows it, which its users decide together
    (`tile-distribute`).

    Constraints:
    - (C1) flight and memory have the same element type.
    - (C2) the flight is no larger than the memory.
  }];
  let arguments = (ins Tile_FlightType:$flight, Tile_SharedMemory:$memory,
                       Index:$row, Index:$column);
  let assemblyFormat = [{
    $flight `,` $memory `[` $row `,` $column `]` attr-dict
    `:` type($flight) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Tile_DrainOp : Tile_Op<"drain", [RecursiveMemoryEffects,
                                     MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "write a block of shared memory to global memory";
  let description = [{
    For each element (r, j) of `size` with row(r) >= 0 (signed) and
    j < columns, writes shared[i + r][j0 + j] to
    memory[base + row(r) * pitch + j], or 0 where keep(r) is false. The region
    computes row(r) and keep(r).

    ```mlir
    tile.drain %shared[%i, %j0] -> %y[%base] pitch %pitch columns %c
        size [16, 64] rows {
    ^bb0(%r: index):
      ...
      tile.yield %row, %keep : index, i1
    } : memref<16x72xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
    ```

    With `size [16, 64] width 4` a thread writes four neighbours in a row at
    once.

    Constraints:
    - (C1) both memories have the same element type.
    - (C2) the region has one `index` argument and yields an `index` and an
      `i1`.
    - (C3) `size` is positive and no larger than the shared memory.
    - (C4) the width is one of the element type, as in a flight, and divides
      the columns of `size`.
    - (C5) base, pitch and columns are known to be multiples of the width.
  }];
  let arguments = (ins Tile_SharedMemory:$shared, Index:$row, Index:$column,
                       Tile_GlobalMemory:$memory, Index:$base, Index:$pitch,
                       Index:$columns, DenseI64ArrayAttr:$size,
                       DefaultValuedAttr<I64Attr, "1">:$width);
  let regions = (region SizedRegion<1>:$rows);
  let assemblyFormat = [{
    $shared `[` $row `,` $column `]` `->` $memory `[` $base `]` `pitch` $pitch
    `columns` $columns `size` $size (`width` $width^)? `rows` $rows
    attr-dict `:` type($shared) `->` type($memory)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$shared, "::mlir::Value":$row,
    "::mlir::Value":$column, "::mlir::Value":$memory, "::mlir::Value":$base,
    "::mlir::Value":$pitch, "::mlir::Value":$columns,
    "::llvm::ArrayRef<int64_t>":$size, "int64_t":$width,
    "::llvm::function_ref<std::pair<::mlir::Value, ::mlir::Value>("
    "::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value)>":$rowAndKeep)>];
}

def Tile_ConvertSharedOp : Tile_Op<"convert_shared", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a block of shared memory to another element type";
  let description = [{
    Converts element by element: floats to the nearest, ties to even; integers
    keep their value where it fits, else their low bits. Contains no barrier.

    ```mlir
    tile.convert_shared %a[%i, %j] -> %b[%k, %l] size [16, 64]
        : memref<16x68xf32, #gpu.address_space<workgroup>>
          -> memref<16x72xbf16, #gpu.address_space<workgroup>>
    ```

    With `size [16, 64] width 8` a thread converts eight neighbours in a row at
    once.

    Constraints:
    - (C1) `size` is positive and no larger than either memory.
    - (C2) both element types are floats, or both are i32 or i8.
    - (C3) the width is one of both element types, as in a flight, and divides
      the columns of `size`.
  }];
  let arguments = (ins Tile_SharedMemory:$source, Index:$sourceRow,
                       Index:$sourceColumn, Tile_SharedMemory:$target,
                       Index:$targetRow, Index:$targetColumn,
                       DenseI64ArrayAttr:$size,
                       DefaultValuedAttr<I64Attr, "1">:$width);
  let assemblyFormat = [{
    $source `[` $sourceRow `,` $sourceColumn `]` `->`
    $target `[` $targetRow `,` $targetColumn `]` `size` $size
    (`width` $width^)? attr-dict
    `:` type($source) `->` type($target)
  }];
  let hasVerifier = 1;
}

def Tile_ReadOp : Tile_Op<"read", [MemoryEffects<[MemRead]>]> {
  let summary = "neighbours in global memory, by one thread at once";
  let description = [{
    `%v:4 = tile.read %x[%i] : memref<?xf32> -> f32, f32, f32, f32`: elements i
    to i + 3. Nothing is masked.

    Constraints:
    - (C1) the number of results is a width of the memory's element type, as in
      a flight; all have that type.
    - (C2) the index is known to be a multiple of that number.
  }];
  let arguments = (ins Tile_GlobalMemory:$memory, Index:$index);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $memory `[` $index `]` attr-dict `:` type($memory) `->` type($values)
  }];
  let hasVerifier = 1;
}

def Tile_WriteOp : Tile_Op<"write", [MemoryEffects<[MemWrite]>]> {
  let summary = "neighbours into global memory, by one thread at once";
  let description = [{
    `tile.write %a, %b -> %x[%i] : f32, f32 -> memref<?xf32>`: elements i and
    i + 1. Nothing is masked.

    Constraints:
    - (C1) the number of values is a width of the memory's element type, as in
      a flight; all have that type.
    - (C2) the index is known to be a multiple of that number.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Tile_GlobalMemory:$memory,
                       Index:$index);
  let assemblyFormat = [{
    $values `->` $memory `[` $index `]` attr-dict
    `:` type($values) `->` type($memory)
  }];
  let hasVerifier = 1;
}

#endif // RUNG_DIALECTS_TILE_TILEMEMORYOPS_TD
