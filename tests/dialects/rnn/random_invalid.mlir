// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @random_c1(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>,
                     %r: tensor<?x3xi32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) random(%r) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    // expected-error@+1 {{layer is -1; it must not be negative}}
    %b = rnn.random layer(-1) word(0) : tensor<8xi32>
    rnn.yield outputs() states(%ph : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?x3xi32>) -> tensor<?x8xf16>
  return
}

// -----

func.func @random_c2(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>,
                     %r: tensor<?x3xi32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) random(%r) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    // expected-error@+1 {{word is 4; there are words 0 to 3}}
    %b = rnn.random layer(0) word(4) : tensor<8xi32>
    rnn.yield outputs() states(%ph : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?x3xi32>) -> tensor<?x8xf16>
  return
}

// -----

func.func @random_width(%x: tensor<?x?x8xf16>, %h: tensor<?x8xf16>,
                        %r: tensor<?x3xi32>) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) random(%r) {
  ^bb0(%px: tensor<8xf16>, %ph: tensor<8xf16>):
    // expected-error@+1 {{gives 'tensor<4xi32>' in a body of width 8}}
    %b = rnn.random layer(0) word(0) : tensor<4xi32>
    rnn.yield outputs() states(%ph : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<?x8xf16>, tensor<?x3xi32>) -> tensor<?x8xf16>
  return
}

// -----

func.func @advance_random_c1(%r: tensor<?x4xi32>, %x: tensor<?x?x8xf32>) {
  // expected-error@+1 {{random has type 'tensor<?x4xi32>'; it must be [B, 3]}}
  %0 = rnn.advance_random %r, %x : tensor<?x4xi32>, tensor<?x?x8xf32>
  return
}

// -----

func.func @advance_random_c2(%r: tensor<2x3xi32>, %x: tensor<?x?x8xf32>) {
  // expected-error@+1 {{random has type 'tensor<2x3xi32>', sequence 'tensor<?x?x8xf32>'; their batches differ}}
  %0 = rnn.advance_random %r, %x : tensor<2x3xi32>, tensor<?x?x8xf32>
  return
}

// -----

func.func @advance_random_c2_lengths(%r: tensor<?x3xi32>,
                                     %x: tensor<?x?x8xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{random has type 'tensor<?x3xi32>', lengths 'tensor<2xi32>'; their batches differ}}
  %0 = rnn.advance_random %r, %x lengths(%n)
      : tensor<?x3xi32>, tensor<?x?x8xf32>, tensor<2xi32>
  return
}
