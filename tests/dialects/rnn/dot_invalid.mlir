// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @dot_c1(%x: tensor<?x?x6xf32>, %w: tensor<2x4x4xf32>,
                  %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{input is 6 wide; 2 heads of 4 columns need 8}}
    %d = rnn.dot %px, %pw
        : (tensor<6xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @dot_c2(%x: tensor<?x?x8xf32>, %w: tensor<2x12x4xf32>,
                  %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x12x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{result is 8 wide; 2 heads of 12 rows give 24}}
    %d = rnn.dot %px, %pw
        : (tensor<8xf32>, tensor<2x12x4xf32>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x12x4xf32>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @dot_c3(%x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf16>,
                  %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{input has elements of 'f32', weight of 'f16'}}
    %d = rnn.dot %px, %pw
        : (tensor<8xf32>, tensor<2x4x4xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @dot_c4(%x: tensor<?x?x8xf16>, %w: tensor<2x4x4xi8>,
                  %h: tensor<?x8xf16>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf16>, %pw: tensor<2x4x4xi8>, %ph: tensor<8xf16>):
    %b = arith.fptosi %px : tensor<8xf16> to tensor<8xi8>
    // expected-error@+1 {{sums products of 'i8' in 'f16'}}
    %d = rnn.dot %b, %pw
        : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xf16>
    rnn.yield outputs(%d : tensor<8xf16>) states(%d : tensor<8xf16>)
  } : (tensor<?x?x8xf16>, tensor<2x4x4xi8>, tensor<?x8xf16>)
      -> (tensor<?x?x8xf16>, tensor<?x8xf16>)
  return
}
