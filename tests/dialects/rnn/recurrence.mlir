// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// A cell with two sequences, two kinds of weight, two states and two outputs.
// CHECK-LABEL: func.func @recurrence
func.func @recurrence(%x: tensor<?x?x24xf32>, %m: tensor<?x?x8xf32>,
                      %w: tensor<2x12x4xf16>, %b: tensor<8xf32>,
                      %h0: tensor<?x8xf32>, %c0: tensor<?x8xf32>,
                      %n: tensor<?xi32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  // CHECK: %y:2, %hn:2 = rnn.recurrence direction(reverse) heads(2)
  // CHECK-SAME: sequences(%{{.*}}, %{{.*}}) weights(%{{.*}}, %{{.*}}) initial(%{{.*}}, %{{.*}}) lengths(%{{[^ ]*}})
  // CHECK-SAME: precision(<operand = f16, accumulate = f32, state = f32, round = nearest>) {
  %y:2, %hn:2 = rnn.recurrence direction(reverse) heads(2)
      sequences(%x, %m) weights(%w, %b) initial(%h0, %c0) lengths(%n)
      precision(<operand = f16, accumulate = f32, state = f32,
                 round = nearest>) {
  // CHECK-NEXT: ^bb0(%[[X:[^ ,]+]]: tensor<24xf32>, %{{.*}}: tensor<8xf32>, %[[W:[^ ,]+]]: tensor<2x12x4xf16>, %{{.*}}: tensor<8xf32>, %[[H:[^ ,]+]]: tensor<8xf32>, %[[C:.*]]: tensor<8xf32>):
  ^bb0(%px: tensor<24xf32>, %pm: tensor<8xf32>, %pw: tensor<2x12x4xf16>,
       %pb: tensor<8xf32>, %ph: tensor<8xf32>, %pc: tensor<8xf32>):
    %u = tensor.extract_slice %pw[0, 8, 0] [2, 4, 4] [1, 1, 1]
        : tensor<2x12x4xf16> to tensor<2x4x4xf16>
    %t = arith.truncf %ph : tensor<8xf32> to tensor<8xf16>
    // CHECK: rnn.dot %{{.*}}, %{{.*}} : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
    %d = rnn.dot %t, %u
        : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
    %s = tensor.extract_slice %px[16] [8] [1]
        : tensor<24xf32> to tensor<8xf32>
    %a = arith.addf %d, %s : tensor<8xf32>
    // CHECK: rnn.sigmoid %{{.*}} : tensor<8xf32>
    %g = rnn.sigmoid %a : tensor<8xf32>
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %positive = arith.cmpf ogt, %pm, %zero : tensor<8xf32>
    %k = arith.select %positive, %g, %pb : tensor<8xi1>, tensor<8xf32>
    %e = math.exp %pc : tensor<8xf32>
    // CHECK: rnn.yield outputs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>) states(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>)
    rnn.yield outputs(%k, %e : tensor<8xf32>, tensor<8xf32>)
        states(%k, %g : tensor<8xf32>, tensor<8xf32>)
  // CHECK: } : (tensor<?x?x24xf32>, tensor<?x?x8xf32>, tensor<2x12x4xf16>, tensor<8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xi32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
  } : (tensor<?x?x24xf32>, tensor<?x?x8xf32>, tensor<2x12x4xf16>,
       tensor<8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xi32>)
      -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x8xf32>,
          tensor<?x8xf32>)
  return %y#0, %hn#1 : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// No weights and no outputs: a state that decays towards its input.
// CHECK-LABEL: func.func @decay
func.func @decay(%x: tensor<?x?x8xf32>, %h0: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  // CHECK: %hn = rnn.recurrence direction(forward) heads(1) sequences(%{{.*}}) weights() initial(%{{.*}}) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h0) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    %c = arith.constant dense<0.5> : tensor<8xf32>
    %s = arith.addf %px, %ph : tensor<8xf32>
    %d = arith.mulf %s, %c : tensor<8xf32>
    // CHECK: rnn.yield outputs() states(%{{.*}} : tensor<8xf32>)
    rnn.yield outputs() states(%d : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %hn : tensor<?x8xf32>
}
