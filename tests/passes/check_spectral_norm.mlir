// RUN: rung-opt %s --rnn-check-spectral-norm 2>%t.said > %t.same
// RUN: FileCheck %s --check-prefix=SAID --input-file %t.said --implicit-check-not=warning
// A check changes nothing.
// RUN: rung-opt %s | diff - %t.same
// RUN: rung-opt %s --rnn-check-spectral-norm=limit=4 2>&1 | FileCheck %s --check-prefix=LOOSE --implicit-check-not=warning
// RUN: rung-opt %s --rnn-check-spectral-norm=rescale 2>%t.rescaled | FileCheck %s --implicit-check-not="weight @u :"
// RUN: FileCheck %s --check-prefix=RESCALED --input-file %t.rescaled
// What was rescaled is within the limit.
// RUN: rung-opt %s --rnn-check-spectral-norm=rescale 2>/dev/null | rung-opt --rnn-check-spectral-norm 2>&1 | FileCheck %s --check-prefix=AGAIN --implicit-check-not=warning
// AGAIN: warning: {{.*}}layer 'v', gate 'product 2'{{.*}} not finite
// RUN: not rung-opt %s --rnn-check-spectral-norm=limit=0 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: limit is 0; a spectral norm's limit is more than 0

// Heads of the update gate: norms 3 and 2; of the reset gate 1; of the
// candidate 0 and 1.625.
rnn.weight @w : tensor<12x3xf32> = dense<0.5>
rnn.weight @u : tensor<2x6x2xf32> = dense<[
    [[2.0, 0.0], [0.0, 0.5], [1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [0.0, 0.0]],
    [[0.0, -3.0], [0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.0, 1.625], [1.0, 0.0]]]>
rnn.weight @v : tensor<1x4x2xf32> = dense<[
    [[1.0, 0.0], [0.0, 0.5], [0x7F800000, 0.0], [0.0, 1.0]]]>
rnn.weight @many : tensor<10x1x1xf32> = dense<[
    [[1.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]],
    [[10.0]], [[11.0]]]>

// SAID: warning: {{.*}}layer 'cell', gate 'update': the spectral norm of the recurrent matrix is over the limit of 1.5 in 2 of 2 heads: head 1 has 3, head 0 has 2{{$}}
// SAID: warning: {{.*}}layer 'cell', gate 'candidate': the spectral norm of the recurrent matrix is over the limit of 1.5 in 1 of 2 heads: head 1 has 1.625{{$}}
// RESCALED: head 1 has 3, head 0 has 2; rescaled to the limit, which changes the model
// Only what is over is scaled: 2 to 1.5 / 1.001.
// CHECK: rnn.weight @u.rescaled : tensor<2x6x2xf32>
// CHECK-SAME: dense<{{\[\[\[}}1.4985{{[0-9]*}}, 0.000000e+00], [0.000000e+00, 0.374{{[0-9]*}}], [1.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], {{\[\[}}0.000000e+00, -1.498{{[0-9]*}}],
// Two layers take it; the shared matrix is warned of once.
// CHECK-LABEL: func.func @shared
// CHECK: %[[U:.*]] = rnn.load_weight @u.rescaled
// CHECK: rnn.gru %{{.*}} recurrent(%[[U]])
// CHECK: %[[V:.*]] = rnn.load_weight @u.rescaled
// CHECK: rnn.gru %{{.*}} recurrent(%[[V]])
func.func @shared(%x: tensor<?x?x3xf32>, %h: tensor<?x4xf32>)
    -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
  %w = rnn.load_weight @w : tensor<12x3xf32>
  %u = rnn.load_weight @u : tensor<2x6x2xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<12x3xf32>, tensor<2x6x2xf32>,
         tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) loc("cell")
  %z, %hz = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(before) update(keep) direction(reverse)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<12x3xf32>, tensor<2x6x2xf32>,
         tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) loc("other")
  return %y, %z : tensor<?x?x4xf32>, tensor<?x?x4xf32>
}

// A product of a cell of one's own is named by its number; what is not finite
// can be neither within the limit nor brought to it.
// SAID: warning: {{.*}}layer 'v', gate 'product 2': the spectral norm of the recurrent matrix is over the limit of 1.5 in 1 of 1 head: head 0 has elements that are not finite
// LOOSE: warning: {{.*}}layer 'v', gate 'product 2'
// RESCALED: head 0 has elements that are not finite{{$}}
// CHECK-LABEL: func.func @recurrence
// CHECK: rnn.load_weight @v :
func.func @recurrence(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  %v = rnn.load_weight @v : tensor<1x4x2xf32>
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%v) initial(%h0) {
  ^bb0(%px: tensor<2xf32>, %pv: tensor<1x4x2xf32>, %h: tensor<2xf32>):
    %v0 = tensor.extract_slice %pv[0, 0, 0] [1, 2, 2] [1, 1, 1]
        : tensor<1x4x2xf32> to tensor<1x2x2xf32>
    %d0 = rnn.dot %h, %v0
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    %v1 = tensor.extract_slice %pv[0, 2, 0] [1, 2, 2] [1, 1, 1]
        : tensor<1x4x2xf32> to tensor<1x2x2xf32>
    %d1 = rnn.dot %d0, %v1
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d1 : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x4x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// Of many heads the first eight are listed, the largest norm first.
// SAID: warning: {{.*}}layer 'many', gate 'product 1': {{.*}} in 9 of 10 heads: head 9 has 11, head 8 has 10, {{.*}}, head 2 has 4 and 1 more
// LOOSE: warning: {{.*}}layer 'many', gate 'product 1': {{.*}} over the limit of 4 in 7 of 10 heads
func.func @many_heads(%x: tensor<?x?x10xf32>, %h0: tensor<?x10xf32>)
    -> tensor<?x10xf32> {
  %v = rnn.load_weight @many : tensor<10x1x1xf32>
  %hn = rnn.recurrence direction(forward) heads(10) sequences(%x)
      weights(%v) initial(%h0) {
  ^bb0(%px: tensor<10xf32>, %pv: tensor<10x1x1xf32>, %h: tensor<10xf32>):
    %d0 = rnn.dot %h, %pv
        : (tensor<10xf32>, tensor<10x1x1xf32>) -> tensor<10xf32>
    rnn.yield outputs() states(%d0 : tensor<10xf32>)
  } : (tensor<?x?x10xf32>, tensor<10x1x1xf32>, tensor<?x10xf32>) -> tensor<?x10xf32>
  return %hn : tensor<?x10xf32>
}
