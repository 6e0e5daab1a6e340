// RUN: rung-opt %s --rnn-select-tiles=profile=nvidia-hopper --rnn-to-tile --canonicalize --cse | FileCheck %s

// 256 units: 16 workgroups of 16, each a whole row of the operand and, a
// subgroup, an eighth of its depth.

// The words of two halves, and where a wait in vain is told.
// CHECK: tile.program @grid
// CHECK: %[[WORDS:.*]] = tile.buffer scratch size <B * 512, 4> : <i32>
// CHECK: %[[PROGRESS:.*]] = tile.buffer progress size <4> : <i32>
// CHECK: tile.dispatch @grid_grid_initial groups(<1>, <ceil(B / 8)>, <16>)
// Batch rows are a loop inside: all workgroups run at once.
// CHECK: tile.dispatch @grid_resident_grid groups(<1>, <1>, <16>)

// Of many rows, pairs: step 0 in the first slot, zeros in the others. Of few,
// step 0 in the first half; the second half belongs to no step.
// CHECK-LABEL: tile.kernel @grid_grid_initial(
// CHECK: scf.if
// CHECK: tile.publish_pairs %{{.*}} clear[%{{.*}}, %{{.*}}] pitch
// CHECK: } else {
// CHECK: %[[WORD:.*]] = tile.map
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: tile.publish %[[WORD]], %{{.*}} tag %c0 rows
// CHECK: tile.publish %[[WORD]], %{{.*}} tag %c65535 rows

// CHECK-LABEL: tile.kernel @grid_resident_grid(
// CHECK-SAME: layout(<instruction = [16, 8, 16], subgroups = 8, subgroup_size = 32, cooperative = true>)
// CHECK: %[[OPERAND:.*]] = tile.shared : memref<8x264xf16,
// CHECK: %[[SUMS:.*]] = tile.shared : memref<64x20xf32,
// CHECK: %[[U:.*]] = tile.load_split %{{.*}} -> <16x256xf16, a>
// Of many rows: steps, and in each all tiles of the batch. A subgroup awaits
// its part of the operand; between products and stores the sums are free.
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %c0 to %[[ROUNDS:.*]] step %c1 {
// CHECK: scf.for %[[STEP:.*]] = %c0 to
// CHECK: scf.for %{{.*}} = %c0 to %[[ROUNDS]] step %c1
// CHECK: tile.await_rows %{{.*}} -> %[[OPERAND]] : <8x256xf16, width 8>
// CHECK: tile.peek_rows
// CHECK: tile.split_mma(%[[U]]), %[[OPERAND]] -> %[[SUMS]] from 0 barrier
// CHECK-NEXT: tile.barrier
// CHECK-COUNT-8: tile.lift %[[SUMS]]
// CHECK: tile.publish_pairs %{{.*}} clear[%{{.*}}] pitch
// CHECK: tile.deliver
// CHECK: } else {
// Tiles of the batch, then steps, then the rows that there are.
// CHECK: scf.for
// CHECK: scf.for %[[T:.*]] = %c0 to %{{.*}} step %c1
// CHECK: scf.for %[[R:.*]] = %c0
// CHECK: %[[FLIGHT:.*]], %{{.*}} = tile.await %{{.*}} columns %c256 tag %[[T]] polls %{{.*}} -> <1x256xi32, width 4>
// CHECK: tile.land %{{.*}}, %[[OPERAND]][%[[R]], %c0] : <1x256xf16, width 4>
// CHECK: tile.barrier
// CHECK-NEXT: tile.split_mma(%[[U]]), %[[OPERAND]] -> %[[SUMS]] from 0
// CHECK-NEXT: tile.barrier
// CHECK-COUNT-8: tile.lift %[[SUMS]]
// CHECK: tile.publish
// A thread that waits must not keep its workgroup from publishing.
// CHECK: tile.barrier
// CHECK: tile.deliver
func.func @grid(%x: tensor<?x?x256xf32>, %h0: tensor<?x256xf32>)
    -> (tensor<?x?x256xf32>, tensor<?x256xf32>) {
  %w = rnn.load_weight @u : tensor<1x256x256xf32>
  %u = rnn.cast %w : tensor<1x256x256xf32> to tensor<1x256x256xf16>
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "resident-grid"} {
  ^bb0(%px: tensor<256xf32>, %pu: tensor<1x256x256xf16>, %h: tensor<256xf32>):
    %a = arith.truncf %h : tensor<256xf32> to tensor<256xf16>
    %d = rnn.dot %a, %pu
        : (tensor<256xf16>, tensor<1x256x256xf16>) -> tensor<256xf32>
    %n = arith.addf %px, %d : tensor<256xf32>
    rnn.yield outputs(%n : tensor<256xf32>) states(%n : tensor<256xf32>)
  } : (tensor<?x?x256xf32>, tensor<1x256x256xf16>, tensor<?x256xf32>)
      -> (tensor<?x?x256xf32>, tensor<?x256xf32>)
  return %y, %hn : tensor<?x?x256xf32>, tensor<?x256xf32>
}
rnn.weight @u : tensor<1x256x256xf32> = dense<0.0>
