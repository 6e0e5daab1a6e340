//===- TileRowOps.td - products of single rows -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEROWOPS_TD
#define RUNG_DIALECTS_TILE_TILEROWOPS_TD

include "dialects/tile/TileBase.td"

def Tile_Unit : Type<CPred<"::rung::tile::isUnit($_self)">,
                     "16 bytes as four words">;
def Tile_AnyMemory : AnyTypeOf<[Tile_GlobalMemory, Tile_SharedMemory]>;

def Tile_PutOp : Tile_Op<"put", [MemoryEffects<[MemWrite]>]> {
  let summary = "neighbours into shared memory, by one thread at once";
  let description = [{
    `tile.put %a, %b -> %s[%i, %j] : i8, i8 -> memref<...>`: shared[i][j] and
    shared[i][j + 1].

    Constraints:
    - (C1) the number of values is a width of the memory's element type, as in
      a flight; all have that type.
    - (C2) the column is known to be a multiple of that number.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Tile_SharedMemory:$memory,
                       Index:$row, Index:$column);
  let assemblyFormat = [{
    $values `->` $memory `[` $row `,` $column `]` attr-dict
    `:` type($values) `->` type($memory)
  }];
  let hasVerifier = 1;
}

def Tile_LaneRowOp : Tile_Op<"lane_row", [MemoryEffects<[MemRead]>]> {
  let summary = "a lane's part of a row of bytes";
  let description = [{
    A row of `depth` elements of i8, spread over the lanes of a subgroup in
    units of 16: result v of lane l is unit v * lanes + l, or zeros past the
    row's end. `index` is the row's first element in global memory, or its
    number in shared memory.

    ```mlir
    %w:4 = tile.lane_row %weights[%first] depth 2048
        : memref<?xi8> -> vector<4xi32>, ...
    ```

    Constraints:
    - (C1) the memory holds i8.
    - (C2) the depth is a positive multiple of 16, the index into global memory
      known to be one.
    - (C3) the layout is cooperative, and there are as many results as a lane
      has units.
  }];
  let arguments = (ins Tile_AnyMemory:$memory, Index:$index, I64Attr:$depth);
  let results = (outs Variadic<Tile_Unit>:$units);
  let assemblyFormat = [{
    $memory `[` $index `]` `depth` $depth attr-dict
    `:` type($memory) `->` type($units)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Units of a lane, of \p lanes.
    static int64_t unitsOf(int64_t depth, int64_t lanes) {
      return (depth / 16 + lanes - 1) / lanes;
    }
  }];
}

def Tile_UnitDotOp : Tile_Op<"unit_dot", [Pure]> {
  let summary = "the products of two units of bytes, and a sum";
  let description = [{
    `%s = tile.unit_dot %sum, %a, %b`: sum plus the products of the 16 signed
    bytes of a and b; what exceeds 32 bits is lost.
  }];
  let arguments = (ins I32:$sum, Tile_Unit:$lhs, Tile_Unit:$rhs);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $sum `,` $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)
  }];
}

def Tile_SubgroupSumOp : Tile_Op<"subgroup_sum", []> {
  let summary = "a sum over the lanes of a subgroup";
  let description = [{
    `%s = tile.subgroup_sum %x`: in every lane the sum of all lanes' i32. All
    lanes of the subgroup take part.

    Constraints:
    - (C1) the layout is cooperative.
  }];
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

#endif // RUNG_DIALECTS_TILE_TILEROWOPS_TD
