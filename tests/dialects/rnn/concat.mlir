// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @concat
func.func @concat(%a: tensor<?x?x8xf32>, %b: tensor<?x?x3xf32>)
    -> tensor<?x?x11xf32> {
  // CHECK: rnn.concat %{{.*}}, %{{.*}} : (tensor<?x?x8xf32>, tensor<?x?x3xf32>) -> tensor<?x?x11xf32>
  %0 = rnn.concat %a, %b
      : (tensor<?x?x8xf32>, tensor<?x?x3xf32>) -> tensor<?x?x11xf32>
  return %0 : tensor<?x?x11xf32>
}
