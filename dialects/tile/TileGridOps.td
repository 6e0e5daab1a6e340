//===- TileGridOps.td - workgroups that wait for one another -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Only for devices whose profile promises that resident workgroups make
// progress together. What workgroups wait on lies in a `progress` buffer or
// carries its own tag; each wait is bounded, and one that ends in vain sets bit
// 30 of a word of the progress buffer, which the runtime reads.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_DIALECTS_TILE_TILEGRIDOPS_TD
#define RUNG_DIALECTS_TILE_TILEGRIDOPS_TD

include "dialects/tile/TileBase.td"

def Tile_Words : MemRefRankOf<[I32], [1]>;

def Tile_GridBarrierOp : Tile_Op<"grid_barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for all workgroups, and see what they wrote";
  let description = [{
    Adds 1 to `counter[index]` and waits until it is at least `expect`: the
    number of workgroups times the number of grid barriers up to this one. What
    any thread of any of them wrote to memory before is then seen by all.
    Contains a workgroup barrier before and after. All threads of all
    workgroups must come here.

    ```mlir
    tile.grid_barrier %progress[%zero] expect %n : memref<?xi32>
    ```

    The counter is zero when the kernel starts, as a `progress` buffer is. A
    workgroup that has waited too long sets bit 30 of the counter, by which
    every wait ends, this one and later ones.
  }];
  let arguments = (ins Tile_Words:$counter, Index:$index, Index:$expect);
  let assemblyFormat = [{
    $counter `[` $index `]` `expect` $expect attr-dict `:` type($counter)
  }];
}

def Tile_AtomicOp : Tile_Op<"atomic", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read and change a word that workgroups share";
  let description = [{
    `%old = tile.atomic add %v, %m[%i] release : memref<?xi32>`, at device
    scope. `acquire` sees, and `release` shows, what was written before to
    storage buffers. `or` with the constant 0 is a load, `exchange` whose result
    has no use a store.
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, I32:$value,
                       Tile_Words:$memory, Index:$index,
                       Tile_OrderAttr:$order);
  let results = (outs I32:$old);
  let assemblyFormat = [{
    $kind $value `,` $memory `[` $index `]` $order attr-dict `:` type($memory)
  }];
}

//===----------------------------------------------------------------------===//
// Exchange by tagged words
//===----------------------------------------------------------------------===//

def Tile_PublishOp : Tile_Op<"publish", [RecursiveMemoryEffects,
                                         MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "show a block of 16-bit values to all workgroups";
  let description = [{
    For each element (r, j) of the flight with row(r) >= 0 (signed) and
    j < columns, memory[base + row(r) * pitch + j] becomes the low 16 bits of
    the element, and above them those of `tag`. A word is written at once, so
    that whoever reads the tag has the value: no barrier is needed.

    ```mlir
    tile.publish %f, %words[%base] pitch %pitch columns %c tag %t rows {
    ^bb0(%r: index):
      ...
      tile.yield %row : index
    } : !tile.flight<8x16xi32>, memref<?xi32>
    ```

    Constraints:
    - (C1) the flight is of i32.
    - (C2) the region has one `index` argument and yields one `index`.
  }];
  let arguments = (ins Tile_FlightType:$flight, Tile_Words:$memory, Index:$base,
                       Index:$pitch, Index:$columns, Index:$tag);
  let regions = (region SizedRegion<1>:$rows);
  let assemblyFormat = [{
    $flight `,` $memory `[` $base `]` `pitch` $pitch `columns` $columns
    `tag` $tag `rows` $rows attr-dict `:` type($flight) `,` type($memory)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$flight,
    "::mlir::Value":$memory, "::mlir::Value":$base, "::mlir::Value":$pitch,
    "::mlir::Value":$columns, "::mlir::Value":$tag,
    "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, "
    "::mlir::Value)>":$row)>];
}

def Tile_AwaitOp : Tile_Op<"await", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for a row of words that workgroups publish";
  let description = [{
    Element j of the result is the word memory[base + j], once its tag is
    `tag`'s low 16 bits, and 0 where j is not below `columns`. Its upper half
    holds the tag still.

    ```mlir
    %f, %left = tile.await %words[%base] columns %c tag %t polls %p
        fault %progress[%zero]
        : memref<?xi32>, memref<?xi32> -> !tile.flight<1x64xi32>
    ```

    Each thread waits for its own elements, and looks at most `polls` times;
    what is left of them, `left`, is `polls` again unless it gave up. Then it is
    0, and bit 30 of the word `fault[...]`, of a progress buffer, is set.

    Constraints:
    - (C1) the flight is one row of i32.
  }];
  let arguments = (ins Tile_Words:$memory, Index:$base, Index:$columns,
                       Index:$tag, I32:$polls, Tile_Words:$fault,
                       Index:$faultIndex);
  let results = (outs Tile_FlightType:$flight, I32:$left);
  let assemblyFormat = [{
    $memory `[` $base `]` `columns` $columns `tag` $tag `polls` $polls
    `fault` $fault `[` $faultIndex `]` attr-dict
    `:` type($memory) `,` type($fault) `->` type($flight)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Exchange by words that are zero before
//===----------------------------------------------------------------------===//

def Tile_PublishPairsOp : Tile_Op<"publish_pairs", [
    RecursiveMemoryEffects, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "show a block of 16-bit floats, two a word";
  let description = [{
    For each pair of elements (r, j), (r, j + 1) of the flight with row(r) >= 0
    (signed) and j < columns, the word that holds those of 16 bits from
    base + row(r) * pitch + j on becomes the pair, and the same word from each
    `clear` on becomes 0, before. Where both elements are +0, the first becomes
    -0: a word that is not 0 is there, and written at once.

    ```mlir
    tile.publish_pairs %f, %words[%base] clear [%next] pitch %p columns %c
    rows {
    ^bb0(%r: index):
      ...
      tile.yield %row : index
    } : !tile.flight<8x16xf16, width 2>, memref<?xi32>
    ```

    Constraints:
    - (C1) the flight is of f16 or bf16, two neighbours at once.
    - (C2) the region has one `index` argument and yields one `index`.
  }];
  let arguments = (ins Tile_FlightType:$flight, Tile_Words:$memory, Index:$base,
                       Variadic<Index>:$clear, Index:$pitch, Index:$columns);
  let regions = (region SizedRegion<1>:$rows);
  let assemblyFormat = [{
    $flight `,` $memory `[` $base `]` (`clear` `[` $clear^ `]`)?
    `pitch` $pitch `columns` $columns
    `rows` $rows attr-dict `:` type($flight) `,` type($memory)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$flight,
    "::mlir::Value":$memory, "::mlir::Value":$base, "::mlir::ValueRange":$clear,
    "::mlir::Value":$pitch, "::mlir::Value":$columns,
    "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, "
    "::mlir::Value)>":$row)>];
}

def Tile_PeekRowsOp : Tile_Op<"peek_rows", [MemoryEffects<[MemRead]>]> {
  let summary = "look at rows of pairs, without waiting for them";
  let description = [{
    Row r of the flight is what is there now of row min(first + r, limit - 1) of
    the 16-bit elements from base on, `pitch` apart. Of its columns subgroup s of
    S holds those from s / S of them on; it is for `tile.await_rows` alone. Base
    and pitch are multiples of 8 elements.

    ```mlir
    %seen = tile.peek_rows %words[%base] pitch %pitch first %row limit %b
        : memref<?xi32> -> !tile.flight<8x256xf16, width 8>
    ```

    Constraints:
    - (C1) the flight is of f16 or bf16, 8 neighbours at once.
    - (C2) the layout is cooperative; its threads divide the groups of 8 in a
      flight, its subgroups those in a row.
  }];
  let arguments = (ins Tile_Words:$memory, Index:$base, Index:$pitch,
                       Index:$first, Index:$limit);
  let results = (outs Tile_FlightType:$flight);
  let assemblyFormat = [{
    $memory `[` $base `]` `pitch` $pitch `first` $first `limit` $limit attr-dict
    `:` type($memory) `->` type($flight)
  }];
  let hasVerifier = 1;
}

def Tile_AwaitRowsOp : Tile_Op<"await_rows", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for rows of pairs; each subgroup for its part of them";
  let description = [{
    Looks again, as tile.peek_rows with the same operands, until none of the
    words in `seen` is 0; then the first rows and columns of `operand` become the
    flight. Each subgroup waits for its part of the columns, and sees them
    afterwards: it is its part of tile.split_mma. Contains no barrier of the
    workgroup.

    ```mlir
    %left = tile.await_rows %seen, %words[%base] pitch %pitch first %row
        limit %b polls %p fault %progress[%zero] -> %operand
        : !tile.flight<8x256xf16, width 8>, memref<?xi32>, memref<?xi32>,
          memref<8x264xf16, ...>
    ```

    `polls`, `left` and `fault` are those of tile.await.

    Constraints:
    - (C1) flight and operand have the same element type, and the flight is no
      larger.
  }];
  let arguments = (ins Tile_FlightType:$seen, Tile_Words:$memory, Index:$base,
                       Index:$pitch, Index:$first, Index:$limit, I32:$polls,
                       Tile_Words:$fault, Index:$faultIndex,
                       Tile_SharedMemory:$operand);
  let results = (outs I32:$left);
  let assemblyFormat = [{
    $seen `,` $memory `[` $base `]` `pitch` $pitch `first` $first
    `limit` $limit `polls` $polls `fault` $fault `[` $faultIndex `]`
    `->` $operand attr-dict
    `:` type($seen) `,` type($memory) `,` type($fault) `,` type($operand)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Flights from shared and to global memory
//===----------------------------------------------------------------------===//

def Tile_LiftOp : Tile_Op<"lift", [MemoryEffects<[MemRead]>]> {
  let summary = "take a block from shared memory into flight";
  let description = [{
    `%f = tile.lift %shared[%i, %j] : memref<...> -> !tile.flight<8x16xf32>`:
    element (r, c) is shared[i + r][j + c].

    Constraints:
    - (C1) memory and flight have the same element type.
    - (C2) the flight is no larger than the memory.
  }];
  let arguments = (ins Tile_SharedMemory:$memory, Index:$row, Index:$column);
  let results = (outs Tile_FlightType:$flight);
  let assemblyFormat = [{
    $memory `[` $row `,` $column `]` attr-dict
    `:` type($memory) `->` type($flight)
  }];
  let hasVerifier = 1;
}

def Tile_DeliverOp : Tile_Op<"deliver", [RecursiveMemoryEffects,
                                     MemoryEffects<[MemWrite]>]> {
  let summary = "write a flight to global memory";
  let description = [{
    For each element (r, j) of the flight with row(r) >= 0 (signed) and
    j < columns, memory[base + row(r) * pitch + j] becomes the element.

    ```mlir
    tile.deliver %f, %y[%base] pitch %pitch columns %c rows {
    ^bb0(%r: index):
      ...
      tile.yield %row : index
    } : !tile.flight<8x16xf32>, memref<?xf32>
    ```

    Constraints:
    - (C1) memory and flight have the same element type.
    - (C2) the region has one `index` argument and yields one `index`.
  }];
  let arguments = (ins Tile_FlightType:$flight, Tile_GlobalMemory:$memory,
                       Index:$base, Index:$pitch, Index:$columns);
  let regions = (region SizedRegion<1>:$rows);
  let assemblyFormat = [{
    $flight `,` $memory `[` $base `]` `pitch` $pitch `columns` $columns
    `rows` $rows attr-dict `:` type($flight) `,` type($memory)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$flight,
    "::mlir::Value":$memory, "::mlir::Value":$base, "::mlir::Value":$pitch,
    "::mlir::Value":$columns,
    "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, "
    "::mlir::Value)>":$row)>];
}

//===----------------------------------------------------------------------===//
// Products whose depth is split over the subgroups
//===----------------------------------------------------------------------===//

def Tile_LoadSplitOp : Tile_Op<"load_split", [MemoryEffects<[MemRead]>]> {
  let summary = "weights as a left operand, a part of its depth a subgroup";
  let description = [{
    Element (m, k) is memory[base + m * pitch + k]. Of the K columns subgroup s
    of S holds those from s * K / S on. Nothing is masked; base and pitch are
    multiples of 16 bytes.

    ```mlir
    %w = tile.load_split %weights[%base] pitch %pitch
        : memref<?xf16> -> !tile.matrix<16x256xf16, a>
    ```

    Constraints:
    - (C1) memory and matrix have the same element type.
    - (C2) the layout is cooperative and not transposed; its instruction divides
      the rows, and its depth times the subgroups the columns.
  }];
  let arguments = (ins Tile_GlobalMemory:$memory, Index:$base, Index:$pitch);
  let results = (outs Tile_A:$matrix);
  let assemblyFormat = [{
    $memory `[` $base `]` `pitch` $pitch attr-dict
    `:` type($memory) `->` type($matrix)
  }];
  let hasVerifier = 1;
}

def Tile_SplitMmaOp : Tile_Op<"split_mma", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "multiply split weights by rows in shared memory";
  let description = [{
    The right operand of all products is the transposed `operand`: its element
    (k, n) is operand[n][k], n below the n of the layout's instruction; with
    `broadcast`, operand[0][k] for all n. Each subgroup multiplies its part of
    the depth, and stores its sums: those of weight i and subgroup s of S, R x n,
    are transposed, from row ((first + i) * S + s) * n of `sums` on, where R are
    the weights' rows. Contains no barrier, but for `barrier`, which is one between products and
    stores: behind it nobody reads the sums of before.

    ```mlir
    tile.split_mma (%w0, %w1), %operand broadcast -> %sums from 0
        : (!tile.matrix<16x256xf16, a>, !tile.matrix<16x256xf16, a>),
          memref<1x264xf16, ...>, memref<128x20xf32, ...>
    ```

    Constraints:
    - (C1) all weights have one type, of the operand's element type.
    - (C2) the operand holds a row of the depth for each n, or one.
    - (C3) the sums fit their memory, whose element type is f32 or f16 for
      floats, and i32 for i8.
    - (C4) rows of both memories are a multiple of 16 bytes apart.
  }];
  let arguments = (ins Variadic<Tile_A>:$weights, Tile_SharedMemory:$operand,
                       Tile_SharedMemory:$sums, I64Attr:$first,
                       UnitAttr:$broadcast, UnitAttr:$barrier);
  let assemblyFormat = [{
    `(` $weights `)` `,` $operand (`broadcast` $broadcast^)? `->` $sums
    `from` $first (`barrier` $barrier^)? attr-dict
    `:` `(` type($weights) `)` `,` type($operand) `,` type($sums)
  }];
  let hasVerifier = 1;
}

#endif // RUNG_DIALECTS_TILE_TILEGRIDOPS_TD
