//===- TileAttrs.td - attributes of the tile dialect -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEATTRS_TD
#define RUNG_DIALECTS_TILE_TILEATTRS_TD

include "dialects/tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::rung::tile";
  let genSpecializedAttr = 0;
}

class Tile_EnumAttr<Tile_Enum enum, string mnemonic>
    : EnumAttr<Tile_Dialect, enum, mnemonic>;

//===----------------------------------------------------------------------===//
// Of kernels
//===----------------------------------------------------------------------===//

def Tile_Use : Tile_Enum<"MatrixUse", "a matrix's place in a product", [
  I32EnumAttrCase<"A", 0, "a">, I32EnumAttrCase<"B", 1, "b">,
  I32EnumAttrCase<"Acc", 2, "acc">]>;

def Tile_Access : Tile_Enum<"Access", "what a kernel does to a buffer", [
  I32EnumAttrCase<"Read", 0, "read">, I32EnumAttrCase<"Write", 1, "write">,
  I32EnumAttrCase<"ReadWrite", 2, "read_write">]>;
def Tile_AccessAttr : Tile_EnumAttr<Tile_Access, "access"> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_Reduction : Tile_Enum<"Reduction", "how two values become one", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">]>;
def Tile_ReductionAttr : Tile_EnumAttr<Tile_Reduction, "reduction">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what becomes of a shared word", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Or", 1, "or">,
  I32EnumAttrCase<"Exchange", 2, "exchange">]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;

def Tile_Order : Tile_Enum<"Order", "what an atomic access orders", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">,
  I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">]>;
def Tile_OrderAttr : Tile_EnumAttr<Tile_Order, "order">;

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "how matrices are spread over a kernel's workgroup";
  let description = [{
    The workgroup is one-dimensional, of `subgroups * subgroup_size` threads.
    `instruction` is [m, n, k]: the block that one matrix instruction handles.
    An accumulator is split into m x n blocks. Subgroups form a grid of
    `subgroup_rows` (1 where it isn't written) by C = subgroups / subgroup_rows.
    Subgroup s, in row i = s / C and column j = s mod C of the grid, owns the
    blocks whose row is i, i + subgroup_rows, ... and whose column is j, j + C,
    ... Of an `a` operand it holds its own row blocks, of a `b` operand its own
    column blocks.

    With `cooperative = true` a block is a cooperative matrix of the subgroup,
    m * n / subgroup_size elements an invocation. `instruction = transposed
    [8, 16, 16]` is for devices whose instruction is 16 x 8 x 16: a block is held
    as its transpose, a product a * b is done as b' * a', and so few rows meet
    instructions of few columns. With `cooperative = false`
    element e of lane l is the block's flat index e * subgroup_size + l, `a`
    and `b` are views of memory, and "subgroup" only means so many consecutive
    threads: no subgroup operation is used.

    Constraints:
    - (C1) `instruction` has 3 positive entries; `subgroups` and
      `subgroup_size` are positive.
    - (C2) `subgroup_size` divides m * n.
    - (C3) one of `subgroup_size` and n divides the other.
    - (C4) `subgroup_rows` is positive and divides `subgroups`.
    - (C5) only cooperative matrices are transposed.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$instruction,
                        "int64_t":$subgroups, "int64_t":$subgroupSize,
                        "bool":$cooperative,
                        DefaultValuedParameter<"int64_t", "1">:$subgroupRows,
                        DefaultValuedParameter<"bool", "false">:$transposed);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$instruction,
                     "int64_t":$subgroups, "int64_t":$subgroupSize,
                     "bool":$cooperative), [{
      return $_get($_ctxt, instruction, subgroups, subgroupSize, cooperative,
                   /*subgroupRows=*/1, /*transposed=*/false);
    }]>];
  let assemblyFormat = [{
    `<` `instruction` `=` custom<Transposed>($transposed) `[` $instruction `]` `,` `subgroups` `=` $subgroups
    `,` `subgroup_size` `=` $subgroupSize `,` `cooperative` `=` $cooperative
    (`,` `subgroup_rows` `=` $subgroupRows^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getM() const { return getInstruction()[0]; }
    int64_t getN() const { return getInstruction()[1]; }
    int64_t getK() const { return getInstruction()[2]; }
    int64_t getThreads() const { return getSubgroups() * getSubgroupSize(); }
    int64_t getSubgroupColumns() const {
      return getSubgroups() / getSubgroupRows();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Of programs
//===----------------------------------------------------------------------===//

def Tile_Symbol : Tile_Enum<"Symbol", "a size known when the program runs", [
  I32EnumAttrCase<"One", 0, "one">, I32EnumAttrCase<"T", 1, "T">,
  I32EnumAttrCase<"B", 2, "B">, I32EnumAttrCase<"TB", 3, "TB">]>;
def Tile_SymbolAttr : Tile_EnumAttr<Tile_Symbol, "symbol">;

def Tile_FactorAttr : Tile_Attr<"Factor", "factor"> {
  let summary = "ceil(symbol / divisor) * multiplier";
  let parameters = (ins "::rung::tile::Symbol":$symbol, "int64_t":$divisor,
                        "int64_t":$multiplier);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_ExtentAttr : Tile_Attr<"Extent", "extent"> {
  let summary = "a product of factors: a number of bytes or of workgroups";
  let description = [{
    T is the number of time steps, B of batch rows, TB their product.
    ```
    #tile.extent<64>                      // 64
    #tile.extent<TB * 1024>               // T * B * 1024
    #tile.extent<T, ceil(B / 16) * 4>     // T * ceil(B / 16) * 4
    ```
    Constraints:
    - (C1) divisors are positive and multipliers not negative.
  }];
  let parameters = (ins ArrayRefParameter<"::rung::tile::FactorAttr">:$factors);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    AttrBuilder<(ins "int64_t":$count)>,
    AttrBuilder<(ins "::rung::tile::Symbol":$symbol,
                     CArg<"int64_t", "1">:$divisor,
                     CArg<"int64_t", "1">:$multiplier)>];
  let extraClassDeclaration = [{
    /// The extent's value, or nothing where it exceeds 63 bits.
    std::optional<int64_t> evaluate(int64_t steps, int64_t batch) const;
  }];
}

def Tile_Role : Tile_Enum<"BufferRole", "where a buffer's content comes from", [
  I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"Scratch", 2, "scratch">,
  I32EnumAttrCase<"Progress", 3, "progress">]>;
def Tile_RoleAttr : Tile_EnumAttr<Tile_Role, "role">;

def Tile_PushKind : Tile_Enum<"PushKind", "what is pushed", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"T", 1, "T">,
  I32EnumAttrCase<"B", 2, "B">, I32EnumAttrCase<"TB", 3, "TB">,
  I32EnumAttrCase<"Step", 4, "step">]>;

def Tile_PushAttr : Tile_Attr<"Push", "push"> {
  let summary = "one 32-bit push constant: T, B, TB, step, or a number";
  let parameters = (ins "::rung::tile::PushKind":$kind,
                        DefaultValuedParameter<"int64_t", "0">:$value);
  let builders = [AttrBuilder<(ins "int64_t":$constant), [{
    return $_get($_ctxt, PushKind::Constant, constant);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_PieceAttr : Tile_Attr<"Piece", "piece"> {
  let summary = "a strided part of a weight and its place in a packed array";
  let description = [{
    Element (i0, i1, ...) of `sizes` is copied from element
    `offset + sum(i * source_strides)` of the weight to element
    `target_offset + sum(i * target_strides)` of the packed array, converted to
    the array's element type, to the nearest, ties to even.

    Constraints:
    - (C1) 1 to 4 sizes, all positive; as many strides of each kind.
    - (C2) offsets are not negative.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$weight, "int64_t":$offset,
                        ArrayRefParameter<"int64_t">:$sizes,
                        ArrayRefParameter<"int64_t">:$sourceStrides,
                        "int64_t":$targetOffset,
                        ArrayRefParameter<"int64_t">:$targetStrides);
  let assemblyFormat = [{
    `<` `weight` `=` $weight `,` `offset` `=` $offset `,`
    `sizes` `=` `[` $sizes `]` `,`
    `source_strides` `=` `[` $sourceStrides `]` `,`
    `target_offset` `=` $targetOffset `,`
    `target_strides` `=` `[` $targetStrides `]` `>`
  }];
  let genVerifyDecl = 1;
}
def Tile_PieceArrayAttr : TypedArrayAttrBase<Tile_PieceAttr, "array of pieces">;
def Tile_PushArrayAttr : TypedArrayAttrBase<Tile_PushAttr, "array of pushes">;

#endif // RUNG_DIALECTS_TILE_TILEATTRS_TD
