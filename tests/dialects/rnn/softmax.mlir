// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<?x?x101xf32>) -> tensor<?x?x101xf32> {
  // CHECK: rnn.softmax %{{.*}} : tensor<?x?x101xf32>
  %0 = rnn.softmax %x : tensor<?x?x101xf32>
  return %0 : tensor<?x?x101xf32>
}
