// RUN: rung-opt %s --rnn-split-block-diagonal 2>%t.remarks | FileCheck %s --implicit-check-not="weight @u :"
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.remarks
// A second run finds nothing finer.
// RUN: rung-opt %s --rnn-split-block-diagonal --rnn-split-block-diagonal 2>/dev/null | FileCheck %s
// Cut before or after the cells are opened, the steps are the same; matrices are
// loaded elsewhere.
// RUN: rung-opt %s --rnn-split-block-diagonal=heads=2 --rnn-expand-cells --cse 2>/dev/null | grep -v load_weight > %t.before
// RUN: rung-opt %s --rnn-expand-cells --rnn-split-block-diagonal=heads=2 --cse 2>/dev/null | grep -v load_weight > %t.after
// RUN: diff %t.before %t.after
// What is lost by more heads, and only where that is allowed.
// RUN: rung-opt %s --rnn-split-block-diagonal="heads=4 allow-lossy" 2>&1 | FileCheck %s --check-prefix=LOSSY

// The full matrix has no user left; one for each number of heads takes its
// place. Row g * 4 + o becomes row g * 2 + o % 2 of head o / 2.
// CHECK: rnn.weight @w
// CHECK: rnn.weight @u.heads2 : tensor<2x6x2xf32>
// CHECK-SAME{LITERAL}: dense<[[[1.000000e+00, 2.000000e+00], [0.000000e+00, 3.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01], [1.700000e+01, 1.800000e+01], [1.900000e+01, 2.000000e+01]], [[4.000000e+00, 5.000000e+00], [6.000000e+00, 0.000000e+00], [1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01], [2.100000e+01, 2.200000e+01], [2.300000e+01, 2.400000e+01]]]>
rnn.weight @u : tensor<1x12x4xf32> = dense<[[
    [1.0, 2.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0],
    [0.0, 0.0, 4.0, 5.0], [0.0, 0.0, 6.0, 0.0],
    [9.0, 10.0, 0.0, 0.0], [11.0, 12.0, -0.0, 0.0],
    [0.0, 0.0, 13.0, 14.0], [0.0, 0.0, 15.0, 16.0],
    [17.0, 18.0, 0.0, 0.0], [19.0, 20.0, 0.0, 0.0],
    [0.0, 0.0, 21.0, 22.0], [0.0, 0.0, 23.0, 24.0]]]>
rnn.weight @w : tensor<12x3xf32> = dense<0.5>
rnn.weight @diagonal : tensor<1x12x4xf32> = dense<[[
    [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0],
    [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0],
    [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]]>
rnn.weight @v : tensor<2x4x2xf32> = dense<[
    [[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 4.0]],
    [[5.0, 0.0], [0.0, 6.0], [7.0, 0.0], [0.0, 8.0]]]>

// Two layers that share their matrix share its blocks.
// REMARK: remark: {{.*}}layer 'first': 1 head of 4 into 2 heads of 2, dropping nothing but zeros
// REMARK: remark: {{.*}}layer 'u': 1 head of 4 into 2 heads of 2, dropping nothing but zeros
// CHECK-LABEL: func.func @shared
// CHECK-DAG: %[[W:.*]] = rnn.load_weight @w
// CHECK-DAG: %[[U:.*]] = rnn.load_weight @u.heads2 : tensor<2x6x2xf32>
// CHECK: rnn.gru %{{.*}} weights(%[[W]]) recurrent(%[[U]])
// CHECK: rnn.gru
// CHECK-SAME: tensor<2x6x2xf32>
// LOSSY: remark: {{.*}}layer 'first': 1 head of 4 into 4 heads of 1, dropping 50.2 % of the energy of its recurrent weights (update 71.4 %, reset 49.7 %, candidate 49.9 %)
func.func @shared(%x: tensor<?x?x3xf32>, %h: tensor<?x4xf32>)
    -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
  %w = rnn.load_weight @w : tensor<12x3xf32>
  %u = rnn.load_weight @u : tensor<1x12x4xf32>
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<12x3xf32>, tensor<1x12x4xf32>,
         tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) loc("first")
  %z, %hz = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(before) update(keep) direction(reverse)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<12x3xf32>, tensor<1x12x4xf32>,
         tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return %y, %z : tensor<?x?x4xf32>, tensor<?x?x4xf32>
}

// One direction would do with four heads; both together allow two.
// CHECK-LABEL: func.func @both
// CHECK: rnn.gru
// CHECK-SAME: tensor<2x6x2xf32>, tensor<2x6x2xf32>
// REMARK: remark: {{.*}}layer 'both': 1 head of 4 into 2 heads of 2
// LOSSY: remark: {{.*}}layer 'both'
// LOSSY-SAME: (forward update 71.4 %, forward reset 49.7 %, forward candidate 49.9 %, backward update 0 %, backward reset 0 %, backward candidate 0 %)
func.func @both(%x: tensor<?x?x3xf32>, %h: tensor<?x4xf32>)
    -> tensor<?x?x8xf32> {
  %w = rnn.load_weight @w : tensor<12x3xf32>
  %u = rnn.load_weight @u : tensor<1x12x4xf32>
  %d = rnn.load_weight @diagonal : tensor<1x12x4xf32>
  %y, %hn:2 = rnn.gru %x weights(%w, %w) recurrent(%u, %d) initial(%h, %h)
      reset(after) update(take) direction(bidirectional)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>,
                   #rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<12x3xf32>, tensor<12x3xf32>,
         tensor<1x12x4xf32>, tensor<1x12x4xf32>, tensor<?x4xf32>,
         tensor<?x4xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x4xf32>, tensor<?x4xf32>) loc("both")
  return %y : tensor<?x?x8xf32>
}

// A layer of heads may have finer ones yet; a cell of one's own is cut too.
// CHECK-LABEL: func.func @recurrence
// CHECK: %[[V:.*]] = rnn.load_weight @v.heads4 : tensor<4x2x1xf32>
// CHECK: rnn.recurrence direction(forward) heads(4) sequences(%{{.*}}) weights(%[[V]])
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 0] [4, 1, 1] [1, 1, 1] : tensor<4x2x1xf32> to tensor<4x1x1xf32>
// CHECK: rnn.dot %{{.*}} : (tensor<4xf32>, tensor<4x1x1xf32>) -> tensor<4xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 1, 1] [1, 1, 1]
// REMARK: remark: {{.*}}layer 'v': 2 heads of 2 into 4 heads of 1
func.func @recurrence(%x: tensor<?x?x4xf32>, %h0: tensor<?x4xf32>)
    -> tensor<?x4xf32> {
  %v = rnn.load_weight @v : tensor<2x4x2xf32>
  %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%v) initial(%h0) {
  ^bb0(%px: tensor<4xf32>, %pv: tensor<2x4x2xf32>, %h: tensor<4xf32>):
    %v1 = tensor.extract_slice %pv[0, 2, 0] [2, 2, 2] [1, 1, 1]
        : tensor<2x4x2xf32> to tensor<2x2x2xf32>
    %d1 = rnn.dot %h, %v1
        : (tensor<4xf32>, tensor<2x2x2xf32>) -> tensor<4xf32>
    %v0 = tensor.extract_slice %pv[0, 0, 0] [2, 2, 2] [1, 1, 1]
        : tensor<2x4x2xf32> to tensor<2x2x2xf32>
    %d0 = rnn.dot %d1, %v0
        : (tensor<4xf32>, tensor<2x2x2xf32>) -> tensor<4xf32>
    %s = arith.addf %d0, %px : tensor<4xf32>
    rnn.yield outputs() states(%s : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<2x4x2xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %hn : tensor<?x4xf32>
}

// A cell without a product with its state has nothing to cut.
// CHECK-LABEL: func.func @no_product
// CHECK: rnn.recurrence direction(forward) heads(1)
func.func @no_product(%x: tensor<?x?x4xf32>, %h0: tensor<?x4xf32>)
    -> tensor<?x4xf32> {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights() initial(%h0) {
  ^bb0(%px: tensor<4xf32>, %h: tensor<4xf32>):
    %s = arith.addf %h, %px : tensor<4xf32>
    rnn.yield outputs() states(%s : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %hn : tensor<?x4xf32>
}
