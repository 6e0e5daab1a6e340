// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<?x?x101xf32>) -> tensor<?x?xi32> {
  // CHECK: rnn.argmax %{{.*}} : tensor<?x?x101xf32> -> tensor<?x?xi32>
  %0 = rnn.argmax %x : tensor<?x?x101xf32> -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
