// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK: rnn.weight @fc.bias : tensor<2xf32> = dense<[5.000000e-01, -1.000000e+00]>
rnn.weight @fc.bias : tensor<2xf32> = dense<[0.5, -1.0]>
// CHECK: rnn.weight @decoder.fc.weight : tensor<2x3xf16> = dense<2.000000e+00> {note = "tied"}
rnn.weight @decoder.fc.weight : tensor<2x3xf16> = dense<2.0> {note = "tied"}
// CHECK: rnn.weight @"odd name" : tensor<2xbf16> = dense_resource<two>
rnn.weight @"odd name" : tensor<2xbf16> = dense_resource<two>

// CHECK-LABEL: func.func @loads
func.func @loads() -> (tensor<2xf32>, tensor<2x3xf16>) {
  // The last part of the weight's name is the value's.
  // CHECK: %bias = rnn.load_weight @fc.bias : tensor<2xf32>
  %0 = rnn.load_weight @fc.bias : tensor<2xf32>
  // CHECK: %weight = rnn.load_weight @decoder.fc.weight : tensor<2x3xf16>
  %1 = rnn.load_weight @decoder.fc.weight : tensor<2x3xf16>
  return %0, %1 : tensor<2xf32>, tensor<2x3xf16>
}

{-#
  dialect_resources: {
    builtin: {
      two: "0x02000000803F0040"
    }
  }
#-}
