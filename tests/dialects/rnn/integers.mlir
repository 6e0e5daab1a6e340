// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @body
func.func @body(%x: tensor<?x?x8xi32>, %u: tensor<2x4x4xi8>, %f: tensor<8xi32>,
                %t: tensor<17xi32>, %h0: tensor<?x8xi32>) -> tensor<?x8xi32> {
  %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%u, %f, %t) initial(%h0)
      precision(<operand = s8, accumulate = s32, state = s32,
                 round = nearest>) {
  ^bb0(%px: tensor<8xi32>, %pu: tensor<2x4x4xi8>, %pf: tensor<8xi32>,
       %pt: tensor<17xi32>, %h: tensor<8xi32>):
    %o = arith.trunci %h : tensor<8xi32> to tensor<8xi8>
    // CHECK: rnn.dot %{{.*}}, %{{.*}} : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xi32>
    %d = rnn.dot %o, %pu
        : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xi32>
    // CHECK: rnn.requantize %{{.*}}, %{{.*}} shift(24) : tensor<8xi32>
    %q = rnn.requantize %d, %pf shift(24) : tensor<8xi32>
    // CHECK: rnn.piecewise %{{.*}} knots([-7, 1024]) slopes([0, 256, -1]) offsets([0, 2, -3]) shift(10) : tensor<8xi32>
    %p = rnn.piecewise %q knots([-7, 1024]) slopes([0, 256, -1])
        offsets([0, 2, -3]) shift(10) : tensor<8xi32>
    // One piece has no knots.
    // CHECK: rnn.piecewise %{{.*}} knots([]) slopes([5]) offsets([1]) shift(62) : tensor<8xi32>
    %l = rnn.piecewise %p knots([]) slopes([5]) offsets([1]) shift(62)
        : tensor<8xi32>
    // CHECK: rnn.lookup %{{.*}}, %{{.*}} low(-2048) shift(8) interpolate : tensor<8xi32>, tensor<17xi32>
    %i = rnn.lookup %l, %pt low(-2048) shift(8) interpolate
        : tensor<8xi32>, tensor<17xi32>
    // CHECK: rnn.lookup %{{.*}}, %{{.*}} low(-8) shift(0) : tensor<8xi32>, tensor<17xi32>
    %j = rnn.lookup %i, %pt low(-8) shift(0) : tensor<8xi32>, tensor<17xi32>
    %s = arith.addi %j, %px : tensor<8xi32>
    rnn.yield outputs() states(%s : tensor<8xi32>)
  } : (tensor<?x?x8xi32>, tensor<2x4x4xi8>, tensor<8xi32>, tensor<17xi32>,
       tensor<?x8xi32>) -> tensor<?x8xi32>
  return %hn : tensor<?x8xi32>
}

// CHECK-LABEL: func.func @layers
func.func @layers(%ids: tensor<?x?xi32>, %table: tensor<5x8xi32>,
                  %x: tensor<?x?x8xi8>, %w: tensor<8x8xi8>, %b: tensor<8xi32>)
    -> tensor<?x?xi32> {
  // CHECK: rnn.embedding %{{.*}}, %{{.*}} : (tensor<?x?xi32>, tensor<5x8xi32>) -> tensor<?x?x8xi32>
  %e = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<5x8xi32>) -> tensor<?x?x8xi32>
  // CHECK: rnn.linear %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x?x8xi8>, tensor<8x8xi8>, tensor<8xi32>) -> tensor<?x?x8xi32>
  %l = rnn.linear %x, %w, %b
      : (tensor<?x?x8xi8>, tensor<8x8xi8>, tensor<8xi32>) -> tensor<?x?x8xi32>
  // CHECK: rnn.integer_rms_norm %{{.*}}, %{{.*}} epsilon(7) shift(24) : tensor<?x?x8xi32>, tensor<8xi32>
  %n = rnn.integer_rms_norm %l, %b epsilon(7) shift(24)
      : tensor<?x?x8xi32>, tensor<8xi32>
  // CHECK: rnn.add %{{.*}}, %{{.*}} : tensor<?x?x8xi32>
  %s = rnn.add %n, %e : tensor<?x?x8xi32>
  // CHECK: rnn.concat %{{.*}}, %{{.*}} : (tensor<?x?x8xi32>, tensor<?x?x8xi32>) -> tensor<?x?x16xi32>
  %c = rnn.concat %s, %e
      : (tensor<?x?x8xi32>, tensor<?x?x8xi32>) -> tensor<?x?x16xi32>
  // CHECK: rnn.argmax %{{.*}} : tensor<?x?x16xi32> -> tensor<?x?xi32>
  %a = rnn.argmax %c : tensor<?x?x16xi32> -> tensor<?x?xi32>
  return %a : tensor<?x?xi32>
}
