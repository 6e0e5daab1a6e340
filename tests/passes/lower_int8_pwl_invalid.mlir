// RUN: rung-opt %s --split-input-file --verify-diagnostics \
// RUN:   --rnn-lower-int8-pwl

// A range that nothing says.
#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
rnn.weight @w : tensor<2x1xf32> = dense<0.5>
func.func @input(%x: tensor<?x?x1xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  %w = rnn.load_weight @w : tensor<2x1xf32>
  // expected-error@+1 {{takes numbers of unknown range to weight 'w'; int8 needs it calibrated: rung-compile --calibrate, or rung.input_range}}
  %xp = rnn.linear %x, %w precision(#int8)
      : (tensor<?x?x1xf32>, tensor<2x1xf32>) -> tensor<?x?x2xf32>
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%xp) weights() initial(%h0) precision(#int8) {
  ^bb0(%p: tensor<2xf32>, %h: tensor<2xf32>):
    %n = math.tanh %p : tensor<2xf32>
    rnn.yield outputs() states(%n : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

// A state that can grow without bound.
#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @state(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  // expected-error@+1 {{has state 0 whose range is not known; int8 needs it calibrated: rung-compile --calibrate, or rung.state_range}}
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h0) precision(#int8) {
  ^bb0(%p: tensor<2xf32>, %h: tensor<2xf32>):
    %sum = arith.addf %p, %h : tensor<2xf32>
    rnn.yield outputs() states(%sum : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

// No cell of sigmoid and tanh.
#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @exponential(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h0) precision(#int8)
      attributes {rung.state_range = array<f64: 2.0>} {
  ^bb0(%p: tensor<2xf32>, %h: tensor<2xf32>):
    // expected-error@+1 {{has no integer form; int8 runs cells of products, sums, minima, maxima, choices, sigmoid and tanh}}
    %e = math.exp %p : tensor<2xf32>
    rnn.yield outputs() states(%e : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @infinite(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h0) precision(#int8)
      attributes {rung.state_range = array<f64: 2.0>} {
  ^bb0(%p: tensor<2xf32>, %h: tensor<2xf32>):
    // expected-error@+1 {{is not finite; integers have no such number}}
    %limit = arith.constant dense<0x7F800000> : tensor<2xf32>
    %n = arith.minimumf %p, %limit : tensor<2xf32>
    rnn.yield outputs() states(%n : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

// A matrix that is no weight has no numbers to scale.
#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @matrix(%x: tensor<?x?x2xf32>, %u: tensor<1x2x2xf32>,
                  %h0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0) precision(#int8) {
  ^bb0(%p: tensor<2xf32>, %pu: tensor<1x2x2xf32>, %h: tensor<2xf32>):
    // expected-error@+1 {{has an operand that is not an rnn.weight; int8 needs the numbers of every weight}}
    %d = rnn.dot %h, %pu
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    %n = math.tanh %d : tensor<2xf32>
    rnn.yield outputs() states(%n : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x2x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

rnn.weight @nan : tensor<2x2xf32> = dense<[[0.5, 0x7FC00000], [0.0, 0.0]]> // expected-error {{holds nan; int8 needs finite weights}}
#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @weight(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x2xf32> {
  %w = rnn.load_weight @nan : tensor<2x2xf32>
  %xp = rnn.linear %x, %w precision(#int8)
      {rung.input_range = array<f64: -1.0, 1.0>}
      : (tensor<?x?x2xf32>, tensor<2x2xf32>) -> tensor<?x?x2xf32>
  %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%xp) weights() initial(%h0) precision(#int8) {
  ^bb0(%p: tensor<2xf32>, %h: tensor<2xf32>):
    %n = math.tanh %p : tensor<2xf32>
    rnn.yield outputs() states(%n : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %hn : tensor<?x2xf32>
}

// -----

#int8 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func @gru(%x: tensor<?x?x1xf32>, %w: tensor<6x1xf32>,
               %u: tensor<1x6x2xf32>, %h0: tensor<?x2xf32>)
    -> tensor<?x?x2xf32> {
  // expected-error@+1 {{is not expanded; rnn-lower-int8-pwl needs rnn-expand-cells before it}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h0)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      precision(#int8)
      : (tensor<?x?x1xf32>, tensor<6x1xf32>, tensor<1x6x2xf32>,
         tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  return %y : tensor<?x?x2xf32>
}
