// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @add
func.func @add(%a: tensor<?x?x8xf32>, %b: tensor<?x?x8xf32>)
    -> tensor<?x?x8xf32> {
  // CHECK: rnn.add %{{.*}}, %{{.*}} : tensor<?x?x8xf32>
  %0 = rnn.add %a, %b : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}
