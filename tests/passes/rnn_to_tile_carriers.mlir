// RUN: rung-opt %s --split-input-file --rnn-to-tile --canonicalize --cse | FileCheck %s --implicit-check-not=func.func

// A pair of f16: rows, states, sums and outputs are f16, in memory too, and
// nothing in the kernel is f32. Both halves are multiplied by one matrix.
module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  rnn.weight @b : tensor<32xf32> = dense<0.5>
  // CHECK-LABEL: tile.program @pairs {
  // CHECK: tile.buffer input 0 size <TB * 64> : <f16>
  // CHECK: tile.packed count 512 [#tile.piece<weight = @u, {{[^#]*}}>] : <f16>
  // CHECK: tile.packed count 32 [#tile.piece<weight = @b, {{.*}}>] : <f16>
  // CHECK: tile.kernel @pairs_resident_head(
  // CHECK-NOT: f32
  // CHECK-SAME: attributes {rung.forbid = "f32"}
  // CHECK-NOT: f32
  // CHECK: %[[ROW:.*]] = tile.broadcast_row
  // CHECK: %[[U:.*]] = tile.load_packed
  // CHECK-NOT: tile.load_packed
  // CHECK: scf.for {{.*}} -> (!tile.matrix<8x16xf16, acc>, !tile.matrix<8x16xf16, acc>, !tile.flight<8x16xf16>)
  // CHECK-NOT: f32
  // CHECK-NOT: tile.convert
  // CHECK: tile.store %[[HIGH:.*]], %[[FIRST:.*]][
  // CHECK-NEXT: tile.store %[[LOW:.*]], %[[SECOND:.*]][
  // CHECK-NEXT: tile.barrier
  // CHECK: %[[A:.*]] = tile.load %[[FIRST]]
  // CHECK: tile.mma %{{.*}}, %[[A]], %[[U]] : <8x16xf16, acc>, <8x16xf16, a>, <16x16xf16, b>
  // CHECK: %[[B:.*]] = tile.load %[[SECOND]]
  // CHECK: tile.mma %{{.*}}, %[[B]], %[[U]]
  // CHECK-NOT: f32
  // CHECK: tile.return
  func.func @pairs(%x: tensor<?x?x32xf16>, %h0: tensor<?x32xf16>,
                   %l0: tensor<?x32xf16>)
      -> (tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>) {
    %w = rnn.load_weight @u : tensor<2x16x16xf32>
    %u = rnn.cast %w : tensor<2x16x16xf32> to tensor<2x16x16xf16>
    %c = rnn.load_weight @b : tensor<32xf32>
    %b = rnn.cast %c : tensor<32xf32> to tensor<32xf16>
    %y, %hn:2 = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u, %b) initial(%h0, %l0)
        precision(#rnn.precision<operand = f16, accumulate = f16,
                                 state = f16x2, round = nearest>)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf16>, %pu: tensor<2x16x16xf16>, %pb: tensor<32xf16>,
         %h: tensor<32xf16>, %l: tensor<32xf16>):
      %d = rnn.dot %h, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf16>
      %e = rnn.dot %l, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf16>
      %s = arith.addf %d, %px : tensor<32xf16>
      %n = arith.addf %s, %pb : tensor<32xf16>
      rnn.yield outputs(%n : tensor<32xf16>)
          states(%n, %e : tensor<32xf16>, tensor<32xf16>)
    } : (tensor<?x?x32xf16>, tensor<2x16x16xf16>, tensor<32xf16>,
         tensor<?x32xf16>, tensor<?x32xf16>)
        -> (tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>)
    return %y, %hn#0, %hn#1
        : tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>
  }
}

