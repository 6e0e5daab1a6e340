// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @cast
func.func @cast(%x: tensor<?x?x8xf32>, %w: tensor<2x4x4xbf16>)
    -> (tensor<?x?x8xf16>, tensor<2x4x4xf32>) {
  // CHECK: rnn.cast %{{.*}} : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  %0 = rnn.cast %x : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  // CHECK: rnn.cast %{{.*}} : tensor<2x4x4xbf16> to tensor<2x4x4xf32>
  %1 = rnn.cast %w : tensor<2x4x4xbf16> to tensor<2x4x4xf32>
  return %0, %1 : tensor<?x?x8xf16>, tensor<2x4x4xf32>
}
