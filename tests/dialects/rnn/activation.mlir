// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @activation
func.func @activation(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  // CHECK: rnn.activation %{{.*}} {function = #rnn.activation<tanh>} : tensor<?x?x8xf32>
  %0 = rnn.activation %x {function = #rnn.activation<tanh>} : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// Every function, with its parameters where they are not ONNX's defaults.
// CHECK-LABEL: func.func private @functions
func.func private @functions() attributes {
  // CHECK-SAME: a0 = #rnn.activation<sigmoid>
  // CHECK-SAME: a1 = #rnn.activation<relu>
  // CHECK-SAME: a2 = #rnn.activation<affine, alpha = 2.000000e+00, beta = 1.000000e+00>
  // CHECK-SAME: a3 = #rnn.activation<leaky_relu>
  // CHECK-SAME: a4 = #rnn.activation<thresholded_relu, alpha = 5.000000e-01>
  // CHECK-SAME: a5 = #rnn.activation<scaled_tanh, beta = 5.000000e-01>
  // CHECK-SAME: a6 = #rnn.activation<hard_sigmoid>
  // CHECK-SAME: a7 = #rnn.activation<elu>
  // CHECK-SAME: a8 = #rnn.activation<softsign>
  // CHECK-SAME: a9 = #rnn.activation<softplus>
  // CHECK-SAME: b0 = #rnn.activation<identity>
  a0 = #rnn.activation<sigmoid>,
  a1 = #rnn.activation<relu>,
  a2 = #rnn.activation<affine, beta = 1.0, alpha = 2.0>,
  a3 = #rnn.activation<leaky_relu, alpha = 0.01>,
  a4 = #rnn.activation<thresholded_relu, alpha = 0.5>,
  a5 = #rnn.activation<scaled_tanh, alpha = 1.0, beta = 0.5>,
  a6 = #rnn.activation<hard_sigmoid, alpha = 0.2, beta = 0.5>,
  a7 = #rnn.activation<elu, alpha = 1.0>,
  a8 = #rnn.activation<softsign>,
  a9 = #rnn.activation<softplus>,
  b0 = #rnn.activation<identity>}
