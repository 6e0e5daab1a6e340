// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @least
func.func @least(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>,
                 %u: tensor<2x12x4xf32>, %h: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  // CHECK: %y, %hn = rnn.gru %{{.*}} weights(%{{.*}}) recurrent(%{{.*}}) initial(%{{.*}}) reset(before) update(take) direction(reverse) activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>]) : (
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(before) update(take) direction(reverse)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %hn : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @most
func.func @most(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>,
                %u: tensor<2x12x4xf32>, %b: tensor<24xf32>,
                %h: tensor<?x8xf32>, %n: tensor<?xi32>) -> tensor<?x?x16xf32> {
  // CHECK: %y, %hn:2 = rnn.gru
  // CHECK-SAME: weights(%[[W:[^ ,]+]], %[[W]]) recurrent(%[[U:[^ ,]+]], %[[U]])
  // CHECK-SAME: input_bias(%[[B:[^ ,]+]], %[[B]]) recurrent_bias(%[[B]], %[[B]])
  // CHECK-SAME: initial(%[[H:[^ ,]+]], %[[H]]) lengths(%{{[^ ]*}})
  // CHECK-SAME: reset(after) update(keep) direction(bidirectional)
  // CHECK-SAME: activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>, #rnn.activation<hard_sigmoid>, #rnn.activation<softsign>])
  // CHECK-SAME: precision(<operand = bf16, accumulate = f32, state = f32, round = nearest>)
  // CHECK-SAME: {clip = 5.000000e-01 : f64}
  %y, %hn:2 = rnn.gru %x weights(%w, %w) recurrent(%u, %u) input_bias(%b, %b)
      recurrent_bias(%b, %b) initial(%h, %h) lengths(%n)
      reset(after) update(keep) direction(bidirectional)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>,
                   #rnn.activation<hard_sigmoid>, #rnn.activation<softsign>])
      precision(<operand = bf16, accumulate = f32, state = f32,
                 round = nearest>) {clip = 0.5 : f64}
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24x5xf32>,
         tensor<2x12x4xf32>, tensor<2x12x4xf32>, tensor<24xf32>,
         tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>,
         tensor<?x8xf32>, tensor<?xi32>)
      -> (tensor<?x?x16xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
  return %y : tensor<?x?x16xf32>
}
