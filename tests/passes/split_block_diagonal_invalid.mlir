// RUN: rung-opt %s --rnn-split-block-diagonal=heads=2 --split-input-file --verify-diagnostics

// 25 of 75 + 25 are outside the blocks: the 3 and the 4 of the update gate.
rnn.weight @w : tensor<6x3xf32> = dense<0.5>
rnn.weight @u : tensor<1x6x2xf32> = dense<[[
    [5.0, 3.0], [4.0, 5.0], [3.0, 0.0], [0.0, 3.0], [1.0, 0.0], [0.0, 2.0]]]>
func.func @lossy(%x: tensor<?x?x3xf32>, %h: tensor<?x2xf32>) {
  %w = rnn.load_weight @w : tensor<6x3xf32>
  %u = rnn.load_weight @u : tensor<1x6x2xf32>
  // expected-error@+1 {{layer 'u' cut from 1 head of 2 into 2 heads of 1 drops 25.5 % of the energy of its recurrent weights (update 33.3 %, reset 0 %, candidate 0 %); allow-lossy permits it}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<6x3xf32>, tensor<1x6x2xf32>,
         tensor<?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  return
}

// -----

rnn.weight @w : tensor<9x3xf32> = dense<0.5>
rnn.weight @u : tensor<1x9x3xf32> = dense<0.5>
func.func @odd(%x: tensor<?x?x3xf32>, %h: tensor<?x3xf32>) {
  %w = rnn.load_weight @w : tensor<9x3xf32>
  %u = rnn.load_weight @u : tensor<1x9x3xf32>
  // expected-error@+1 {{layer 'u' has 1 head of 3, which cannot be cut into 2 of equal width}}
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x3xf32>, tensor<9x3xf32>, tensor<1x9x3xf32>,
         tensor<?x3xf32>) -> (tensor<?x?x3xf32>, tensor<?x3xf32>)
  return
}

// -----

func.func @no_weight(%x: tensor<?x?x2xf32>, %u: tensor<1x2x2xf32>,
                     %h0: tensor<?x2xf32>) {
  // expected-error@+1 {{layer 'rnn.recurrence' has a recurrent matrix that is no loaded weight; rnn-split-block-diagonal goes before the passes that round or convert weights}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2xf32>, %pu: tensor<1x2x2xf32>, %h: tensor<2xf32>):
    %d = rnn.dot %h, %pu
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x2x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return
}

// -----

rnn.weight @u : tensor<1x2x2xf16> = dense<1.0>
func.func @narrow(%x: tensor<?x?x2xf16>, %h0: tensor<?x2xf16>) {
  %u = rnn.load_weight @u : tensor<1x2x2xf16>
  // expected-error@+1 {{layer 'u' has recurrent weight 'u' of 'f16'; rnn-split-block-diagonal works on f32}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2xf16>, %pu: tensor<1x2x2xf16>, %h: tensor<2xf16>):
    %d = rnn.dot %h, %pu
        : (tensor<2xf16>, tensor<1x2x2xf16>) -> tensor<2xf16>
    rnn.yield outputs() states(%d : tensor<2xf16>)
  } : (tensor<?x?x2xf16>, tensor<1x2x2xf16>, tensor<?x2xf16>) -> tensor<?x2xf16>
  return
}

// -----

rnn.weight @u : tensor<1x5x2xf32> = dense<0.5>
func.func @between(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>) {
  %u = rnn.load_weight @u : tensor<1x5x2xf32>
  // expected-error@+1 {{layer 'u' takes rows from 3 of 5 in its recurrent weight; matrices of width 2 begin at multiples of it}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2xf32>, %pu: tensor<1x5x2xf32>, %h: tensor<2xf32>):
    %v = tensor.extract_slice %pu[0, 3, 0] [1, 2, 2] [1, 1, 1]
        : tensor<1x5x2xf32> to tensor<1x2x2xf32>
    %d = rnn.dot %h, %v
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x5x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return
}

// -----

rnn.weight @u : tensor<1x2x2xf32> = dense_resource<nowhere>
// expected-error@-1 {{has no values at hand; weights of floats are dense, or f32 resources}}
func.func @absent(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>) {
  %u = rnn.load_weight @u : tensor<1x2x2xf32>
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2xf32>, %pu: tensor<1x2x2xf32>, %h: tensor<2xf32>):
    %d = rnn.dot %h, %pu
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x2x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return
}
