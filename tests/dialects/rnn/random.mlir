// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @walk
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf16>, %[[H0:.*]]: tensor<?x8xf16>, %[[N:.*]]: tensor<?xi32>, %[[R:.*]]: tensor<?x3xi32>)
func.func @walk(%x: tensor<?x?x8xf16>, %h0: tensor<?x8xf16>,
                %n: tensor<?xi32>, %r: tensor<?x3xi32>)
    -> (tensor<?x8xf16>, tensor<?x3xi32>) {
  // CHECK: rnn.recurrence direction(forward) heads(1) sequences(%[[X]]) weights() initial(%[[H0]]) lengths(%[[N]]) random(%[[R]]) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h0) lengths(%n) random(%r) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>):
    // CHECK: %[[BITS:.*]] = rnn.random layer(7) word(3) : tensor<8xi32>
    %bits = rnn.random layer(7) word(3) : tensor<8xi32>
    // CHECK: rnn.add_stochastic %{{.*}}, %{{.*}}, %[[BITS]] : tensor<8xf16>, tensor<8xi32>
    %s = rnn.add_stochastic %h, %px, %bits : tensor<8xf16>, tensor<8xi32>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  // CHECK: } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?xi32>, tensor<?x3xi32>) -> tensor<?x8xf16>
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?xi32>, tensor<?x3xi32>)
      -> tensor<?x8xf16>
  // CHECK: %[[R1:.*]] = rnn.advance_random %[[R]], %[[X]] lengths(%[[N]]) : tensor<?x3xi32>, tensor<?x?x8xf16>, tensor<?xi32>
  %r1 = rnn.advance_random %r, %x lengths(%n)
      : tensor<?x3xi32>, tensor<?x?x8xf16>, tensor<?xi32>
  // CHECK: rnn.advance_random %[[R1]], %[[X]] : tensor<?x3xi32>, tensor<?x?x8xf16>
  %r2 = rnn.advance_random %r1, %x : tensor<?x3xi32>, tensor<?x?x8xf16>
  return %hn, %r2 : tensor<?x8xf16>, tensor<?x3xi32>
}
