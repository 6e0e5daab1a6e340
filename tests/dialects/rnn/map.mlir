// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// To a grid of integers, and its two bytes.
// CHECK-LABEL: func.func @quantize
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[S:.*]]: tensor<8xf32>)
func.func @quantize(%x: tensor<?x?x8xf32>, %scale: tensor<8xf32>)
    -> (tensor<?x?x8xi32>, tensor<?x?x8xi8>) {
  // CHECK: %[[Q:.*]]:2 = rnn.map inputs(%[[X]]) weights(%[[S]]) {
  // CHECK-NEXT: ^bb0(%[[P:[^ ]*]]: tensor<8xf32>, %[[W:[^ ]*]]: tensor<8xf32>):
  // CHECK-NEXT: arith.mulf %[[P]], %[[W]] : tensor<8xf32>
  // CHECK: rnn.yield outputs(%{{.*}}, %{{.*}} : tensor<8xi32>, tensor<8xi8>) states()
  // CHECK-NEXT: } : (tensor<?x?x8xf32>, tensor<8xf32>) -> (tensor<?x?x8xi32>, tensor<?x?x8xi8>)
  // CHECK-NEXT: return %[[Q]]#0, %[[Q]]#1
  %q:2 = rnn.map inputs(%x) weights(%scale) {
  ^bb0(%p: tensor<8xf32>, %s: tensor<8xf32>):
    %m = arith.mulf %p, %s : tensor<8xf32>
    %r = math.roundeven %m : tensor<8xf32>
    %i = arith.fptosi %r : tensor<8xf32> to tensor<8xi32>
    %eight = arith.constant dense<8> : tensor<8xi32>
    %high = arith.shrsi %i, %eight : tensor<8xi32>
    %byte = arith.trunci %high : tensor<8xi32> to tensor<8xi8>
    rnn.yield outputs(%i, %byte : tensor<8xi32>, tensor<8xi8>) states()
  } : (tensor<?x?x8xf32>, tensor<8xf32>)
      -> (tensor<?x?x8xi32>, tensor<?x?x8xi8>)
  return %q#0, %q#1 : tensor<?x?x8xi32>, tensor<?x?x8xi8>
}

// States have no steps; two inputs, no weights.
// CHECK-LABEL: func.func @join
func.func @join(%hi: tensor<?x8xf16>, %lo: tensor<?x8xf16>)
    -> tensor<?x8xf32> {
  // CHECK: rnn.map inputs(%{{.*}}, %{{.*}}) weights() {
  %h = rnn.map inputs(%hi, %lo) weights() {
  ^bb0(%a: tensor<8xf16>, %b: tensor<8xf16>):
    %wa = arith.extf %a : tensor<8xf16> to tensor<8xf32>
    %wb = arith.extf %b : tensor<8xf16> to tensor<8xf32>
    %s = arith.addf %wa, %wb : tensor<8xf32>
    rnn.yield outputs(%s : tensor<8xf32>) states()
  // CHECK: } : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf32>
  } : (tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf32>
  return %h : tensor<?x8xf32>
}
