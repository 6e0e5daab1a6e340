// RUN: rung-opt %s --rnn-expand-paired-fp16 --split-input-file | FileCheck %s

// Rows become two, a matrix stays one; splits and joins lie outside.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x8xf32>, %[[U:.*]]: tensor<2x4x4xf32>, %[[H:.*]]: tensor<?x8xf32>
// CHECK:       %[[U16:.*]] = rnn.cast %[[U]] : tensor<2x4x4xf32> to tensor<2x4x4xf16>
// CHECK:       %[[XHS:.*]] = rnn.map inputs(%[[X]]) weights() {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: tensor<8xf32>):
// CHECK:         %[[MOST:.*]] = arith.constant dense<6.550400e+04> : tensor<8xf32>
// CHECK:         %[[CUT:.*]] = arith.minimumf %[[P]], %[[MOST]]
// CHECK:         %[[IN:.*]] = arith.maximumf %[[CUT]]
// CHECK:         %[[HIGH:.*]] = arith.truncf %[[IN]] : tensor<8xf32> to tensor<8xf16>
// CHECK:         rnn.yield outputs(%[[HIGH]] : {{.*}}) states()
// CHECK:       } : (tensor<?x?x8xf32>) -> tensor<?x?x8xf16>
// The remainder, of what is in memory:
// CHECK:       %[[XLS:.*]] = rnn.map inputs(%[[X]], %[[XHS]]) weights() {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: tensor<8xf32>, %[[Q:.*]]: tensor<8xf16>):
// CHECK:         %[[IN:.*]] = arith.maximumf
// CHECK:         %[[BACK:.*]] = arith.extf %[[Q]]
// CHECK:         %[[REST:.*]] = arith.subf %[[IN]], %[[BACK]]
// CHECK:         %[[LOW:.*]] = arith.truncf %[[REST]]
// CHECK:         rnn.yield outputs(%[[LOW]] : {{.*}}) states()
// CHECK:       %[[HHS:.*]] = rnn.map inputs(%[[H]])
// CHECK:       %[[HLS:.*]] = rnn.map inputs(%[[H]], %[[HHS]])
// CHECK:       rnn.recurrence {{.*}} sequences(%[[XHS]], %[[XLS]]) weights(%[[U16]]) initial(%[[HHS]], %[[HLS]]) lengths(%{{.*}})
// CHECK-NEXT:  ^bb0(%[[XH:.*]]: tensor<8xf16>, %[[XL:.*]]: tensor<8xf16>, %[[PU:.*]]: tensor<2x4x4xf16>, %[[HH:.*]]: tensor<8xf16>, %[[HL:.*]]: tensor<8xf16>):
// CHECK-NEXT:    %[[DH:.*]] = rnn.dot %[[HH]], %[[PU]] : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
// CHECK-NEXT:    %[[DL:.*]] = rnn.dot %[[HL]], %[[PU]]
// TwoSum of the high halves:
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[XH]], %[[DH]] : tensor<8xf16>
// CHECK-NEXT:    %[[B:.*]] = arith.subf %[[S]], %[[XH]]
// CHECK-NEXT:    %[[A:.*]] = arith.subf %[[S]], %[[B]]
// CHECK-NEXT:    %[[EA:.*]] = arith.subf %[[XH]], %[[A]]
// CHECK-NEXT:    %[[EB:.*]] = arith.subf %[[DH]], %[[B]]
// CHECK-NEXT:    %[[E:.*]] = arith.addf %[[EA]], %[[EB]]
// Its error and the low halves:
// CHECK-NEXT:    %[[L:.*]] = arith.addf %[[XL]], %[[DL]]
// CHECK-NEXT:    %[[T:.*]] = arith.addf %[[E]], %[[L]] : tensor<8xf16>
// FastTwoSum:
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addf %[[S]], %[[T]]
// CHECK-NEXT:    %[[PART:.*]] = arith.subf %[[NEXT]], %[[S]]
// CHECK-NEXT:    %[[NEXTL:.*]] = arith.subf %[[T]], %[[PART]]
// CHECK-NEXT:    rnn.yield outputs(%[[NEXT]], %[[NEXTL]] : tensor<8xf16>, tensor<8xf16>) states(%[[NEXT]], %[[NEXTL]] : tensor<8xf16>, tensor<8xf16>)
// CHECK:       %[[Y:.*]] = rnn.map
// CHECK:         arith.extf
// CHECK:         arith.extf
// CHECK:         arith.addf {{.*}} : tensor<8xf32>
// CHECK:       %[[HN:.*]] = rnn.map
// CHECK:       return %[[Y]], %[[HN]] : tensor<?x?x8xf32>, tensor<?x8xf32>
func.func @sum(%x: tensor<?x?x8xf32>, %u: tensor<2x4x4xf32>,
               %h: tensor<?x8xf32>, %n: tensor<?xi32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%u) initial(%h) lengths(%n)
      precision(<operand = f16, accumulate = f16, state = f16x2,
                 round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %d = rnn.dot %ph, %pu
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    %a = arith.addf %px, %d : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>, tensor<?xi32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>
}

// -----

// A row of a weight becomes two weights; slices are taken of both halves. The
// matrix's values are those that f16 has.
// CHECK: rnn.weight @u : tensor<1x4x4xf32> = dense<1.000000e-01> {rung.own_format = "f16"}
// CHECK-NOT: rnn.weight @b :
// CHECK: rnn.weight @b.high : tensor<8xf32> = dense<0.0999755859>
// CHECK: rnn.weight @b.low : tensor<8xf32> = dense<2.44379044E-5>
rnn.weight @u : tensor<1x4x4xf32> = dense<0.1>
rnn.weight @b : tensor<8xf32> = dense<0.1>

// CHECK-LABEL: func.func @bias(
// CHECK:       %[[BH:.*]] = rnn.load_weight @b.high : tensor<8xf32>
// CHECK:       %[[BH16:.*]] = rnn.cast %[[BH]] : tensor<8xf32> to tensor<8xf16>
// CHECK:       %[[BL:.*]] = rnn.load_weight @b.low : tensor<8xf32>
// CHECK:       %[[BL16:.*]] = rnn.cast %[[BL]]
// CHECK:       rnn.recurrence {{.*}} weights(%{{.*}}, %[[BH16]], %[[BL16]])
// CHECK:       ^bb0(%{{.*}}, %{{.*}}, %{{.*}}: tensor<1x4x4xf16>, %[[PH:.*]]: tensor<8xf16>, %[[PL:.*]]: tensor<8xf16>,
// CHECK:         %[[SH:.*]] = tensor.extract_slice %[[PH]][4] [4] [1] : tensor<8xf16> to tensor<4xf16>
// CHECK:         %[[SL:.*]] = tensor.extract_slice %[[PL]][4] [4] [1]
// CHECK:         arith.addf %{{.*}}, %[[SH]] : tensor<4xf16>
// CHECK-NOT:     f32
// CHECK:         rnn.yield
func.func @bias(%x: tensor<?x?x4xf32>, %h: tensor<?x4xf32>)
    -> (tensor<?x?x4xf32>, tensor<?x4xf32>) {
  %u = rnn.load_weight @u : tensor<1x4x4xf32>
  %b = rnn.load_weight @b : tensor<8xf32>
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u, %b) initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2,
                 round = nearest>) {
  ^bb0(%px: tensor<4xf32>, %pu: tensor<1x4x4xf32>, %pb: tensor<8xf32>,
       %ph: tensor<4xf32>):
    %s = tensor.extract_slice %pb[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %d = rnn.dot %ph, %pu
        : (tensor<4xf32>, tensor<1x4x4xf32>) -> tensor<4xf32>
    %a = arith.addf %d, %s : tensor<4xf32>
    %t = math.tanh %a : tensor<4xf32>
    rnn.yield outputs(%t : tensor<4xf32>) states(%t : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<1x4x4xf32>, tensor<8xf32>, tensor<?x4xf32>)
      -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return %y, %hn : tensor<?x?x4xf32>, tensor<?x4xf32>
}

// -----

// The share that a state moves by stays times 2^10 until it is added: no
// product by 2^-10 lies between the gate and the product with the distance.
// Only the sums that round into the state are marked.
// CHECK-LABEL: func.func @share(
// CHECK:       rnn.recurrence
// CHECK-NOT:     f32
// The gate, then the distance, then the product:
// CHECK:         math.fma
// CHECK:         math.fma
// CHECK:         %[[GATE:.*]] = arith.select {{.*}} : tensor<4xi1>, tensor<4xf16>
// CHECK-NEXT:    arith.select
// CHECK:         %[[P:.*]] = arith.mulf %[[GATE]], %[[D:.*]] : tensor<4xf16>
// CHECK-NEXT:    %[[NP:.*]] = arith.negf %[[P]]
// CHECK-NEXT:    math.fma %[[GATE]], %[[D]], %[[NP]]
// CHECK:         dense<9.7656{{.*}}e-04>
// CHECK-NOT:     rung.rounds_state
// CHECK:         arith.addf %{{.*}}, %{{.*}} {rung.rounds_state} : tensor<4xf16>
// CHECK:         arith.addf %{{.*}}, %{{.*}} {rung.rounds_state} : tensor<4xf16>
// CHECK-NOT:     rung.rounds_state
// CHECK:         rnn.yield
func.func @share(%z: tensor<?x?x4xf32>, %n: tensor<?x?x4xf32>,
                 %h: tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%z, %n) weights() initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2,
                 round = stochastic>) {
  ^bb0(%pz: tensor<4xf32>, %pn: tensor<4xf32>, %ph: tensor<4xf32>):
    %t = math.tanh %pn : tensor<4xf32>
    %u = rnn.sigmoid %pz : tensor<4xf32>
    %d = arith.subf %t, %ph : tensor<4xf32>
    %s = arith.mulf %u, %d : tensor<4xf32>
    %next = arith.addf %ph, %s : tensor<4xf32>
    rnn.yield outputs(%next : tensor<4xf32>) states(%next : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>)
      -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return %y, %hn : tensor<?x?x4xf32>, tensor<?x4xf32>
}

// -----

// Another precision is none of the pass's business.
// CHECK-LABEL: func.func @narrow(
// CHECK-NEXT:  rnn.recurrence
// CHECK-NEXT:  ^bb0(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
func.func @narrow(%x: tensor<?x?x4xf32>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16,
                 round = nearest>) {
  ^bb0(%px: tensor<4xf32>, %ph: tensor<4xf32>):
    %a = arith.addf %px, %ph : tensor<4xf32>
    rnn.yield outputs(%a : tensor<4xf32>) states(%a : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x4xf32>)
      -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return %hn : tensor<?x4xf32>
}
