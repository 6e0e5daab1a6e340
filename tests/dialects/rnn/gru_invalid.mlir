// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @gru_c1_weights(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{weights has 2 entries; direction 'forward' needs 1}}
  %y, %hn = rnn.gru %x weights(%w, %w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24x5xf32>,
         tensor<2x12x4xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c1_recurrent(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent has 1 entries; direction 'bidirectional' needs 2}}
  %y, %hn = rnn.gru %x weights(%w, %w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(bidirectional)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<24x5xf32>,
         tensor<2x12x4xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c1_input_bias(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %bw: tensor<24xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{input_bias has 2 entries; direction 'reverse' needs 1 or none}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%bw, %bw) initial(%h)
      reset(after) update(keep) direction(reverse)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>) ->
         (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c1_recurrent_bias(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %bu: tensor<24xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent_bias has 2 entries; direction 'forward' needs 1 or none}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) recurrent_bias(%bu, %bu) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<24xf32>, tensor<24xf32>, tensor<?x8xf32>) ->
         (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c1_initial(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{initial has 2 entries; direction 'forward' needs 1}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h, %h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c1_final(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{final states has 0 entries; direction 'forward' needs 1}}
  %y = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>)
  return
}

// -----

func.func @gru_c1_activations(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{activations has 1 entries; direction 'forward' needs 2}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c2(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x6xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{weights have type 'tensor<24x6xf32>'; 3 gates of 8 hidden units and an input of width 5 need [24, 5]}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x6xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c3(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x8xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent has type 'tensor<2x12x8xf32>'; 2 heads and 8 hidden units need [heads, 3 * dh, dh] with heads * dh = 8}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x8xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c3_rows(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x8x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent has type 'tensor<2x8x4xf32>'}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x8x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c3_no_heads(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<0x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent has type 'tensor<0x12x4xf32>'}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<0x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c4_input(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %bw: tensor<8xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{input_bias has type 'tensor<8xf32>'; 3 gates of 8 hidden units need [24]}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%bw) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<8xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c4_recurrent(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %bu: tensor<1x24xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{recurrent_bias has type 'tensor<1x24xf32>'; 3 gates of 8 hidden units need [24]}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) recurrent_bias(%bu) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<1x24xf32>, tensor<?x8xf32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c5(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{output has type 'tensor<?x?x16xf32>'; an input of 'tensor<?x?x5xf32>' and 1 directions of 8 hidden units need a width of 8 and the same number of steps}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x16xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c6(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{a state is 4 wide, another 8}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x4xf32>)
  return
}

// -----

func.func @gru_c7_state(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<3x8xf32>) {
  // expected-error@+1 {{a state has a batch of 3, which differs from that of input, 'tensor<?x?x5xf32>'}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<3x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c7_lengths(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>,
    %n: tensor<3xi32>) {
  // expected-error@+1 {{lengths has a batch of 3}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h) lengths(%n)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>, tensor<3xi32>) -> (tensor<?x?x8xf32>,
         tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c7_output(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{output has a batch of 3}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x3x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c8(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf16>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{has elements of 'f32' and of 'f16'}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x5xf32>, tensor<24x5xf16>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @gru_c9(
    %x: tensor<?x?x5xf32>,
    %w: tensor<24x5xf32>,
    %u: tensor<2x12x4xf32>,
    %h: tensor<?x8xf32>) {
  // expected-error@+1 {{clip is 0.000000e+00; it must be finite and more than 0}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(keep) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>]) {clip = 0.0 : f64}
      : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}
