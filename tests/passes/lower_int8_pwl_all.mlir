// RUN: rung-opt %s --rnn-lower-int8-pwl=all --cse --canonicalize | FileCheck %s
// RUN: rung-opt %s --rnn-lower-int8-pwl --cse \
// RUN:   | FileCheck %s --check-prefix=SOME

// A model from ids to logits: with `all`, no float between them.

#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
rnn.weight @table : tensor<3x2xf32> = dense<[[0.5, -0.25], [1.0, 0.0], [-1.5, 0.75]]>
rnn.weight @scale : tensor<2xf32> = dense<[1.0, 0.5]>
rnn.weight @w : tensor<4x2xf32> = dense<0.5>
rnn.weight @head : tensor<3x2xf32> = dense<[[0.5, -0.25], [1.0, 0.0], [-1.5, 0.75]]>
rnn.weight @bias : tensor<3xf32> = dense<[0.5, -0.25, 0.0]>

// CHECK: rnn.weight @table.s32 : tensor<3x2xi32> = dense<{{\[\[}}8192, -4096], [16384, 0], [-24576, 12288]]>
// CHECK-LABEL: func.func @run
// SOME-LABEL: func.func @run
func.func @run(%ids: tensor<?x?xi32>, %h0: tensor<?x2xf32>)
    -> (tensor<?x?x3xf32>, tensor<?x2xf32>) {
  // CHECK: %[[TABLE:.*]] = rnn.load_weight @table.s32
  // CHECK: %[[X:.*]] = rnn.embedding %{{.*}}, %[[TABLE]] {{.*}} -> tensor<?x?x2xi32>
  // SOME: %[[X:.*]] = rnn.embedding {{.*}} -> tensor<?x?x2xf32>
  %table = rnn.load_weight @table : tensor<3x2xf32>
  %x = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<3x2xf32>) -> tensor<?x?x2xf32>
  // Of width 2, k is 0: the sum of squares is twice their mean; 14 bits behind
  // the point, squared, make of 1e-5 twice 2684.
  // CHECK: %[[N:.*]] = rnn.integer_rms_norm %[[X]], %{{.*}} epsilon(5369) shift({{[0-9]+}}) : tensor<?x?x2xi32>
  // SOME: %[[N:.*]] = rnn.rms_norm %[[X]]
  %scale = rnn.load_weight @scale : tensor<2xf32>
  %n = rnn.rms_norm %x, %scale {epsilon = 1.0e-5 : f64}
      : tensor<?x?x2xf32>, tensor<2xf32>
  // CHECK: %[[B:.*]]:2 = rnn.map inputs(%[[N]]) weights()
  // CHECK-NOT: f32
  // CHECK: rnn.linear %[[B]]#0
  // CHECK: rnn.linear %[[B]]#1
  // SOME: rnn.map inputs(%[[N]])
  // SOME: rnn.linear {{.*}}tensor<?x?x2xi8>
  %w = rnn.load_weight @w : tensor<4x2xf32>
  %xp = rnn.linear %n, %w precision(#int8)
      : (tensor<?x?x2xf32>, tensor<4x2xf32>) -> tensor<?x?x4xf32>
  // CHECK: %[[Y:.*]], %[[HN:.*]] = rnn.recurrence
  // SOME: %[[Y:.*]], %[[HN:.*]] = rnn.recurrence
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%xp) weights() initial(%h0) precision(#int8) {
  ^bb0(%p: tensor<4xf32>, %h: tensor<2xf32>):
    %pz = tensor.extract_slice %p[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %z = rnn.sigmoid %pz : tensor<2xf32>
    %pn = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %c = math.tanh %pn : tensor<2xf32>
    %d = arith.subf %c, %h : tensor<2xf32>
    %s = arith.mulf %z, %d : tensor<2xf32>
    %next = arith.addf %h, %s : tensor<2xf32>
    rnn.yield outputs(%next : tensor<2xf32>) states(%next : tensor<2xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x2xf32>)
      -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  // A residual sum: grids of 2^-24 and 2^-14 meet.
  // CHECK: %[[SUM:.*]] = rnn.map inputs(%[[Y]], %[[X]])
  // CHECK: arith.shli
  // CHECK: arith.addi
  // SOME: rnn.add {{.*}} : tensor<?x?x2xf32>
  %sum = rnn.add %y, %x : tensor<?x?x2xf32>
  // The logits leave as f32 that the integers are exactly.
  // CHECK: rnn.map inputs(%[[SUM]])
  // CHECK: rnn.linear {{.*}} -> tensor<?x?x3xi32>
  // CHECK: rnn.linear {{.*}} -> tensor<?x?x3xi32>
  // CHECK: %[[LOGITS:.*]] = rnn.map inputs
  // CHECK: rnn.map inputs(%[[LOGITS]])
  // CHECK: arith.sitofp
  // CHECK: arith.mulf {{.*}}
  // SOME: rnn.linear {{.*}} precision(<operand = f32, accumulate = f32, state = f32, round = nearest>) : (tensor<?x?x2xf32>
  %head = rnn.load_weight @head : tensor<3x2xf32>
  %bias = rnn.load_weight @bias : tensor<3xf32>
  %logits = rnn.linear %sum, %head, %bias precision(#int8)
      : (tensor<?x?x2xf32>, tensor<3x2xf32>, tensor<3xf32>)
      -> tensor<?x?x3xf32>
  return %logits, %hn : tensor<?x?x3xf32>, tensor<?x2xf32>
}
