//===- TileKernelOps.td - kernels and their frame ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEKERNELOPS_TD
#define RUNG_DIALECTS_TILE_TILEKERNELOPS_TD

include "dialects/tile/TileBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [
    IsolatedFromAbove, Symbol, AutomaticAllocationScope,
    SingleBlockImplicitTerminator<"::rung::tile::ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one workgroup's work";
  let description = [{
    Its first arguments are buffers, bound as storage buffers 0, 1, ... of set
    0, each with what the kernel does to it; the others are push constants,
    32 bits each.

    ```mlir
    tile.kernel @scale(%x: memref<?xf32> read, %y: memref<?xf32> write)
        push(%T, %B)
        layout(<instruction = [16, 16, 16], subgroups = 4, subgroup_size = 32,
                cooperative = true>) {
      ...
      tile.return
    }
    ```

    Every loop and every branch that contains a `tile.barrier`, a matrix op or
    a `tile.reduce` must be taken alike by all threads of the workgroup.

    Constraints:
    - (C1) there is one access for each buffer, and buffers come before push
      constants.
    - (C2) buffers are `memref<?xT>` with T one of f32, f16, bf16, i32, i8; push
      constants are `index`.
    - (C3) in a plain layout, loops and branches carry no `a` or `b` matrices,
      which are views there.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tile_LayoutAttr:$layout,
                       TypedArrayAttrBase<Tile_AccessAttr, "accesses">:$access);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Makes the entry block: one argument a buffer of the given element type,
    // then one `index` argument a push constant. No terminator is made.
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::rung::tile::LayoutAttr":$layout,
                   "::mlir::TypeRange":$elementTypes,
                   "::llvm::ArrayRef<::rung::tile::Access>":$access,
                   "int64_t":$pushCount)>];
  let extraClassDeclaration = [{
    ::mlir::Block &getBody() { return getBodyRegion().front(); }
    int64_t getBufferCount() { return getAccess().size(); }
    int64_t getPushCount() {
      return getBody().getNumArguments() - getBufferCount();
    }
    ::mlir::BlockArgument getBuffer(int64_t i) {
      return getBody().getArgument(i);
    }
    ::mlir::BlockArgument getPush(int64_t i) {
      return getBody().getArgument(getBufferCount() + i);
    }
    ::rung::tile::Access getBufferAccess(int64_t i) {
      return ::llvm::cast<::rung::tile::AccessAttr>(getAccess()[i]).getValue();
    }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator,
                                       HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator,
    ParentOneOf<["FetchOp", "DrainOp", "MapOp", "PublishOp", "PublishPairsOp",
                 "DeliverOp"]>]> {
  let summary = "results of a region of a tile op";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Tile_SharedOp : Tile_Op<"shared", [MemoryEffects<[MemAlloc]>]> {
  let summary = "an array in the workgroup's shared memory";
  let description = [{
    `%0 = tile.shared : memref<16x72xf16, #gpu.address_space<workgroup>>`.
    The second extent is the row pitch, with whatever padding it has.
    The content is undefined at the kernel's start.

    Constraints:
    - (C1) the shape is static and the memory space is the workgroup's.
    - (C2) it stands at the top level of a kernel.
  }];
  let results = (outs Tile_SharedArray:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for the workgroup, and see its shared memory";
  let description = [{
    No thread passes before all have come; what any of them wrote to shared
    memory before is then seen by all. With `global` this holds for global
    memory, too; without, nothing is promised of it.
  }];
  let arguments = (ins UnitAttr:$global);
  let assemblyFormat = "(`global` $global^)? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Tile_ReduceOp : Tile_Op<"reduce", [SameOperandsAndResultType,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one value of all threads' values";
  let description = [{
    `%m = tile.reduce max %v : f32`: combines one value a thread, in a fixed
    tree order, and gives the result to all threads. Contains the barriers that
    it needs. All threads of the workgroup must come here.
    Integers are compared as signed.

    Constraints:
    - (C1) the type is f32 or i32.
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, AnyTypeOf<[F32, I32]>:$value);
  let results = (outs AnyTypeOf<[F32, I32]>:$result);
  let assemblyFormat = "$kind $value attr-dict `:` type($value)";
}

#endif // RUNG_DIALECTS_TILE_TILEKERNELOPS_TD
