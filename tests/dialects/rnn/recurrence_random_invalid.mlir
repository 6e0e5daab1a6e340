// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @recurrence_c11(%x: tensor<?x?x8xi32>, %h: tensor<?x8xi32>,
                          %r: tensor<?x4xi32>) {
  // expected-error@+1 {{random has type 'tensor<?x4xi32>'; it must be [B, 3]}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) random(%r) {
  ^bb0(%px: tensor<8xi32>, %ph: tensor<8xi32>):
    %b = rnn.random layer(0) word(0) : tensor<8xi32>
    rnn.yield outputs() states(%ph : tensor<8xi32>)
  } : (tensor<?x?x8xi32>, tensor<?x8xi32>, tensor<?x4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @recurrence_c11_unused(%x: tensor<?x?x8xi32>, %h: tensor<?x8xi32>,
                          %r: tensor<?x3xi32>) {
  // expected-error@+1 {{is given random states, and its body draws nothing}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) random(%r) {
  ^bb0(%px: tensor<8xi32>, %ph: tensor<8xi32>):
    rnn.yield outputs() states(%ph : tensor<8xi32>)
  } : (tensor<?x?x8xi32>, tensor<?x8xi32>, tensor<?x3xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @recurrence_c11_absent(%x: tensor<?x?x8xi32>, %h: tensor<?x8xi32>,
                          %r: tensor<?x3xi32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) {
  ^bb0(%px: tensor<8xi32>, %ph: tensor<8xi32>):
    // expected-error@+1 {{draws in a recurrence that is given no random states}}
    %b = rnn.random layer(0) word(0) : tensor<8xi32>
    rnn.yield outputs() states(%ph : tensor<8xi32>)
  } : (tensor<?x?x8xi32>, tensor<?x8xi32>) -> tensor<?x8xi32>
  return
}
