// RUN: rung-opt %s --rnn-expand-cells | FileCheck %s

// Each function of rnn.activation as the candidate's, by its formula.

// CHECK-LABEL: func.func @sigmoid(
func.func @sigmoid(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[N:.*]] = rnn.sigmoid %[[A]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<sigmoid>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tanh(
func.func @tanh(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[N:.*]] = math.tanh %[[A]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @relu(
func.func @relu(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[N:.*]] = arith.maximumf %[[A]], %[[ZERO]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<relu>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @affine(
func.func @affine(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[A]], %[[ALPHA]]
  // CHECK-NEXT: %[[BETA:.*]] = arith.constant dense<3.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[N:.*]] = arith.addf %[[SCALED]], %[[BETA]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<affine, alpha =
         2.0, beta = 3.0>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @leaky_relu(
func.func @leaky_relu(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<2.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[A]], %[[ALPHA]]
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[ZERO]]
  // CHECK-NEXT: %[[N:.*]] = arith.select %[[LESS]], %[[SCALED]], %[[A]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<leaky_relu,
         alpha = 0.25>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @thresholded_relu(
func.func @thresholded_relu(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<2.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[ALPHA]]
  // CHECK-NEXT: %[[N:.*]] = arith.select %[[LESS]], %[[ZERO]], %[[A]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>,
         #rnn.activation<thresholded_relu, alpha = 0.25>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @scaled_tanh(
func.func @scaled_tanh(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[BETA:.*]] = arith.constant dense<5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[INNER:.*]] = arith.mulf %[[A]], %[[BETA]]
  // CHECK-NEXT: %[[T:.*]] = math.tanh %[[INNER]]
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[N:.*]] = arith.mulf %[[T]], %[[ALPHA]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<scaled_tanh,
         alpha = 2.0, beta = 0.5>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid(
func.func @hard_sigmoid(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<2.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[A]], %[[ALPHA]]
  // CHECK-NEXT: %[[BETA:.*]] = arith.constant dense<7.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[LINE:.*]] = arith.addf %[[SCALED]], %[[BETA]]
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[RAISED:.*]] = arith.maximumf %[[LINE]], %[[ZERO]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[N:.*]] = arith.minimumf %[[RAISED]], %[[ONE]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<hard_sigmoid,
         alpha = 0.25, beta = 0.75>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @elu(
func.func @elu(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[LOW:.*]] = arith.minimumf %[[A]], %[[ZERO]]
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[LOW]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[L:.*]] = arith.subf %[[E]], %[[ONE]]
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[L]], %[[ALPHA]]
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[ZERO]]
  // CHECK-NEXT: %[[N:.*]] = arith.select %[[LESS]], %[[SCALED]], %[[A]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<elu, alpha =
         0.5>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @softsign(
func.func @softsign(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[MIN:.*]] = arith.constant dense<-3.40282347E+38> : tensor<8xf32>
  // CHECK-NEXT: %[[RAISED:.*]] = arith.maximumf %[[A]], %[[MIN]]
  // CHECK-NEXT: %[[MAX:.*]] = arith.constant dense<3.40282347E+38> : tensor<8xf32>
  // CHECK-NEXT: %[[F:.*]] = arith.minimumf %[[RAISED]], %[[MAX]]
  // CHECK-NEXT: %[[ABS:.*]] = math.absf %[[F]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ABS]], %[[ONE]]
  // CHECK-NEXT: %[[N:.*]] = arith.divf %[[F]], %[[SUM]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<softsign>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @softplus(
func.func @softplus(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ABS:.*]] = math.absf %[[A]]
  // CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[ABS]]
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[NEG]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[E]], %[[ONE]]
  // CHECK-NEXT: %[[LOG:.*]] = math.log %[[SUM]]
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[HIGH:.*]] = arith.maximumf %[[A]], %[[ZERO]]
  // CHECK-NEXT: %[[N:.*]] = arith.addf %[[HIGH]], %[[LOG]]
  // CHECK-NEXT: arith.subf %[[N]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<softplus>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @identity(
func.func @identity(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.sigmoid
  // CHECK: rnn.sigmoid
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: arith.subf %[[A]], %{{.*}} : tensor<8xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<identity>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// The mirrored forms of the update gate, where a function has one ...
// CHECK-LABEL: func.func @mirrored_hard_sigmoid(
func.func @mirrored_hard_sigmoid(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: %[[A:.*]] = arith.addf
  // CHECK-NEXT: %[[ALPHA:.*]] = arith.constant dense<-2.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: arith.mulf %[[A]], %[[ALPHA]]
  // CHECK-NEXT: %[[BETA:.*]] = arith.constant dense<2.500000e-01> : tensor<8xf32>
  // CHECK-NEXT: arith.addf %{{.*}}, %[[BETA]]
  // CHECK: %[[Z:.*]] = arith.minimumf
  // CHECK: arith.mulf %[[Z]], %{{.*}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<hard_sigmoid, alpha = 0.25, beta = 0.75>,
         #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// ... and where it has none.
// CHECK-LABEL: func.func @one_minus_softsign(
func.func @one_minus_softsign(
    %x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>, %u: tensor<2x12x4xf32>, %h:
       tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: %[[F:.*]] = arith.divf
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[Z:.*]] = arith.subf %[[ONE]], %[[F]]
  // CHECK: arith.mulf %[[Z]], %{{.*}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<softsign>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn
      : tensor<?x?x8xf32>, tensor<?x8xf32>
}
