// RUN: rung-opt %s --rnn-insert-casts | FileCheck %s
// A second run finds nothing to do.
// RUN: rung-opt %s --rnn-insert-casts --rnn-insert-casts | FileCheck %s

// One cast of each operand, however many products take it; bias and result
// stay f32.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[W:.*]]: tensor<24x8xf32>, %[[B:.*]]: tensor<24xf32>)
func.func @linear(%x: tensor<?x?x8xf32>, %w: tensor<24x8xf32>,
                  %b: tensor<24xf32>)
    -> (tensor<?x?x24xf32>, tensor<?x?x24xf32>) {
  // CHECK-DAG: %[[X16:.*]] = rnn.cast %[[X]] : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  // CHECK-DAG: %[[W16:.*]] = rnn.cast %[[W]] : tensor<24x8xf32> to tensor<24x8xf16>
  // CHECK-NOT: rnn.cast
  // CHECK: rnn.linear %[[X16]], %[[W16]], %[[B]] {{.*}} : (tensor<?x?x8xf16>, tensor<24x8xf16>, tensor<24xf32>) -> tensor<?x?x24xf32>
  %0 = rnn.linear %x, %w, %b precision(<operand = f16, accumulate = f32,
                                        state = f32, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>, tensor<24xf32>)
      -> tensor<?x?x24xf32>
  // CHECK: rnn.linear %[[X16]], %[[W16]] precision
  %1 = rnn.linear %x, %w precision(<operand = f16, accumulate = f32,
                                    state = f32, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  return %0, %1 : tensor<?x?x24xf32>, tensor<?x?x24xf32>
}

// CHECK-LABEL: func.func @full
// CHECK-NOT: rnn.cast
// CHECK: return
func.func @full(%x: tensor<?x?x8xf32>, %w: tensor<24x8xf32>)
    -> (tensor<?x?x24xf32>, tensor<?x?x24xf32>) {
  %0 = rnn.linear %x, %w precision(<operand = f32, accumulate = f32,
                                    state = f32, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  %1 = rnn.linear %x, %w
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  return %0, %1 : tensor<?x?x24xf32>, tensor<?x?x24xf32>
}

// A matrix is cast outside, once; a row inside, once for all its products.
// Vectors, states and pointwise arithmetic stay f32.
// CHECK-LABEL: func.func @body
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[U:.*]]: tensor<2x8x4xf32>, %[[B:.*]]: tensor<8xf32>, %[[H0:.*]]: tensor<?x8xf32>)
func.func @body(%x: tensor<?x?x8xf32>, %u: tensor<2x8x4xf32>,
                %b: tensor<8xf32>, %h0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK: %[[U16:.*]] = rnn.cast %[[U]] : tensor<2x8x4xf32> to tensor<2x8x4xbf16>
  // CHECK-NOT: rnn.cast
  // CHECK: rnn.recurrence {{.*}} sequences(%[[X]]) weights(%[[U16]], %[[B]]) initial(%[[H0]])
  // CHECK-NEXT: ^bb0(%[[PX:.*]]: tensor<8xf32>, %[[PU:.*]]: tensor<2x8x4xbf16>, %[[PB:.*]]: tensor<8xf32>, %[[H:.*]]: tensor<8xf32>):
  %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%u, %b) initial(%h0)
      precision(<operand = bf16, accumulate = f32, state = f32,
                 round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %pu: tensor<2x8x4xf32>, %pb: tensor<8xf32>,
       %h: tensor<8xf32>):
    %u0 = tensor.extract_slice %pu[0, 0, 0] [2, 4, 4] [1, 1, 1]
        : tensor<2x8x4xf32> to tensor<2x4x4xf32>
    %u1 = tensor.extract_slice %pu[0, 4, 0] [2, 4, 4] [1, 1, 1]
        : tensor<2x8x4xf32> to tensor<2x4x4xf32>
    // CHECK: %[[HT:.*]] = arith.truncf %[[H]] : tensor<8xf32> to tensor<8xbf16>
    // CHECK: %[[D0:.*]] = rnn.dot %[[HT]], %{{.*}} : (tensor<8xbf16>, tensor<2x4x4xbf16>) -> tensor<8xf32>
    %d0 = rnn.dot %h, %u0
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    // CHECK-NOT: arith.truncf
    // CHECK: %[[D1:.*]] = rnn.dot %[[HT]], %{{.*}} : (tensor<8xbf16>, tensor<2x4x4xbf16>) -> tensor<8xf32>
    %d1 = rnn.dot %h, %u1
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    // CHECK: %[[M:.*]] = arith.mulf %[[D0]], %[[H]] : tensor<8xf32>
    %m = arith.mulf %d0, %h : tensor<8xf32>
    // CHECK: %[[MT:.*]] = arith.truncf %[[M]] : tensor<8xf32> to tensor<8xbf16>
    // CHECK: rnn.dot %[[MT]], %{{.*}}
    %d2 = rnn.dot %m, %u1
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    %s = arith.addf %d1, %d2 : tensor<8xf32>
    %t = arith.addf %s, %pb : tensor<8xf32>
    // CHECK: rnn.yield outputs() states(%{{.*}} : tensor<8xf32>)
    rnn.yield outputs() states(%t : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x8x4xf32>, tensor<8xf32>, tensor<?x8xf32>)
      -> tensor<?x8xf32>
  return %hn : tensor<?x8xf32>
}
