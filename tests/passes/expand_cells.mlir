// RUN: rung-opt %s --rnn-expand-cells | FileCheck %s --implicit-check-not=rnn.gru

// The whole body once: every product and block by its place.

// CHECK-LABEL: func.func @after_take(
func.func @after_take(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK-SAME: %[[X:.*]]: tensor<?x?x5xf32>, %[[W:.*]]: tensor<24x5xf32>, %[[U:.*]]: tensor<2x12x4xf32>, %[[H0:.*]]: tensor<?x8xf32>)
  // CHECK: %[[XP:.*]] = rnn.linear %[[X]], %[[W]] : (tensor<?x?x5xf32>, tensor<24x5xf32>) -> tensor<?x?x24xf32>
  // CHECK: rnn.recurrence direction(forward) heads(2) sequences(%[[XP]]) weights(%[[U]]) initial(%[[H0]]) {
  // CHECK-NEXT: ^bb0(%[[PX:.*]]: tensor<24xf32>, %[[PU:.*]]: tensor<2x12x4xf32>, %[[H:.*]]: tensor<8xf32>):
  // CHECK-NEXT: %[[UZ:.*]] = tensor.extract_slice %[[PU]][0, 0, 0] [2, 4, 4] [1, 1, 1]
  // CHECK-NEXT: %[[DZ:.*]] = rnn.dot %[[H]], %[[UZ]] : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[XZ:.*]] = tensor.extract_slice %[[PX]][0] [8] [1]
  // CHECK-NEXT: %[[AZ:.*]] = arith.addf %[[XZ]], %[[DZ]]
  // CHECK-NEXT: %[[Z:.*]] = rnn.sigmoid %[[AZ]]
  // CHECK-NEXT: %[[UR:.*]] = tensor.extract_slice %[[PU]][0, 4, 0] [2, 4, 4] [1, 1, 1]
  // CHECK-NEXT: %[[DR:.*]] = rnn.dot %[[H]], %[[UR]]
  // CHECK-NEXT: %[[XR:.*]] = tensor.extract_slice %[[PX]][8] [8] [1]
  // CHECK-NEXT: %[[AR:.*]] = arith.addf %[[XR]], %[[DR]]
  // CHECK-NEXT: %[[R:.*]] = rnn.sigmoid %[[AR]]
  // CHECK-NEXT: %[[UN:.*]] = tensor.extract_slice %[[PU]][0, 8, 0] [2, 4, 4] [1, 1, 1]
  // CHECK-NEXT: %[[DN:.*]] = rnn.dot %[[H]], %[[UN]]
  // CHECK-NEXT: %[[RN:.*]] = arith.mulf %[[R]], %[[DN]]
  // CHECK-NEXT: %[[XN:.*]] = tensor.extract_slice %[[PX]][16] [8] [1]
  // CHECK-NEXT: %[[AN:.*]] = arith.addf %[[XN]], %[[RN]]
  // CHECK-NEXT: %[[N:.*]] = math.tanh %[[AN]]
  // CHECK-NEXT: %[[D:.*]] = arith.subf %[[N]], %[[H]]
  // CHECK-NEXT: %[[S:.*]] = arith.mulf %[[Z]], %[[D]]
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[H]], %[[S]]
  // CHECK-NEXT: rnn.yield outputs(%[[NEXT]] : tensor<8xf32>) states(%[[NEXT]] : tensor<8xf32>)
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// The reset acts on the state before its product, and the share of the
// candidate is the mirrored sigmoid, not one minus it.
// CHECK-LABEL: func.func @before_keep(
func.func @before_keep(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<24xf32>, %{{.*}}: tensor<2x12x4xf32>, %[[H:.*]]: tensor<8xf32>):
  // CHECK: %[[AZ:.*]] = arith.addf
  // CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[AZ]]
  // CHECK-NEXT: %[[Z:.*]] = rnn.sigmoid %[[MINUS]]
  // CHECK: %[[R:.*]] = rnn.sigmoid
  // CHECK-NEXT: %[[RH:.*]] = arith.mulf %[[R]], %[[H]]
  // CHECK-NEXT: %[[UN:.*]] = tensor.extract_slice %{{.*}}[0, 8, 0] [2, 4, 4] [1, 1, 1]
  // CHECK-NEXT: %[[DN:.*]] = rnn.dot %[[RH]], %[[UN]]
  // CHECK: arith.addf %{{.*}}, %[[DN]]
  // CHECK: %[[D:.*]] = arith.subf %{{.*}}, %[[H]]
  // CHECK-NEXT: %[[S:.*]] = arith.mulf %[[Z]], %[[D]]
  // CHECK-NEXT: arith.addf %[[H]], %[[S]]
  // CHECK-NOT: arith.subf
  // CHECK: rnn.yield
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(before) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// An input bias belongs to the input's product; the body knows nothing of it.
// CHECK-LABEL: func.func @input_bias(
func.func @input_bias(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>,
       %bw: tensor<24xf32>, %h: tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.linear %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24xf32>) -> tensor<?x?x24xf32>
  // CHECK: ^bb0(%{{.*}}: tensor<24xf32>, %{{.*}}: tensor<2x12x4xf32>, %{{.*}}: tensor<8xf32>):
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%bw) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<24xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// A recurrent bias joins its product, and so is reset with it.
// CHECK-LABEL: func.func @recurrent_bias_after(
func.func @recurrent_bias_after(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>,
       %bu: tensor<24xf32>, %h: tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.linear %{{[^,]*}}, %{{[^,]*}} : (tensor<?x?x5xf32>, tensor<24x5xf32>) ->
  // CHECK: rnn.recurrence {{.*}} weights(%[[U:.*]], %[[BU:.*]]) initial
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<24xf32>, %{{.*}}: tensor<2x12x4xf32>, %[[B:.*]]: tensor<24xf32>, %[[H:.*]]: tensor<8xf32>):
  // CHECK: %[[BZ:.*]] = tensor.extract_slice %[[B]][0] [8] [1]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[BZ]]
  // CHECK: %[[BR:.*]] = tensor.extract_slice %[[B]][8] [8] [1]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[BR]]
  // CHECK: %[[R:.*]] = rnn.sigmoid
  // CHECK: %[[DN:.*]] = rnn.dot
  // CHECK-NEXT: %[[BN:.*]] = tensor.extract_slice %[[B]][16] [8] [1]
  // CHECK-NEXT: %[[SN:.*]] = arith.addf %[[DN]], %[[BN]]
  // CHECK-NEXT: arith.mulf %[[R]], %[[SN]]
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) recurrent_bias(%bu)
     initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<24xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @both_biases_before(
func.func @both_biases_before(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>,
       %bw: tensor<24xf32>, %bu: tensor<24xf32>, %h: tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.linear %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24xf32>) ->
  // CHECK: ^bb0(%{{.*}}: tensor<24xf32>, %{{.*}}: tensor<2x12x4xf32>, %[[B:.*]]: tensor<24xf32>, %[[H:.*]]: tensor<8xf32>):
  // CHECK: rnn.sigmoid
  // CHECK: %[[R:.*]] = rnn.sigmoid
  // CHECK-NEXT: %[[RH:.*]] = arith.mulf %[[R]], %[[H]]
  // CHECK: %[[DN:.*]] = rnn.dot %[[RH]]
  // CHECK-NEXT: %[[BN:.*]] = tensor.extract_slice %[[B]][16] [8] [1]
  // CHECK-NEXT: %[[SN:.*]] = arith.addf %[[DN]], %[[BN]]
  // CHECK-NEXT: %[[XN:.*]] = tensor.extract_slice
  // CHECK-NEXT: arith.addf %[[XN]], %[[SN]]
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%bw)
     recurrent_bias(%bu) initial(%h)
      reset(before) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>) ->
         (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// Clip limits what goes into each activation, before the mirror.
// CHECK-LABEL: func.func @clip(
func.func @clip(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: %[[AZ:.*]] = arith.addf
  // CHECK-NEXT: %[[LOW:.*]] = arith.constant dense<-5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[RAISED:.*]] = arith.maximumf %[[AZ]], %[[LOW]]
  // CHECK-NEXT: %[[HIGH:.*]] = arith.constant dense<5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[CLIPPED:.*]] = arith.minimumf %[[RAISED]], %[[HIGH]]
  // CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[CLIPPED]]
  // CHECK-NEXT: rnn.sigmoid %[[MINUS]]
  // CHECK: %[[R:.*]] = arith.minimumf
  // CHECK-NEXT: rnn.sigmoid %[[R]]
  // CHECK: %[[N:.*]] = arith.minimumf
  // CHECK-NEXT: math.tanh %[[N]]
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>]) {clip =
         0.5 : f64}
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @reverse(
func.func @reverse(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.recurrence direction(reverse)
  // CHECK-NOT: rnn.concat
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(reverse)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// Two recurrences on two products, the lengths in both, and one concatenation.
// Each direction has its own activations.
// CHECK-LABEL: func.func @bidirectional(
func.func @bidirectional(
    %x: tensor<?x?x5xf32>, %w0: tensor<24x5xf32>, %w1: tensor<24x5xf32>,
       %u0: tensor<2x12x4xf32>, %u1: tensor<2x12x4xf32>, %bw0:
       tensor<24xf32>, %bw1: tensor<24xf32>, %bu0: tensor<24xf32>, %bu1:
       tensor<24xf32>, %h0: tensor<?x8xf32>, %h1: tensor<?x8xf32>, %n:
       tensor<?xi32>)
    -> (tensor<?x?x16xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  // CHECK-SAME: %[[X:.*]]: tensor<?x?x5xf32>, %[[W0:.*]]: tensor<24x5xf32>, %[[W1:.*]]: tensor<24x5xf32>, %[[U0:.*]]: tensor<2x12x4xf32>, %[[U1:.*]]: tensor<2x12x4xf32>, %[[BW0:.*]]: tensor<24xf32>, %[[BW1:.*]]: tensor<24xf32>, %[[BU0:.*]]: tensor<24xf32>, %[[BU1:.*]]: tensor<24xf32>, %[[H0:.*]]: tensor<?x8xf32>, %[[H1:.*]]: tensor<?x8xf32>, %[[N:.*]]: tensor<?xi32>)
  // CHECK: %[[P0:.*]] = rnn.linear %[[X]], %[[W0]], %[[BW0]]
  // CHECK: %[[Y0:.*]], %[[HN0:.*]] = rnn.recurrence direction(forward) heads(2) sequences(%[[P0]]) weights(%[[U0]], %[[BU0]]) initial(%[[H0]]) lengths(%[[N]])
  // CHECK: math.tanh
  // CHECK-NOT: math.absf
  // CHECK: %[[P1:.*]] = rnn.linear %[[X]], %[[W1]], %[[BW1]]
  // CHECK: %[[Y1:.*]], %[[HN1:.*]] = rnn.recurrence direction(reverse) heads(2) sequences(%[[P1]]) weights(%[[U1]], %[[BU1]]) initial(%[[H1]]) lengths(%[[N]])
  // CHECK-NOT: math.tanh
  // CHECK: math.absf
  // CHECK: %[[Y:.*]] = rnn.concat %[[Y0]], %[[Y1]] : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x16xf32>
  // CHECK: return %[[Y]], %[[HN0]], %[[HN1]]
  %y, %hn:2 = rnn.gru %x weights(%w0, %w1) recurrent(%u0, %u1)
     input_bias(%bw0, %bw1) recurrent_bias(%bu0, %bu1) initial(%h0, %h1)
     lengths(%n)
      reset(after) update(take) direction(bidirectional)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>,
         #rnn.activation<sigmoid>, #rnn.activation<softsign>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24x5xf32>,
         tensor<2x12x4xf32>, tensor<2x12x4xf32>, tensor<24xf32>,
         tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>,
         tensor<?x8xf32>, tensor<?xi32>) -> (tensor<?x?x16xf32>,
         tensor<?x8xf32>, tensor<?x8xf32>)
  return %y, %hn#0, %hn#1
      : tensor<?x?x16xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}

// A pinned precision stays with both halves of the cell.
// CHECK-LABEL: func.func @precision(
func.func @precision(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.linear {{.*}} precision(<operand = f16,
  // CHECK: rnn.recurrence {{.*}} precision(<operand = f16,
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
         precision(<operand = f16, accumulate = f32, state = f32, round =
         nearest>)
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}
