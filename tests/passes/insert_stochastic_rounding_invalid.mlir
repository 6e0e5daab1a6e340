// RUN: rung-opt %s --rnn-insert-stochastic-rounding --split-input-file \
// RUN:   --verify-diagnostics

func.func @not_expanded(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>,
                        %u: tensor<2x12x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{is not expanded; rnn-insert-stochastic-rounding needs rnn-expand-cells before it}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @before_casts(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{keeps state 0 as 'tensor<8xf32>'; rnn-insert-stochastic-rounding needs rnn-insert-casts before it}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    %s = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs() states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @wide_state(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{keeps its state in f32; stochastic rounding is for f16 and f16x2}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f32, state = f32,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    %s = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs() states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @product(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>) {
  // expected-error@+1 {{makes state 0 by arith.mulf; only a sum of two f16 can be rounded stochastically, and adding zero to a rounded value would round nothing}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    // expected-note@+1 {{it is made here}}
    %s = arith.mulf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

func.func @copy(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>) {
  // expected-error@+1 {{makes state 0 by no sum}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    rnn.yield outputs() states(%px : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

func.func @before_pairs(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>) {
  // expected-error@+1 {{has no sum marked 'rung.rounds_state'; rnn-insert-stochastic-rounding needs rnn-expand-paired-fp16 before it}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16x2,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s = arith.addf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

func.func @marked_product(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>) {
    %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16x2,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    // expected-error@+1 {{is marked 'rung.rounds_state', and is no sum of two f16}}
    %s = arith.mulf %px, %ph {rung.rounds_state} : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

func.func @five(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>) {
  // expected-error@+1 {{rounds 5 sums a step; there are 4 words of random bits for each element}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16x2,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s0 = arith.addf %px, %ph {rung.rounds_state} : tensor<8xf16>
    %s1 = arith.addf %s0, %ph {rung.rounds_state} : tensor<8xf16>
    %s2 = arith.addf %s1, %ph {rung.rounds_state} : tensor<8xf16>
    %s3 = arith.addf %s2, %ph {rung.rounds_state} : tensor<8xf16>
    %s4 = arith.addf %s3, %ph {rung.rounds_state} : tensor<8xf16>
    rnn.yield outputs() states(%s4 : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

func.func @lengths(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>,
                   %n: tensor<?xi32>) {
  // expected-note@+1 {{the other is here}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s = arith.addf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  // expected-error@+1 {{has other lengths than another recurrence of its function; they share one count of steps}}
  %gn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) lengths(%n)
      precision(<operand = f16, accumulate = f16, state = f16,
                 round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s = arith.addf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?xi32>) -> tensor<?x8xf16>
  return
}

// -----

// expected-error@+1 {{function 'taken' has an argument 'random', which stochastic rounding needs for itself}}
func.func @taken(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16> {rnn.name = "random"}) {
    %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s = arith.addf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}

// -----

// expected-error@+1 {{function 'taken_result' has a result 'random', which stochastic rounding needs for itself}}
func.func @taken_result(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>)
    -> (tensor<?x8xf16> {rnn.name = "random"}) {
    %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = stochastic>) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    %s = arith.addf %px, %ph : tensor<8xf16>
    rnn.yield outputs() states(%s : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return %hn : tensor<?x8xf16>
}
