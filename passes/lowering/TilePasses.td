//===- TilePasses.td - from the tile dialect to SPIR-V -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILEPASSES_TD
#define RUNG_PASSES_LOWERING_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

// Keep alphabetical.

def TileDistribute : Pass<"tile-distribute", "::mlir::ModuleOp"> {
  let summary = "write every kernel as one thread sees it";
  let description = [{
    Splits matrices into the blocks of the kernel's `#tile.layout` and flights
    into threads' elements, all of them SSA values, and rewrites the ops on them
    to upstream's dialects, cooperative-matrix ops and `tile.block_load` and
    `tile.block_store`. bf16 becomes its bits in i16.

    ```mlir
    %s = tile.mma %acc, %a, %b : !tile.matrix<16x32xf32, acc>,
        !tile.matrix<16x16xf16, a>, !tile.matrix<16x32xf16, b>
    ```
    becomes, in a cooperative layout of one subgroup and 16x16x16 blocks,
    ```mlir
    %s0 = spirv.KHR.CooperativeMatrixMulAdd %a0, %b0, %acc0 : ...
    %s1 = spirv.KHR.CooperativeMatrixMulAdd %a0, %b1, %acc1 : ...
    ```
    and in a plain one an `scf.for` over k with this lane's sums carried.

    A `tile.map` on cooperative blocks is written operation by operation for all
    of an invocation's elements, numbers of 16 bits two by two:
    ```mlir
    %s = arith.addf %x, %y : f16
    ```
    becomes, where an invocation has four elements of a block,
    ```mlir
    %s0 = arith.addf %x0, %y0 : vector<2xf16>
    %s1 = arith.addf %x1, %y1 : vector<2xf16>
    ```

    Neighbours that a thread moves at once - a flight's or a drain's `width`, a
    row of a cooperative matrix - are moved in units of 4, 8 or 16 bytes: the
    buffer is seen through a `tile.view`, and shared memory is declared as an
    array of the largest units that suit all of its users. Where one of those
    needs single elements, it stays an array of elements.

    ```mlir
    %s = tile.shared : memref<8x24xf16, ...>
    tile.land %f, %s[%i, %j] : !tile.flight<8x16xf16, width 8>, ...
    %a = tile.load %s[%i, %j] : ... -> !tile.matrix<8x16xf16, a>
    ```
    becomes
    ```mlir
    %s = tile.shared : memref<8x3xvector<4xi32>, ...>
    memref.store %f0, %s[%r, %c] : memref<8x3xvector<4xi32>, ...>
    %a0 = tile.block_load %s[%i, %c0] stride %c3 : ...
    ```
    What a row region computes is computed once for all elements of a thread
    that lie in the same row.

    Requires: kernels that verify.
    Leaves: no value of matrix or flight type; on each cooperative kernel the
    number of its products as `tile.mma_count`; `tile.joint` on kernels whose
    workgroups wait for one another.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::spirv::SPIRVDialect"];
}

def TileToSPIRV : Pass<"tile-to-spirv", "::mlir::ModuleOp"> {
  let summary = "turn every kernel into a SPIR-V module";
  let description = [{
    Each `tile.kernel` becomes a `spirv.module` of its name with one entry
    point: storage buffers at set 0, one variable for each type that a buffer is
    seen in (`tile.view`; `aliased` where there are several), a block of 32-bit
    push constants, the Vulkan memory model with non-private workgroup accesses, SPIR-V 1.6. Loops
    and branches carry their values as SSA values, never through variables.
    f16 sums, differences, products and fused multiply-adds are `no_contraction`:
    each rounds as it is written. In cooperative kernels a sigmoid times a tanh,
    or times a tanh's distance from a number, both of f32, is one quotient, within
    some roundings of f32. A loop of more than 600 operations asks not to be
    unrolled. `tile.layout`, `tile.mma_count`, `tile.joint`,
    `rung.forbid` and `rung.edges` stay on the module.

    Requires: kernels after `tile-distribute`.
    Leaves: no `tile.kernel`.
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

def VerifyCooperative : Pass<"verify-cooperative", "::mlir::ModuleOp"> {
  let summary = "prove that kernels tiled for cooperative matrices use them";
  let description = [{
    Fails where a `spirv.module` contains fewer
    `spirv.KHR.CooperativeMatrixMulAdd` than its `tile.mma_count`, which counts
    products of whole matrices. Changes nothing.

    Requires: `spirv.module`s of `tile-to-spirv`.
  }];
}

def VerifyFormats : Pass<"verify-formats", "::mlir::ModuleOp"> {
  let summary = "prove that kernels lack the formats that they forbid";
  let description = [{
    A `spirv.module` with `rung.forbid = "f32"` may hold no float of more than 16
    bits, one with `rung.forbid = "float"` no float at all: in no operand,
    result, block argument, constant or variable, whatever pointer, array,
    struct, vector or cooperative matrix it stands in. Fails with an error on
    the first operation that has one. Changes nothing.

    In a module that has `rung.edges`, too, such floats may be loaded, stored and
    computed with at the kernel's edges: values made of constants and of what
    was read from global memory, and of nothing that an iteration of a loop
    hands to the next, and values of which nothing is made but what is written
    to global memory. So an input may be multiplied and rounded inside, and an
    output widened, and a step's state still depends on no such float of
    the step before.

    ```mlir
    spirv.module @head Logical Vulkan attributes {rung.forbid = "f32"} {
      spirv.func @head(%h: f16) "None" {
        %0 = spirv.FConvert %h : f16 to f32   // refused
        ...
    ```

    Requires: `spirv.module`s of `tile-to-spirv`.
  }];
}

#endif // RUNG_PASSES_LOWERING_TILEPASSES_TD
