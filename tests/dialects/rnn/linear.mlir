// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<?x?x64xf32>, %w: tensor<101x64xf32>)
    -> tensor<?x?x101xf32> {
  // CHECK: rnn.linear %{{.*}}, %{{.*}} : (tensor<?x?x64xf32>, tensor<101x64xf32>) -> tensor<?x?x101xf32>
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xf32>, tensor<101x64xf32>) -> tensor<?x?x101xf32>
  return %0 : tensor<?x?x101xf32>
}

// CHECK-LABEL: func.func @mixed
func.func @mixed(%x: tensor<?x64xf16>, %w: tensor<101x64xf16>,
                 %b: tensor<101xf32>) -> tensor<?x101xf32> {
  // CHECK: rnn.linear %{{.*}}, %{{.*}}, %{{.*}} precision(<operand = f16, accumulate = f32, state = f32, round = nearest>) : (tensor<?x64xf16>, tensor<101x64xf16>, tensor<101xf32>) -> tensor<?x101xf32>
  %0 = rnn.linear %x, %w, %b precision(<operand = f16, accumulate = f32,
                                        state = f32, round = nearest>)
      : (tensor<?x64xf16>, tensor<101x64xf16>, tensor<101xf32>)
      -> tensor<?x101xf32>
  return %0 : tensor<?x101xf32>
}
