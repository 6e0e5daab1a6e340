// RUN: rung-opt %s --rnn-expand-paired-fp16 --split-input-file --verify-diagnostics

func.func @not_expanded(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>,
                        %u: tensor<2x12x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{is not expanded; rnn-expand-paired-fp16 needs rnn-expand-cells before it}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>)
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @expanded_already(%x: tensor<?x?x4xf16>, %h: tensor<?x4xf16>) {
  // expected-error@+1 {{has states of f16; it is expanded already}}
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>) {
  ^bb0(%px: tensor<4xf16>, %ph: tensor<4xf16>):
    rnn.yield outputs(%px : tensor<4xf16>) states(%px : tensor<4xf16>)
  } : (tensor<?x?x4xf16>, tensor<?x4xf16>) -> (tensor<?x?x4xf16>, tensor<?x4xf16>)
  return
}

// -----

func.func @no_form(%x: tensor<?x?x4xf32>, %h: tensor<?x4xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>) {
  ^bb0(%px: tensor<4xf32>, %ph: tensor<4xf32>):
    // expected-error@+1 {{'math.log' op has no form in pairs of f16}}
    %l = math.log %px : tensor<4xf32>
    rnn.yield outputs(%l : tensor<4xf32>) states(%l : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return
}

// -----

func.func @row_unknown(%x: tensor<?x?x4xf32>, %b: tensor<4xf32>,
                       %h: tensor<?x4xf32>) {
  // expected-error@+1 {{has weight operand 0 of type 'tensor<4xf32>'; rnn-expand-paired-fp16 splits rows that are an rnn.weight}}
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%b) initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>) {
  ^bb0(%px: tensor<4xf32>, %pb: tensor<4xf32>, %ph: tensor<4xf32>):
    %a = arith.addf %px, %pb : tensor<4xf32>
    rnn.yield outputs(%a : tensor<4xf32>) states(%a : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<4xf32>, tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return
}

// -----

func.func @rounded_already(%x: tensor<?x?x4xf32>, %h: tensor<?x4xf32>,
                           %r: tensor<?x3xi32>) {
  // expected-error@+1 {{draws random bits; rnn-expand-paired-fp16 comes before rnn-insert-stochastic-rounding}}
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h) random(%r)
      precision(<operand = f16, accumulate = f16, state = f16x2, round = stochastic>) {
  ^bb0(%px: tensor<4xf32>, %ph: tensor<4xf32>):
    %bits = rnn.random layer(0) word(0) : tensor<4xi32>
    rnn.yield outputs(%px : tensor<4xf32>) states(%px : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x4xf32>, tensor<?x3xi32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return
}

// -----

func.func @nothing_to_round(%x: tensor<?x?x4xf32>, %h: tensor<?x4xf32>) {
  // expected-error@+1 {{makes state 0 by math.tanh, which rounds its low half by no sum; nothing there can be rounded stochastically}}
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h)
      precision(<operand = f16, accumulate = f16, state = f16x2, round = stochastic>) {
  ^bb0(%px: tensor<4xf32>, %ph: tensor<4xf32>):
    %s = arith.addf %px, %ph : tensor<4xf32>
    %t = math.tanh %s : tensor<4xf32>
    rnn.yield outputs(%t : tensor<4xf32>) states(%t : tensor<4xf32>)
  } : (tensor<?x?x4xf32>, tensor<?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
  return
}
