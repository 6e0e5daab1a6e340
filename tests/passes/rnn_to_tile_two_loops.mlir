// RUN: rung-opt %s --rnn-to-tile --canonicalize --cse | FileCheck %s

// The steps of a group are written twice, and none of them branches: outputs of
// whole tiles go straight to memory, others through shared memory.
module {
  rnn.weight @u : tensor<2x16x16xf16> = dense<0.5>
  // CHECK-LABEL: tile.kernel @twice_resident_head(
  // CHECK: %[[WHOLE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
  // CHECK: scf.for
  // CHECK: tile.fetch
  // CHECK: %[[STATES:.*]] = scf.if %[[WHOLE]] -> (!tile.matrix<8x16xf32, acc>) {
  // CHECK: scf.for
  // CHECK-NOT: scf.if
  // CHECK: tile.store_global
  // CHECK: tile.barrier
  // CHECK-NOT: tile.drain
  // CHECK: } else {
  // CHECK: scf.for
  // CHECK-NOT: scf.if
  // CHECK-NOT: tile.store_global
  // CHECK: tile.barrier
  // CHECK-NOT: scf.if
  // CHECK: tile.drain
  // CHECK: tile.land
  // CHECK: scf.yield %[[STATES]]
  func.func @twice(%x: tensor<?x?x32xf32>, %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64, two_loops,
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
    return %y : tensor<?x?x32xf32>
  }
}
