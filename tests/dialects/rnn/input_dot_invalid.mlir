// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @input_dot_c1(%x: tensor<?x?x6xf16>, %w: tensor<24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    %t = arith.truncf %ph : tensor<8xf32> to tensor<8xf16>
    // expected-error@+1 {{input is not a whole row of a sequence of the body}}
    %d = rnn.input_dot %t, %pw first(8)
        : (tensor<8xf16>, tensor<24x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c1_weight(%x: tensor<?x?x6xf16>, %w: tensor<2x24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<2x24x6xf16>, %ph: tensor<8xf32>):
    %s = tensor.extract_slice %pw[0, 0, 0] [2, 4, 6] [1, 1, 1]
        : tensor<2x24x6xf16> to tensor<2x4x6xf16>
    // expected-error@+1 {{weight is not one of the weights of the body}}
    %d = rnn.input_dot %px, %s first(8)
        : (tensor<6xf16>, tensor<2x4x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<2x24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c2(%x: tensor<?x?x6xf16>, %w: tensor<24x5xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x5xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{weight has type 'tensor<24x5xf16>'; it must have rank 2 and 6 columns}}
    %d = rnn.input_dot %px, %pw first(8)
        : (tensor<6xf16>, tensor<24x5xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x5xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c3(%x: tensor<?x?x6xf16>, %w: tensor<24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{takes 8 rows from row 17 of 24}}
    %d = rnn.input_dot %px, %pw first(17)
        : (tensor<6xf16>, tensor<24x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c3_negative(%x: tensor<?x?x6xf16>, %w: tensor<24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{takes 8 rows from row -1 of 24}}
    %d = rnn.input_dot %px, %pw first(-1)
        : (tensor<6xf16>, tensor<24x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c4(%x: tensor<?x?x6xf32>, %w: tensor<24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf32>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{input has elements of 'f32', weight of 'f16'}}
    %d = rnn.input_dot %px, %pw first(8)
        : (tensor<6xf32>, tensor<24x6xf16>) -> tensor<8xf32>
    rnn.yield outputs(%d : tensor<8xf32>) states(%d : tensor<8xf32>)
  } : (tensor<?x?x6xf32>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @input_dot_c5(%x: tensor<?x?x6xbf16>, %w: tensor<24x6xbf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xbf16>, %pw: tensor<24x6xbf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{sums products of 'bf16' in 'f16'}}
    %d = rnn.input_dot %px, %pw first(8)
        : (tensor<6xbf16>, tensor<24x6xbf16>) -> tensor<8xf16>
    rnn.yield outputs(%ph : tensor<8xf32>) states(%ph : tensor<8xf32>)
  } : (tensor<?x?x6xbf16>, tensor<24x6xbf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c8(%x: tensor<?x?x6xf16>, %w: tensor<24x6xf16>, %h: tensor<?x8xf32>) {
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%x)
      weights(%w) initial(%h) {
  ^bb0(%px: tensor<6xf16>, %pw: tensor<24x6xf16>, %ph: tensor<8xf32>):
    // expected-error@+1 {{gives 'tensor<6xf32>' in a body of width 8}}
    %d = rnn.input_dot %px, %pw first(8)
        : (tensor<6xf16>, tensor<24x6xf16>) -> tensor<6xf32>
    rnn.yield outputs(%ph : tensor<8xf32>) states(%ph : tensor<8xf32>)
  } : (tensor<?x?x6xf16>, tensor<24x6xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}
