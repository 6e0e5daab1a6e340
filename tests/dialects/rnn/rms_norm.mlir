// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<?x?x64xf32>, %s: tensor<64xf32>)
    -> (tensor<?x?x64xf32>, tensor<?x?x64xf32>) {
  // CHECK: rnn.rms_norm %{{.*}}, %{{.*}} : tensor<?x?x64xf32>, tensor<64xf32>
  %0 = rnn.rms_norm %x, %s : tensor<?x?x64xf32>, tensor<64xf32>
  // CHECK: rnn.rms_norm %{{.*}}, %{{.*}} {epsilon = 9.765625E-4 : f64}
  %1 = rnn.rms_norm %x, %s {epsilon = 0.0009765625 : f64}
      : tensor<?x?x64xf32>, tensor<64xf32>
  return %0, %1 : tensor<?x?x64xf32>, tensor<?x?x64xf32>
}
