// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @input_dot
func.func @input_dot(%x: tensor<?x?x6xf16>, %w: tensor<24x6xf16>,
                     %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    // CHECK: rnn.input_dot %{{.*}}, %{{.*}} first(16) : (tensor<6xf16>, tensor<24x6xf16>) -> tensor<8xf32>
    %d = rnn.input_dot %px, %pw first(16)
        : (tensor<6xf16>, tensor<24x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}
