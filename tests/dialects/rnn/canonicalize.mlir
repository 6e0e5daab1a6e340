// RUN: rung-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identity
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK-NEXT: return %[[X]]
func.func @identity(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = rnn.activation %x {function = #rnn.activation<identity>}
      : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @concat_of_one
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK-NEXT: return %[[X]]
func.func @concat_of_one(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = rnn.concat %x : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @cast_to_itself
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK-NEXT: return %[[X]]
func.func @cast_to_itself(%x: tensor<?x?x8xf16>) -> tensor<?x?x8xf16> {
  %0 = rnn.cast %x : tensor<?x?x8xf16> to tensor<?x?x8xf16>
  return %0 : tensor<?x?x8xf16>
}

// CHECK-LABEL: func.func @cast_through_wider
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK-NEXT: return %[[X]]
func.func @cast_through_wider(%x: tensor<?x?x8xf16>) -> tensor<?x?x8xf16> {
  %0 = rnn.cast %x : tensor<?x?x8xf16> to tensor<?x?x8xf32>
  %1 = rnn.cast %0 : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  return %1 : tensor<?x?x8xf16>
}

// A narrower format on the way rounds, and must stay.
// CHECK-LABEL: func.func @cast_through_narrower
// CHECK: rnn.cast {{.*}} to tensor<?x?x8xf16>
// CHECK: rnn.cast {{.*}} to tensor<?x?x8xf32>
func.func @cast_through_narrower(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = rnn.cast %x : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  %1 = rnn.cast %0 : tensor<?x?x8xf16> to tensor<?x?x8xf32>
  return %1 : tensor<?x?x8xf32>
}

// So must one that is neither wider nor narrower.
// CHECK-LABEL: func.func @cast_through_other
// CHECK: rnn.cast {{.*}} to tensor<?x?x8xbf16>
// CHECK: rnn.cast {{.*}} to tensor<?x?x8xf16>
func.func @cast_through_other(%x: tensor<?x?x8xf16>) -> tensor<?x?x8xf16> {
  %0 = rnn.cast %x : tensor<?x?x8xf16> to tensor<?x?x8xbf16>
  %1 = rnn.cast %0 : tensor<?x?x8xbf16> to tensor<?x?x8xf16>
  return %1 : tensor<?x?x8xf16>
}

// Constants of a body stay inside it.
// CHECK-LABEL: func.func @body
// CHECK: rnn.recurrence
// CHECK-NEXT: bb0
// CHECK-NEXT: arith.constant
func.func @body(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    %s = tensor.extract_slice %px[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
    %c = arith.constant dense<0.5> : tensor<8xf32>
    %m = arith.mulf %s, %c : tensor<8xf32>
    // CHECK-NOT: extract_slice
    rnn.yield outputs() states(%m : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %hn : tensor<?x8xf32>
}
