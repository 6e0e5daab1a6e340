// RUN: rung-opt %s --rnn-insert-casts --split-input-file --verify-diagnostics

func.func @not_expanded(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>,
                        %u: tensor<2x12x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{is not expanded; rnn-insert-casts needs rnn-expand-cells before it}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @other_float(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{gives 'tensor<8xbf16>' in a body to be computed in f16}}
    %t = arith.truncf %px : tensor<8xf32> to tensor<8xbf16>
    rnn.yield outputs() states(%ph : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @bits(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16,
                             round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{takes the bits of an f32 in a body to be computed in f16}}
    %t = arith.bitcast %px : tensor<8xf32> to tensor<8xi32>
    rnn.yield outputs() states(%ph : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}
