//===- TileBlockOps.td - one subgroup's matrix block -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What `tile-distribute` leaves of the dialect in a kernel: accesses of one
// cooperative matrix, which need a SPIR-V pointer, its fill, and buffers seen
// as arrays of wider units.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_DIALECTS_TILE_TILEBLOCKOPS_TD
#define RUNG_DIALECTS_TILE_TILEBLOCKOPS_TD

include "dialects/tile/TileBase.td"

def Tile_AnyBlock : Type<
  CPred<"::llvm::isa<::mlir::spirv::CooperativeMatrixType>($_self)">,
  "a cooperative matrix of a subgroup">;

def Tile_BlockLoadOp : Tile_Op<"block_load", [MemoryEffects<[MemRead]>]> {
  let summary = "load a cooperative matrix";
  let description = [{
    From the element of the memory that `indices` name, rows (`column_major`:
    columns) `stride` elements apart. The memory may be one of units of 4, 8 or
    16 bytes, which then count as its elements.
  }];
  let arguments = (ins AnyMemRef:$memory, Variadic<Index>:$indices,
                       Index:$stride, UnitAttr:$columnMajor);
  let results = (outs Tile_AnyBlock:$block);
  let assemblyFormat = [{
    $memory `[` $indices `]` `stride` $stride
    (`column_major` $columnMajor^)? attr-dict
    `:` type($memory) `->` type($block)
  }];
}

def Tile_BlockStoreOp : Tile_Op<"block_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "store a cooperative matrix";
  let description = [{
    To where a `block_load` with the same operands would take it from.
  }];
  let arguments = (ins Tile_AnyBlock:$block, AnyMemRef:$memory,
                       Variadic<Index>:$indices, Index:$stride,
                       UnitAttr:$columnMajor);
  let assemblyFormat = [{
    $block `,` $memory `[` $indices `]` `stride` $stride
    (`column_major` $columnMajor^)? attr-dict `:` type($block) `,` type($memory)
  }];
}

def Tile_BlockFillOp : Tile_Op<"block_fill", [Pure]> {
  let summary = "a cooperative matrix of one value";
  let description = [{
    Stands for `spirv.CompositeConstruct`, which upstream folds into ops that
    take elements out by asking the matrix for its number of elements: it has
    none that is known.
  }];
  let arguments = (ins Tile_Scalar:$scalar);
  let results = (outs Tile_AnyBlock:$block);
  let assemblyFormat = [{
    $scalar attr-dict `:` type($scalar) `->` type($block)
  }];
}

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "a kernel's buffer as an array of wider units";
  let description = [{
    `%v = tile.view %x : memref<?xf16, ...> -> memref<?xvector<4xi32>, ...>`:
    unit i is bytes 16 * i to 16 * i + 15 of the buffer. Becomes a variable of
    its own on the buffer's binding.
  }];
  let arguments = (ins AnyMemRef:$memory);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = [{
    $memory attr-dict `:` type($memory) `->` type($view)
  }];
}

#endif // RUNG_DIALECTS_TILE_TILEBLOCKOPS_TD
