// RUN: rung-opt %s --split-input-file --rnn-to-tile --canonicalize --cse | FileCheck %s --implicit-check-not=func.func

// A workgroup a head and 8 rows. Its weights and the first rows of x are loaded
// ahead of the loops; the next rows are on their way while a step is computed,
// and a step has one barrier.
module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  // CHECK-LABEL: tile.program @resident {
  // CHECK: %[[X:.*]] = tile.buffer input 0 size <TB * 128> : <f32>
  // CHECK: %[[H0:.*]] = tile.buffer input 1 size <B * 128> : <f32>
  // CHECK: %[[U:.*]] = tile.packed count 512 [#tile.piece<weight = @u, offset = 0, sizes = [2, 16, 16], {{.*}}target_strides = [256, 16, 1]>] : <f16>
  // CHECK: %[[HN:.*]] = tile.buffer output 1 size <B * 128> : <f32>
  // CHECK: %[[Y:.*]] = tile.buffer output 0 size <TB * 128> : <f32>
  // CHECK: tile.dispatch @resident_resident_head groups(<2>, <ceil(B / 8)>, <1>) (%[[X]], %[[U]], %[[H0]], %[[HN]], %[[Y]]) push [T, B]
  // CHECK-NOT: tile.dispatch
  // CHECK: tile.kernel @resident_resident_head(%[[X:.*]]: memref<?xf32> read, %[[U:.*]]: memref<?xf16> read, %[[H0:.*]]: memref<?xf32> read, %[[HN:.*]]: memref<?xf32> write, %[[Y:.*]]: memref<?xf32> write) push(%[[T:.*]], %[[B:.*]]) layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>)
  // CHECK: %[[ROWS:.*]] = tile.shared : memref<8x20xf32,
  // CHECK: %[[OPERAND:.*]] = tile.shared : memref<16x24xf16,
  // The states pass through the outputs' buffer.
  // CHECK: %[[OUT:.*]] = tile.shared : memref<16x20xf32,
  // CHECK-NOT: tile.shared
  // CHECK: %[[WEIGHTS:.*]] = tile.load_packed %[[U]][{{.*}} -> <16x16xf16, b>
  // CHECK: %[[INITIAL:.*]] = tile.load %[[OUT]]
  // CHECK: %[[FIRST:.*]] = tile.fetch %[[X]]
  // CHECK: tile.land %[[FIRST]], %[[ROWS]][%c0, %c0]
  // CHECK-NEXT: %[[NARROW:.*]] = tile.convert %[[INITIAL]] : <8x16xf32, acc> -> <8x16xf16, acc>
  // CHECK-NEXT: tile.store %[[NARROW]], %[[OPERAND]][%c0, %c0]
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: %[[END:.*]] = scf.for %[[GROUP:.*]] = %c0 to %[[T]] step %c1 iter_args(%[[STATE:.*]] = %[[INITIAL]]) -> (!tile.matrix<8x16xf32, acc>) {
  // The rows of the next step set out here, to land one step later.
  // CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[GROUP]], %c1
  // CHECK-NEXT: %[[AHEAD:.*]] = tile.fetch %[[X]]
  // Where there is no row, another comes: nothing has to be masked.
  // CHECK: %[[NEAR:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
  // CHECK: %[[PLACE:.*]] = arith.maxsi %{{.*}}, %c0
  // CHECK-NEXT: tile.yield %[[PLACE]]
  // CHECK: %[[LAST:.*]] = arith.minsi %[[LATER]], %[[T]]
  // CHECK-NEXT: %[[INNER:.*]] = scf.for %[[STEP:.*]] = %[[GROUP]] to %[[LAST]] step %c1 iter_args(%[[H:.*]] = %[[STATE]]) -> (!tile.matrix<8x16xf32, acc>) {
  // CHECK-NEXT: %[[PARITY:.*]] = arith.remui %[[STEP]], %c2
  // CHECK-NEXT: %[[HALF:.*]] = arith.muli %[[PARITY]], %c8
  // CHECK-NEXT: %[[POSITION:.*]] = arith.subi %[[STEP]], %[[GROUP]]
  // CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[POSITION]], %c8
  // CHECK-NEXT: %[[PX:.*]] = tile.load %[[ROWS]][%[[ROW]], %c0]
  // CHECK-NEXT: %[[A:.*]] = tile.load %[[OPERAND]][%[[HALF]], %c0] {{.*}} -> <8x16xf16, a>
  // CHECK: %[[D:.*]] = tile.mma %{{.*}}, %[[A]], %[[WEIGHTS]]
  // CHECK-NEXT: %[[N:.*]] = tile.map(%[[PX]], %[[D]])
  // CHECK-NOT: tile.barrier
  // The operand of the next step goes into the other half.
  // CHECK: %[[OTHER:.*]] = arith.subi %c8, %[[HALF]]
  // CHECK-NEXT: %[[NARROW:.*]] = tile.convert %[[N]]
  // CHECK-NEXT: tile.store %[[NARROW]], %[[OPERAND]][%[[OTHER]], %c0]
  // Outputs of whole tiles go straight to memory.
  // CHECK-NEXT: scf.if
  // CHECK: tile.store_global %[[N]], %[[Y]][{{.*}}] pitch %c32
  // CHECK-NEXT: } else {
  // CHECK-NEXT: tile.store %[[N]], %[[OUT]][%[[HALF]], %c0]
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile.drain %[[OUT]][%[[HALF]], %c0] -> %[[Y]]
  // CHECK-NOT: tile.barrier
  // CHECK: scf.yield %[[N]]
  // CHECK: tile.land %[[AHEAD]], %[[ROWS]][%c0, %c0]
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.yield %[[INNER]]
  // CHECK: tile.store %[[END]], %[[OUT]]
  // CHECK: tile.drain %[[OUT]]{{.*}} -> %[[HN]]
  func.func @resident(%x: tensor<?x?x32xf32>, %h0: tensor<?x32xf32>)
      -> (tensor<?x?x32xf32>, tensor<?x32xf32>) {
    %w = rnn.load_weight @u : tensor<2x16x16xf32>
    %u = rnn.cast %w : tensor<2x16x16xf32> to tensor<2x16x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf16>, %h: tensor<32xf32>):
      %a = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
      %d = rnn.dot %a, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %n = arith.addf %px, %d : tensor<32xf32>
      rnn.yield outputs(%n : tensor<32xf32>) states(%n : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf16>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
  }
}

// -----

// A product of a product is a second phase: one barrier more, and no third.
module {
  rnn.weight @u : tensor<2x32x16xf32> = dense<0.5>
  // CHECK-LABEL: tile.kernel @two_phases_resident_head(
  // CHECK: %[[UR:.*]] = tile.load_packed
  // CHECK: %[[UN:.*]] = tile.load_packed
  // CHECK: scf.for
  // CHECK-NOT: tile.load_packed
  // CHECK: scf.for
  // CHECK-SAME: iter_args(%[[H:.*]] = %{{.*}}) ->
  // CHECK-NOT: tile.barrier
  // CHECK: %[[R:.*]] = tile.mma %{{.*}}, %{{.*}}, %[[UR]]
  // CHECK: %[[RH:.*]] = tile.map(%[[R]], %[[H]])
  // CHECK: arith.mulf
  // CHECK: %[[NARROW:.*]] = tile.convert %[[RH]]
  // CHECK-NEXT: tile.store %[[NARROW]], %[[OPERAND:.*]][
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: %[[A:.*]] = tile.load %[[OPERAND]][
  // CHECK-NEXT: tile.mma %{{.*}}, %[[A]], %[[UN]]
  // CHECK-NOT: tile.barrier
  // CHECK: tile.store
  // CHECK: tile.barrier
  // CHECK-NOT: tile.barrier
  // CHECK: scf.yield
  // CHECK-NEXT: }
  func.func @two_phases(%x: tensor<?x?x32xf32>, %h0: tensor<?x32xf32>)
      -> (tensor<?x?x32xf32>, tensor<?x32xf32>) {
    %w = rnn.load_weight @u : tensor<2x32x16xf32>
    %u = rnn.cast %w : tensor<2x32x16xf32> to tensor<2x32x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x32x16xf16>, %h: tensor<32xf32>):
      %ur = tensor.extract_slice %pu[0, 0, 0] [2, 16, 16] [1, 1, 1]
          : tensor<2x32x16xf16> to tensor<2x16x16xf16>
      %un = tensor.extract_slice %pu[0, 16, 0] [2, 16, 16] [1, 1, 1]
          : tensor<2x32x16xf16> to tensor<2x16x16xf16>
      %a = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
      %r = rnn.dot %a, %ur
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %rh = arith.mulf %r, %h : tensor<32xf32>
      %b = arith.truncf %rh : tensor<32xf32> to tensor<32xf16>
      %d = rnn.dot %b, %un
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %n = arith.addf %px, %d : tensor<32xf32>
      rnn.yield outputs(%n : tensor<32xf32>) states(%n : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x32x16xf16>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
  }
}

// -----

// Heads of 5 in tiles of 8, backwards, rows of different lengths, one buffer
// of each kind.
module {
  rnn.weight @u : tensor<2x5x5xf32> = dense<0.5>
  // Weights are padded where they are packed.
  // CHECK-LABEL: tile.program @padded {
  // CHECK: tile.packed count 128 [#tile.piece<weight = @u, offset = 0, sizes = [2, 5, 5], {{.*}}target_strides = [64, 8, 1]>]
  // CHECK-LABEL: tile.kernel @padded_resident_head(
  // CHECK-SAME: %[[X:.*]]: memref<?xf32> read, %[[LENGTHS:.*]]: memref<?xi32> read, {{.*}}, %[[Y:.*]]: memref<?xf32> write) push(%[[T:.*]], %[[B:.*]]) layout

  // The mask is 1 in the columns there are.
  // CHECK: %[[FLAGS:.*]] = tile.shared : memref<2x12xf32,
  // CHECK: arith.cmpi slt, %{{.*}}, %c5
  // CHECK: %[[MASK:.*]] = tile.load
  // Backwards: step s of a row reads time length - 1 - s.
  // CHECK: tile.fetch %[[X]]{{.*}} columns %c5 rows

  // A length is at least 0 and at most T; a row is active below its own.
  // CHECK: scf.if
  // CHECK: memref.load %[[LENGTHS]]
  // CHECK: %[[LEAST:.*]] = arith.maxsi %{{.*}}, %c0
  // CHECK: %[[LENGTH:.*]] = arith.minsi %[[LEAST]], %[[T]]
  // CHECK: arith.cmpi sgt, %[[LENGTH]], %c0
  // CHECK: memref.store %{{.*}}, %[[FLAGS]][%c0,
  // CHECK: scf.for %[[GROUP:.*]] = %c0 to %[[T]] step %c1
  // CHECK: tile.fetch %[[X]]{{.*}} columns %c5 rows
  // CHECK: %[[LENGTH:.*]] = arith.minsi %{{.*}}, %[[T]]
  // CHECK: %[[LAST:.*]] = arith.subi %[[LENGTH]], %c1
  // CHECK: arith.subi %[[LAST]], %{{.*}}
  // CHECK: scf.for %[[STEP:.*]] = %[[GROUP]] to %{{.*}} step %c1 iter_args(%[[H:.*]] = %{{.*}}) ->
  // CHECK: %[[PARITY:.*]] = arith.remui %[[STEP]], %c2
  // CHECK: tile.mma

  // A row past its length keeps its state, and its outputs are zero. What this
  // step reads is free behind the first of its two barriers.
  // CHECK: %[[N:.*]] = tile.map(
  // CHECK: arith.addf
  // CHECK: %[[ACTIVE:.*]] = tile.broadcast_column %[[FLAGS]][%[[PARITY]], %c0]
  // CHECK: %[[KEPT:.*]] = tile.map(%[[ACTIVE]], %[[N]], %[[H]])
  // CHECK: arith.select
  // CHECK: tile.barrier
  // CHECK: %[[OTHER:.*]] = arith.subi %c1, %[[PARITY]]
  // CHECK: memref.store %{{.*}}, %[[FLAGS]][%[[OTHER]],

  // The product's operand is zero in the padding, whatever the state holds.
  // CHECK: %[[MASKED:.*]] = tile.map(%[[MASK]], %[[KEPT]], %{{.*}})
  // CHECK: %[[NARROW:.*]] = tile.convert %[[MASKED]]
  // CHECK: tile.store %[[NARROW]]
  // CHECK-NEXT: tile.store %[[N]], %[[OUT:.*]][%c0, %c0]
  // CHECK-NEXT: tile.barrier
  // CHECK: tile.drain %[[OUT]]{{.*}} -> %[[Y]]{{.*}} columns %c5 size [8, 8]
  // CHECK: %[[IN:.*]] = arith.cmpi slt, %[[STEP]],
  // CHECK: tile.yield %{{.*}}, %[[IN]] : index, i1
  // CHECK: scf.yield %[[KEPT]]
  func.func @padded(%x: tensor<?x?x10xf32>, %n: tensor<?xi32>,
                    %h0: tensor<?x10xf32>)
      -> (tensor<?x?x10xf32>, tensor<?x10xf32>) {
    %w = rnn.load_weight @u : tensor<2x5x5xf32>
    %u = rnn.cast %w : tensor<2x5x5xf32> to tensor<2x5x5xf16>
    %y, %hn = rnn.recurrence direction(reverse) heads(2)
        sequences(%x) weights(%u) initial(%h0) lengths(%n)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 8 : i64, depth = 8 : i64,
            stages = 1 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<10xf32>, %pu: tensor<2x5x5xf16>, %h: tensor<10xf32>):
      %a = arith.truncf %h : tensor<10xf32> to tensor<10xf16>
      %d = rnn.dot %a, %pu
          : (tensor<10xf16>, tensor<2x5x5xf16>) -> tensor<10xf32>
      %s = arith.addf %px, %d : tensor<10xf32>
      rnn.yield outputs(%s : tensor<10xf32>) states(%s : tensor<10xf32>)
    } : (tensor<?x?x10xf32>, tensor<2x5x5xf16>, tensor<?x10xf32>,
         tensor<?xi32>) -> (tensor<?x?x10xf32>, tensor<?x10xf32>)
    return %y, %hn : tensor<?x?x10xf32>, tensor<?x10xf32>
  }
}

// -----

// One kernel for the products of all steps; its input is rounded on the way in
// and the bias is where sums begin.
module {
  rnn.weight @w : tensor<20x5xf32> = dense<0.5>
  rnn.weight @b : tensor<20xf32> = dense<0.25>
  // CHECK-LABEL: tile.program @product {
  // CHECK: %[[X:.*]] = tile.buffer input 0 size <TB * 20> : <f32>
  // CHECK: %[[W:.*]] = tile.packed {{.*}}@w, {{.*}}sizes = [20, 5]{{.*}} : <f16>
  // CHECK: %[[BIAS:.*]] = tile.packed {{.*}}@b, {{.*}} : <f32>
  // CHECK: %[[Y:.*]] = tile.buffer output 0 size <TB * 80> : <f32>
  // CHECK: tile.dispatch @product_linear groups(<ceil(TB / 16)>, <2>, <1>) (%[[X]], %[[W]], %[[BIAS]], %[[Y]]) push [TB]
  // CHECK-NOT: tile.dispatch
  // CHECK: tile.kernel @product_linear(%[[X:.*]]: memref<?xf32> read, %[[W:.*]]: memref<?xf16> read, %[[BIAS:.*]]: memref<?xf32> read, %[[Y:.*]]: memref<?xf32> write) push(%[[TB:.*]]) layout
  // CHECK: %[[SUM:.*]] = tile.broadcast_row %[[BIAS]]
  // CHECK: tile.fetch %[[X]][{{.*}}] pitch %c5 columns %c5 rows
  // CHECK: arith.cmpi slt, %{{.*}}, %[[TB]]
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: %[[B:.*]] = tile.load_packed %[[W]]
  // CHECK: %[[D:.*]] = tile.mma %[[SUM]], %{{.*}}, %[[B]]
  // CHECK: tile.store %[[D]], %[[OUT:.*]][
  // CHECK: tile.drain %[[OUT]]{{.*}} -> %[[Y]]{{.*}} pitch %c20
  func.func @product(%x: tensor<?x?x5xf32>) -> tensor<?x?x20xf32> {
    %w = rnn.load_weight @w : tensor<20x5xf32>
    %wn = rnn.cast %w : tensor<20x5xf32> to tensor<20x5xf16>
    %b = rnn.load_weight @b : tensor<20xf32>
    %xn = rnn.cast %x : tensor<?x?x5xf32> to tensor<?x?x5xf16>
    %y = rnn.linear %xn, %wn, %b {rung.tiles = {rows = 16 : i64,
        columns = 16 : i64, depth = 8 : i64, stages = 2 : i64,
        layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                              subgroup_size = 8, cooperative = true>}}
        : (tensor<?x?x5xf16>, tensor<20x5xf16>, tensor<20xf32>)
        -> tensor<?x?x20xf32>
    return %y : tensor<?x?x20xf32>
  }
}

// -----

// Outputs that are another value's buffer are filled by copies.
// CHECK-LABEL: tile.program @through {
// CHECK: %[[X:.*]] = tile.buffer input 0
// CHECK: %[[Y:.*]] = tile.buffer output 0
// CHECK: tile.dispatch @{{.*}} (%[[X]], %[[Y]])
func.func @through(%x: tensor<?x?x3xf32>) -> tensor<?x?x3xf32> {
  return %x : tensor<?x?x3xf32>
}

// -----

// Both operands staged: fetched a turn ahead, landed between two barriers. The
// input is narrowed before, by a kernel of its own; column tiles are taken in
// panels of two.
// CHECK-LABEL: tile.program @staged {
// CHECK: %[[X:.*]] = tile.buffer input 0 size <TB * 256> : <f32>
// CHECK: %[[XN:.*]] = tile.buffer scratch size <TB * 64, 2> : <f16>
// CHECK: tile.dispatch @{{.*}} (%[[X]], %[[XN]])
// CHECK: tile.dispatch @staged_linear groups(<ceil(TB / 16) * 2>, <2>, <1>) (%[[XN]], %[[W:.*]], %[[Y:.*]]) push [TB]
// CHECK: tile.kernel @staged_linear(%[[X:.*]]: memref<?xf16> read, %[[W:.*]]: memref<?xf16> read, %[[Y:.*]]: memref<?xf32> write) push(%[[TB:.*]]) layout
// CHECK-DAG: %[[A:.*]] = tile.shared : memref<16x24xf16,
// CHECK-DAG: %[[B:.*]] = tile.shared : memref<16x24xf16,
// CHECK: %[[SUM:.*]]:3 = scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.land
// CHECK-NEXT: tile.land
// CHECK-NEXT: tile.barrier
// CHECK: tile.fetch %[[X]]
// CHECK: } {tile.taken_once} : memref<?xf16>
// CHECK: tile.fetch %[[W]]
// CHECK: } {tile.taken_once} : memref<?xf16>
// CHECK: tile.load %{{.*}} -> <16x8xf16, a>
// CHECK: tile.load %{{.*}} transposed {{.*}} -> <8x16xf16, b>
// CHECK: tile.mma
// CHECK: tile.load %{{.*}} -> <16x8xf16, a>
// CHECK: tile.load %{{.*}} transposed {{.*}} -> <8x16xf16, b>
// CHECK: tile.mma
// CHECK: scf.if
// CHECK: tile.store_global %[[SUM]]#0, %[[Y]][%{{.*}}] pitch %c64
// CHECK: else
// CHECK: tile.slice %[[SUM]]#0[0, 0] : <16x16xf32, acc> -> <16x16xf32, acc>
// CHECK: tile.store
// CHECK: tile.barrier
// CHECK: tile.drain
module {
  rnn.weight @w : tensor<64x64xf32> = dense<0.0>
  func.func @staged(%x: tensor<?x?x64xf32>) -> tensor<?x?x64xf32> {
    %w = rnn.load_weight @w : tensor<64x64xf32>
    %wn = rnn.cast %w : tensor<64x64xf32> to tensor<64x64xf16>
    %xn = rnn.cast %x : tensor<?x?x64xf32> to tensor<?x?x64xf16>
    %y = rnn.linear %xn, %wn {rung.tiles = {rows = 16 : i64,
        columns = 16 : i64, depth = 16 : i64, stages = 2 : i64, stage_weights,
        narrow_first, panel = 2 : i64,
        layout = #tile.layout<instruction = [8, 8, 8], subgroups = 4,
                              subgroup_size = 8, cooperative = true,
                              subgroup_rows = 2>}}
        : (tensor<?x?x64xf16>, tensor<64x64xf16>) -> tensor<?x?x64xf32>
    return %y : tensor<?x?x64xf32>
  }
}
