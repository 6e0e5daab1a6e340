//===- TileTypes.td - types of the tile dialect ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILETYPES_TD
#define RUNG_DIALECTS_TILE_TILETYPES_TD

include "dialects/tile/TileAttrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Tile_Type<string name, string typeMnemonic>
    : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_MatrixType : Tile_Type<"Matrix", "matrix"> {
  let summary = "a matrix spread over the workgroup's subgroups";
  let description = [{
    `!tile.matrix<16x64xf32, acc>`. The last word is the matrix's place in a
    product: `acc`, `a` (left) or `b` (right).

    Constraints:
    - (C1) both extents are positive.
    - (C2) the element type is f32, f16, bf16, i32 or i8.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns,
                        "::mlir::Type":$elementType,
                        "::rung::tile::MatrixUse":$use);
  let builders = [
    TypeBuilderWithInferredContext<(ins "int64_t":$rows, "int64_t":$columns,
      "::mlir::Type":$elementType, "::rung::tile::MatrixUse":$use), [{
      return $_get(elementType.getContext(), rows, columns, elementType, use);
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_FlightType : Tile_Type<"Flight", "flight"> {
  let summary = "a block on its way from memory, spread over the threads";
  let description = [{
    `!tile.flight<16x64xf32>`. Element e of thread t is the block's flat index
    e * threads + t, so that neighbouring threads touch neighbouring memory.

    `!tile.flight<16x64xf32, width 4>`: the same of groups of four neighbours
    in a row, which a thread moves at once. Group g of thread t is the block's
    flat group g * threads + t, where a row has two or four groups with each
    eight rows dealt out anew, so that threads that store together use all
    banks of shared memory.

    Constraints:
    - (C1) both extents are positive.
    - (C2) the element type is f32, f16, bf16, i32 or i8.
    - (C3) the width is 1, or a power of two whose elements make 4 bytes, 8, or
      a multiple of 16; it divides the columns.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns,
                        "::mlir::Type":$elementType, "int64_t":$width);
  let builders = [
    TypeBuilderWithInferredContext<(ins "int64_t":$rows, "int64_t":$columns,
      "::mlir::Type":$elementType, CArg<"int64_t", "1">:$width), [{
      return $_get(elementType.getContext(), rows, columns, elementType, width);
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_BufferType : Tile_Type<"Buffer", "buffer"> {
  let summary = "a device buffer of a program, by its element type";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Tile_AnyMatrix : Type<
  CPred<"::llvm::isa<::rung::tile::MatrixType>($_self)">, "a matrix",
  "::rung::tile::MatrixType">;
class Tile_MatrixOf<string use, string text> : Type<And<[
    CPred<"::llvm::isa<::rung::tile::MatrixType>($_self)">,
    CPred<"::llvm::cast<::rung::tile::MatrixType>($_self).getUse() == "
          "::rung::tile::MatrixUse::" # use>]>, text,
    "::rung::tile::MatrixType">;
def Tile_Acc : Tile_MatrixOf<"Acc", "an accumulator matrix">;
def Tile_A : Tile_MatrixOf<"A", "a left operand matrix">;
def Tile_B : Tile_MatrixOf<"B", "a right operand matrix">;
def Tile_AccOrFlight : AnyTypeOf<[Tile_Acc, Tile_FlightType],
  "an accumulator matrix or a flight">;

def Tile_GlobalMemory : MemRefRankOf<[F32, F16, BF16, I32, I16, I8], [1]>;
def Tile_SharedMemory : MemRefRankOf<[F32, F16, BF16, I32, I16, I8], [2]>;
/// After `tile-distribute` shared memory may be made of units of several i32.
def Tile_SharedArray : MemRefRankOf<
  [F32, F16, BF16, I32, I16, I8, VectorOfLengthAndType<[2, 4], [I32]>], [2]>;
def Tile_Scalar : AnyTypeOf<[F32, F16, BF16, I32]>;

#endif // RUNG_DIALECTS_TILE_TILETYPES_TD
