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

func.func @narrow_sum(%x: tensor<?x?x5xf32>, %w: tensor<24x5xf32>) {
  // expected-error@+1 {{accumulates in f16 and keeps its state in f16; rnn-insert-casts knows f32 for both}}
  %0 = rnn.linear %x, %w precision(<operand = f16, accumulate = f16,
                                    state = f16, round = nearest>)
      : (tensor<?x?x5xf32>, tensor<24x5xf32>) -> tensor<?x?x24xf32>
  return
}
