// RUN: rung-opt %s --rnn-insert-rms-norm=epsilon=0.001 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file %t.said --implicit-check-not=warning
// A second run finds a norm everywhere.
// RUN: rung-opt %s --rnn-insert-rms-norm=epsilon=0.001 --rnn-insert-rms-norm 2>/dev/null | FileCheck %s
// RUN: rung-opt %s --rnn-insert-rms-norm=layers=all 2>/dev/null | FileCheck %s --check-prefix=ALL
// ALL-COUNT-4: rnn.rms_norm %
// ALL-NOT: rnn.rms_norm %
// RUN: rung-opt %s --rnn-insert-rms-norm=layers=second 2>/dev/null | FileCheck %s --check-prefix=SECOND
// SECOND-LABEL: func.func @stack
// SECOND-NOT: rms_norm
// SECOND: rnn.gru
// SECOND: rnn.rms_norm
// SECOND: rnn.gru
// SECOND-NOT: first.rms_norm.scale
// Opened cells have their norm before the product of all steps.
// RUN: rung-opt %s --rnn-expand-cells --cse --rnn-insert-rms-norm 2>/dev/null | FileCheck %s --check-prefix=OPEN

rnn.weight @w : tensor<6x2xf32> = dense<0.5>
rnn.weight @u : tensor<1x6x2xf32> = dense<0.5>
rnn.weight @scale : tensor<2xf32> = dense<2.0>

// Each layer gets a scale of its own.
// CHECK-LABEL: func.func @stack
// CHECK-SAME: %[[X:.*]]: tensor<?x?x2xf32>
// CHECK-DAG: %[[ONES:.*]] = rnn.load_weight @first.rms_norm.scale : tensor<2xf32>
// CHECK: %[[N:.*]] = rnn.rms_norm %[[X]], %[[ONES]] {epsilon = 1.000000e-03 : f64} : tensor<?x?x2xf32>, tensor<2xf32>
// CHECK: %[[Y:[^,]*]], %{{.*}} = rnn.gru %[[N]] weights
// CHECK: %[[ONES2:.*]] = rnn.load_weight @second.rms_norm.scale : tensor<2xf32>
// CHECK: %[[N2:.*]] = rnn.rms_norm %[[Y]], %[[ONES2]]
// CHECK: rnn.gru %[[N2]] weights
// SAID: warning: {{.*}}layer 'first': inserts rms_norm before its input of width 2; this changes what the model computes, and weights trained without it do not fit it
// SAID: warning: {{.*}}layer 'second': inserts rms_norm before its input of width 2; this changes
// OPEN-LABEL: func.func @stack
// OPEN: %[[N:.*]] = rnn.rms_norm
// OPEN: %[[P:.*]] = rnn.linear %[[N]]
// OPEN: rnn.recurrence {{.*}} sequences(%[[P]])
func.func @stack(%x: tensor<?x?x2xf32>, %h: tensor<?x2xf32>)
    -> tensor<?x?x2xf32> {
  %w = rnn.load_weight @w : tensor<6x2xf32>
  %u = rnn.load_weight @u : tensor<1x6x2xf32>
  %y, %hy = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x2xf32>, tensor<6x2xf32>, tensor<1x6x2xf32>,
         tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>) loc("first")
  %z, %hz = rnn.gru %y weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x2xf32>, tensor<6x2xf32>, tensor<1x6x2xf32>,
         tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>) loc("second")
  return %z : tensor<?x?x2xf32>
}

// A norm that is there stays the only one.
// CHECK-LABEL: func.func @normalized
// CHECK-COUNT-1: rnn.rms_norm
// CHECK-NOT: rnn.rms_norm
// CHECK: return
func.func @normalized(%x: tensor<?x?x2xf32>, %h: tensor<?x2xf32>)
    -> tensor<?x?x2xf32> {
  %w = rnn.load_weight @w : tensor<6x2xf32>
  %u = rnn.load_weight @u : tensor<1x6x2xf32>
  %s = rnn.load_weight @scale : tensor<2xf32>
  %n = rnn.rms_norm %x, %s : tensor<?x?x2xf32>, tensor<2xf32>
  %y, %hy = rnn.gru %n weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x2xf32>, tensor<6x2xf32>, tensor<1x6x2xf32>,
         tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  return %y : tensor<?x?x2xf32>
}

// Both directions of an opened cell take the same norm; a product that others
// use stays theirs.
// OPEN-LABEL: func.func @both
// OPEN-SAME: %[[X:.*]]: tensor<?x?x2xf32>, %{{.*}}) ->
// OPEN: %[[N:.*]] = rnn.rms_norm %[[X]]
// OPEN-NOT: rnn.rms_norm
// OPEN: %[[OTHER:.*]] = rnn.linear %[[X]]
// OPEN: rnn.recurrence direction(forward)
// OPEN: rnn.recurrence direction(reverse)
// OPEN: return %{{.*}}, %[[OTHER]]
// SAID: warning: {{.*}}layer 'both'
func.func @both(%x: tensor<?x?x2xf32>, %h: tensor<?x2xf32>)
    -> (tensor<?x?x4xf32>, tensor<?x?x6xf32>) {
  %w = rnn.load_weight @w : tensor<6x2xf32>
  %u = rnn.load_weight @u : tensor<1x6x2xf32>
  %y, %hn:2 = rnn.gru %x weights(%w, %w) recurrent(%u, %u) initial(%h, %h)
      reset(after) update(take) direction(bidirectional)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>,
                   #rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>,
         tensor<1x6x2xf32>, tensor<1x6x2xf32>, tensor<?x2xf32>,
         tensor<?x2xf32>)
      -> (tensor<?x?x4xf32>, tensor<?x2xf32>, tensor<?x2xf32>) loc("both")
  %z = rnn.linear %x, %w
      : (tensor<?x?x2xf32>, tensor<6x2xf32>) -> tensor<?x?x6xf32>
  return %y, %z : tensor<?x?x4xf32>, tensor<?x?x6xf32>
}
