// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sequence
func.func @sequence(%ids: tensor<?x?xi32>, %table: tensor<101x64xf32>)
    -> tensor<?x?x64xf32> {
  // CHECK: rnn.embedding %{{.*}}, %{{.*}} : (tensor<?x?xi32>, tensor<101x64xf32>) -> tensor<?x?x64xf32>
  %0 = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<101x64xf32>) -> tensor<?x?x64xf32>
  return %0 : tensor<?x?x64xf32>
}

// CHECK-LABEL: func.func @one_step
func.func @one_step(%ids: tensor<?xi32>, %table: tensor<1x2xf16>)
    -> tensor<?x2xf16> {
  // CHECK: rnn.embedding %{{.*}}, %{{.*}} : (tensor<?xi32>, tensor<1x2xf16>) -> tensor<?x2xf16>
  %0 = rnn.embedding %ids, %table
      : (tensor<?xi32>, tensor<1x2xf16>) -> tensor<?x2xf16>
  return %0 : tensor<?x2xf16>
}
