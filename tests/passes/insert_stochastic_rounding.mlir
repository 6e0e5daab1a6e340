// RUN: rung-opt %s --rnn-insert-stochastic-rounding | FileCheck %s
// A second run finds nothing to do.
// RUN: rung-opt %s --rnn-insert-stochastic-rounding \
// RUN:   --rnn-insert-stochastic-rounding | FileCheck %s

// The sum that makes the state, and so the output, is stochastic; others stay.
// CHECK-LABEL: func.func @one
// CHECK-SAME: %[[R:[^ ]*]]: tensor<?x3xi32> {rnn.name = "random", rnn.state = "random"})
// CHECK-SAME: -> (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?x3xi32> {rnn.name = "random", rnn.state = "random"})
func.func @one(%x: tensor<?x?x8xf16>, %h0: tensor<?x8xf16>,
               %n: tensor<?xi32>) -> (tensor<?x?x8xf16>, tensor<?x8xf16>) {
  // CHECK: %[[Y:.*]], %[[HN:.*]] = rnn.recurrence {{.*}} lengths(%[[N:.*]]) random(%[[R]]) precision
  // CHECK-NEXT: ^bb0(%[[PX:[^ ]*]]: tensor<8xf16>, %[[H:[^ ]*]]: tensor<8xf16>):
  %y, %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h0) lengths(%n)
      precision(<operand = f16, accumulate = f16, state = f16,
                 round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>):
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[PX]], %[[H]] : tensor<8xf16>
    %s = arith.addf %px, %h : tensor<8xf16>
    // CHECK-NEXT: %[[B:.*]] = rnn.random layer(0) word(0) : tensor<8xi32>
    // CHECK-NEXT: %[[NEXT:.*]] = rnn.add_stochastic %[[H]], %[[S]], %[[B]] : tensor<8xf16>, tensor<8xi32>
    %next = arith.addf %h, %s : tensor<8xf16>
    // CHECK-NEXT: %[[O:.*]] = math.tanh %[[NEXT]]
    %o = math.tanh %next : tensor<8xf16>
    // CHECK-NEXT: %[[P:.*]] = arith.addf %[[O]], %[[NEXT]]
    %p = arith.addf %o, %next : tensor<8xf16>
    // CHECK-NEXT: rnn.yield outputs(%[[P]] : tensor<8xf16>) states(%[[NEXT]] : tensor<8xf16>)
    rnn.yield outputs(%p : tensor<8xf16>) states(%next : tensor<8xf16>)
  // CHECK-NEXT: } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?xi32>, tensor<?x3xi32>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?xi32>)
      -> (tensor<?x?x8xf16>, tensor<?x8xf16>)
  // CHECK-NEXT: %[[R1:.*]] = rnn.advance_random %[[R]], %{{.*}} lengths(%[[N]])
  // CHECK-NEXT: return %[[Y]], %[[HN]], %[[R1]]
  return %y, %hn : tensor<?x?x8xf16>, tensor<?x8xf16>
}

// Layers are numbered over all recurrences of a function, those that round to
// nearest too; states of one layer take its words.
// CHECK-LABEL: func.func @three
// CHECK-SAME: %[[R:[^ ]*]]: tensor<3x3xi32> {rnn.name = "random", rnn.state = "random"})
func.func @three(%x: tensor<?x3x8xf16>, %h0: tensor<3x8xf16>)
    -> (tensor<3x8xf16>, tensor<3x8xf16>) {
  // CHECK: rnn.recurrence {{.*}} random(%[[R]])
  // CHECK: rnn.random layer(0) word(0)
  %a:2, %an = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights() initial(%h0) precision(<operand = f16, accumulate = f16,
                                        state = f16, round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>):
    %s = arith.addf %px, %h : tensor<8xf16>
    // Outputs that are the state are the rounded one.
    // CHECK: %[[S:.*]] = rnn.add_stochastic
    // CHECK-NEXT: rnn.yield outputs(%[[S]], %[[S]] : {{.*}}) states(%[[S]] :
    rnn.yield outputs(%s, %s : tensor<8xf16>, tensor<8xf16>)
        states(%s : tensor<8xf16>)
  } : (tensor<?x3x8xf16>, tensor<3x8xf16>)
      -> (tensor<?x3x8xf16>, tensor<?x3x8xf16>, tensor<3x8xf16>)
  // CHECK: rnn.recurrence
  // CHECK-NOT: random
  // CHECK: arith.addf
  %b, %bn = rnn.recurrence direction(forward) heads(1) sequences(%a#0)
      weights() initial(%h0) precision(<operand = f16, accumulate = f16,
                                        state = f16, round = nearest>) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>):
    %s = arith.addf %px, %h : tensor<8xf16>
    rnn.yield outputs(%s : tensor<8xf16>) states(%s : tensor<8xf16>)
  } : (tensor<?x3x8xf16>, tensor<3x8xf16>)
      -> (tensor<?x3x8xf16>, tensor<3x8xf16>)
  // CHECK: rnn.recurrence {{.*}} random(%[[R]])
  // CHECK: %[[B0:.*]] = rnn.random layer(2) word(0)
  // CHECK: rnn.add_stochastic %{{.*}}, %{{.*}}, %[[B0]]
  // CHECK: %[[B1:.*]] = rnn.random layer(2) word(1)
  // CHECK: rnn.add_stochastic %{{.*}}, %{{.*}}, %[[B1]]
  %c:2 = rnn.recurrence direction(forward) heads(1) sequences(%b) weights()
      initial(%h0, %h0) precision(<operand = f16, accumulate = f16,
                                   state = f16, round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %g: tensor<8xf16>, %h: tensor<8xf16>):
    %s = arith.addf %px, %g : tensor<8xf16>
    %t = arith.addf %s, %h : tensor<8xf16>
    rnn.yield outputs() states(%s, %t : tensor<8xf16>, tensor<8xf16>)
  } : (tensor<?x3x8xf16>, tensor<3x8xf16>, tensor<3x8xf16>)
      -> (tensor<3x8xf16>, tensor<3x8xf16>)
  // CHECK: rnn.advance_random
  // CHECK-NOT: rnn.advance_random
  // CHECK: return
  return %c#0, %c#1 : tensor<3x8xf16>, tensor<3x8xf16>
}

// Of pairs, the marked sums alone, and no mark is left.
// CHECK-LABEL: func.func @pair
// CHECK-NOT: rung.rounds_state
func.func @pair(%x: tensor<?x?x8xf16>, %hi: tensor<?x8xf16>,
                %lo: tensor<?x8xf16>) -> (tensor<?x8xf16>, tensor<?x8xf16>) {
  // CHECK: ^bb0(%[[X:[^ ]*]]: tensor<8xf16>, %[[HI:[^ ]*]]: tensor<8xf16>, %[[LO:[^ ]*]]: tensor<8xf16>):
  %hn:2 = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%hi, %lo) precision(<operand = f16, accumulate = f16,
                                   state = f16x2, round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>, %l: tensor<8xf16>):
    // CHECK: %[[B0:.*]] = rnn.random layer(0) word(0)
    // CHECK-NEXT: %[[T:.*]] = rnn.add_stochastic %[[LO]], %[[X]], %[[B0]]
    %t = arith.addf %l, %px {rung.rounds_state} : tensor<8xf16>
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[HI]], %[[T]] : tensor<8xf16>
    %s = arith.addf %h, %t : tensor<8xf16>
    %d = arith.subf %s, %h : tensor<8xf16>
    %e = arith.subf %t, %d : tensor<8xf16>
    // CHECK: rnn.yield outputs() states(%[[S]],
    rnn.yield outputs() states(%s, %e : tensor<8xf16>, tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?x8xf16>)
      -> (tensor<?x8xf16>, tensor<?x8xf16>)
  return %hn#0, %hn#1 : tensor<?x8xf16>, tensor<?x8xf16>
}

// Nothing stochastic, no new port.
// CHECK-LABEL: func.func @nearest
// CHECK-NOT: random
// CHECK: return
func.func @nearest(%x: tensor<?x?x8xf16>, %h0: tensor<?x8xf16>)
    -> tensor<?x8xf16> {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h0) precision(<operand = f16, accumulate = f16, state = f16,
                              round = nearest>) {
  ^bb0(%px: tensor<8xf16>, %h: tensor<8xf16>):
    %s = arith.addf %px, %h : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return %hn : tensor<?x8xf16>
}
