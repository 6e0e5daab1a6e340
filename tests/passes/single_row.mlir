// RUN: rung-opt %s --rnn-select-single-row='profile=nvidia-hopper' | FileCheck %s --check-prefix=SELECT
// RUN: rung-opt %s --rnn-select-single-row='profile=generic' | FileCheck %s --check-prefix=GENERIC
// RUN: rung-opt %s --rnn-select-single-row='profile=nvidia-hopper' --rnn-select-tiles='profile=nvidia-hopper' --rnn-to-tile | FileCheck %s

// Products of integers alone, and rows of whole units.
// SELECT: func.func @two(
// SELECT-SAME: rung.single_row = {lanes = 32 : i64, shared_bytes = 49152 : i64, units = 132 : i64}
// SELECT: func.func @narrow(
// SELECT-NOT: rung.single_row
// SELECT: func.func @real(
// SELECT-NOT: rung.single_row
// GENERIC-NOT: rung.single_row

// What the second product multiplies is kept, not what it comes from; the
// second kernel computes the row that is returned, and keeps it for the third.
// The last one brings it to the host, beside the third.
// CHECK: tile.program @two attributes {rung.single_row = @two_single_row}
// CHECK: tile.program @two_single_row {
// CHECK: %[[X:.*]] = tile.buffer input 0
// CHECK: %[[KEPT:.*]] = tile.buffer scratch size <TB * 32, 1> : <i8>
// CHECK: %[[Y:.*]] = tile.buffer scratch size <TB * 16, 4> : <i32>
// CHECK: tile.dispatch @two_row groups(<8>, <1>, <1>) (%{{.*}}, %[[X]], %[[KEPT]]) push []
// CHECK: tile.dispatch @two_row_1 groups(<4>, <1>, <1>) (%{{.*}}, %[[KEPT]], %[[Y]]) push []
// CHECK: tile.dispatch @two_argmax_1 groups(<ceil(TB / 16)>, <1>, <1>) (%[[Y]], %{{.*}})
// CHECK: %[[OUT:.*]] = tile.buffer output 0
// CHECK: tile.dispatch @two_outputs groups({{.*}}) (%[[Y]], %[[OUT]])
// CHECK-NOT: tile.dispatch

// CHECK: tile.kernel @two_row(
// CHECK-SAME: cooperative = true
// CHECK: tile.lane_row %{{.*}}[%{{.*}}] depth 16 : memref<?xi8>
// CHECK: tile.put {{.*}} : i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8
// CHECK: tile.barrier
// CHECK: tile.lane_row
// CHECK: tile.unit_dot
// CHECK: tile.subgroup_sum
// CHECK: tile.barrier
// CHECK: scf.if
// CHECK: arith.shrsi
// CHECK: arith.trunci
// CHECK: tile.write %{{.*}} : i8
rnn.weight @a : tensor<32x16xi8> = dense<1>
rnn.weight @b : tensor<16x32xi8> = dense<1>
rnn.weight @c : tensor<16x8xi8> = dense<1>
rnn.weight @d : tensor<16x16xf32> = dense<1.0>
func.func @two(%x: tensor<?x?x16xi32> {rnn.name = "x"})
    -> (tensor<?x?x16xi32> {rnn.name = "y"}, tensor<?x?xi32> {rnn.name = "best"}) {
  %a = rnn.load_weight @a : tensor<32x16xi8>
  %b = rnn.load_weight @b : tensor<16x32xi8>
  %low = rnn.map inputs(%x) weights() {
  ^bb0(%row: tensor<16xi32>):
    %0 = arith.trunci %row : tensor<16xi32> to tensor<16xi8>
    rnn.yield outputs(%0 : tensor<16xi8>) states()
  } : (tensor<?x?x16xi32>) -> tensor<?x?x16xi8>
  %sum = rnn.linear %low, %a : (tensor<?x?x16xi8>, tensor<32x16xi8>) -> tensor<?x?x32xi32>
  %high = rnn.map inputs(%sum) weights() {
  ^bb0(%row: tensor<32xi32>):
    %c8 = arith.constant dense<8> : tensor<32xi32>
    %0 = arith.shrsi %row, %c8 : tensor<32xi32>
    %1 = arith.trunci %0 : tensor<32xi32> to tensor<32xi8>
    rnn.yield outputs(%1 : tensor<32xi8>) states()
  } : (tensor<?x?x32xi32>) -> tensor<?x?x32xi8>
  %y = rnn.linear %high, %b : (tensor<?x?x32xi8>, tensor<16x32xi8>) -> tensor<?x?x16xi32>
  %best = rnn.argmax %y : tensor<?x?x16xi32> -> tensor<?x?xi32>
  return %y, %best : tensor<?x?x16xi32>, tensor<?x?xi32>
}
func.func @narrow(%x: tensor<?x?x8xi8> {rnn.name = "x"})
    -> (tensor<?x?x16xi32> {rnn.name = "y"}) {
  %c = rnn.load_weight @c : tensor<16x8xi8>
  %y = rnn.linear %x, %c : (tensor<?x?x8xi8>, tensor<16x8xi8>) -> tensor<?x?x16xi32>
  return %y : tensor<?x?x16xi32>
}
func.func @real(%x: tensor<?x?x16xf32> {rnn.name = "x"})
    -> (tensor<?x?x16xf32> {rnn.name = "y"}) {
  %d = rnn.load_weight @d : tensor<16x16xf32>
  %y = rnn.linear %x, %d : (tensor<?x?x16xf32>, tensor<16x16xf32>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}
