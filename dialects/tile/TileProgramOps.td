//===- TileProgramOps.td - the schedule of a function ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEPROGRAMOPS_TD
#define RUNG_DIALECTS_TILE_TILEPROGRAMOPS_TD

include "dialects/tile/TileBase.td"

def Tile_ProgramOp : Tile_Op<"program", [IsolatedFromAbove, Symbol,
                                         NoTerminator, SingleBlock]> {
  let summary = "the schedule of one model function";
  let description = [{
    Commands run in order; what one writes, later ones see.

    ```mlir
    tile.program @encode {
      %x = tile.buffer input 0 size <TB * 4> : i32
      %y = tile.buffer output 0 size <TB * 1024> : f32
      %w = tile.packed count 12288 [<weight = @u, ...>] : f16
      tile.dispatch @gather groups(<TB>, <1>, <1>) (%x, %w, %y) push [TB, 256]
          : !tile.buffer<i32>, !tile.buffer<f16>, !tile.buffer<f32>
      tile.repeat T {
        tile.dispatch @step groups(<ceil(B / 16)>, <4>, <1>) (%y) push [step, B]
            : !tile.buffer<f32>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
  let hasRegionVerifier = 1;
}

def Tile_BufferOp : Tile_Op<"buffer", [ParentOneOf<["ProgramOp"]>]> {
  let summary = "a device buffer";
  let description = [{
    An input or output of the function by its port's number, scratch, or the
    progress of workgroups that wait for one another: words that are zero when a
    run begins, and whose bit 30, set in any of them, says after the run that
    such a wait was in vain. `size` is in bytes.

    Constraints:
    - (C1) inputs and outputs have a port number, others have none.
    - (C2) a progress buffer holds i32.
  }];
  let arguments = (ins Tile_RoleAttr:$role, OptionalAttr<I64Attr>:$port,
                       Tile_ExtentAttr:$size);
  let results = (outs Tile_BufferType:$buffer);
  let assemblyFormat = [{
    $role ($port^)? `size` $size attr-dict `:` type($buffer)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$elementType,
    "::rung::tile::BufferRole":$role, "std::optional<int64_t>":$port,
    "::rung::tile::ExtentAttr":$size)>];
  let hasVerifier = 1;
}

def Tile_PackedOp : Tile_Op<"packed", [ParentOneOf<["ProgramOp"]>]> {
  let summary = "weights, packed as a kernel reads them";
  let description = [{
    An array of `count` elements, zero where no piece is copied to.

    Constraints:
    - (C1) `count` is positive.
    - (C2) every piece lies inside the array.
  }];
  let arguments = (ins I64Attr:$count, Tile_PieceArrayAttr:$pieces);
  let results = (outs Tile_BufferType:$buffer);
  let assemblyFormat = [{
    `count` $count $pieces attr-dict `:` type($buffer)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$elementType,
    "int64_t":$count, "::llvm::ArrayRef<::rung::tile::PieceAttr>":$pieces)>];
  let hasVerifier = 1;
}

def Tile_DispatchOp : Tile_Op<"dispatch", [
    ParentOneOf<["ProgramOp", "RepeatOp"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel";
  let description = [{
    `groups` is the number of workgroups in x, y and z; a dispatch of none is
    skipped. `push` gives the push constants: T, B, TB, step (the iteration of
    the enclosing repeat) or numbers.

    Constraints:
    - (C1) the symbol is a `tile.kernel`, or the `spirv.module` made of one.
    - (C2) there are as many arguments as the kernel has buffers, of the same
      element types; a kernel that is distributed takes bf16 as i16 bits.
    - (C3) there are as many pushes as the kernel has push constants.
    - (C4) `step` stands only inside a `tile.repeat`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Tile_ExtentAttr:$groupsX,
                       Tile_ExtentAttr:$groupsY, Tile_ExtentAttr:$groupsZ,
                       Variadic<Tile_BufferType>:$buffers,
                       Tile_PushArrayAttr:$push);
  let assemblyFormat = [{
    $kernel `groups` `(` $groupsX `,` $groupsY `,` $groupsZ `)`
    `(` $buffers `)` `push` custom<Pushes>($push) attr-dict
    `:` type($buffers)
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$kernel,
    "::llvm::ArrayRef<::rung::tile::ExtentAttr>":$groups,
    "::mlir::ValueRange":$buffers,
    "::llvm::ArrayRef<::rung::tile::PushAttr>":$push)>];
  let hasVerifier = 1;
}

def Tile_RepeatOp : Tile_Op<"repeat", [ParentOneOf<["ProgramOp"]>,
                                       NoTerminator, SingleBlock]> {
  let summary = "run commands once for each time step, or each batch row";
  let arguments = (ins Tile_SymbolAttr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::rung::tile::Symbol":$count)>];
  let hasRegionVerifier = 1;
}

#endif // RUNG_DIALECTS_TILE_TILEPROGRAMOPS_TD
