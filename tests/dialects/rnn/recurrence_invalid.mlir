// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @recurrence_c1(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{direction is 'bidirectional'; a recurrence is forward or reverse}}
  %r0, %r1 = rnn.recurrence direction(bidirectional) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c2(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{has 1 sequences and 0 states; it needs at least one of each}}
  %r0 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial() {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>) -> (tensor<?x?x8xf32>)
  return
}

// -----

func.func @recurrence_c2_sequences(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{has 0 sequences and 1 states; it needs at least one of each}}
  %hn = rnn.recurrence direction(forward) heads(1) sequences() weights()
      initial(%h) {
  ^bb0(%ph: tensor<8xf32>):
    rnn.yield outputs() states(%ph : tensor<8xf32>)
  } : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @recurrence_c2_results(%x: tensor<?x?x8xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{has 0 results for 1 states}}
  rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    rnn.yield outputs() states(%ph : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> ()
  return
}

// -----

func.func @recurrence_c3_count(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{body has 2 arguments; its operands need 3}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c3_type(
    %x: tensor<?x?x24xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{body argument 0 has type 'tensor<8xf32>'; its operand needs 'tensor<24xf32>'}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x24xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c3_state(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{body argument 2 has type 'tensor<8xf16>'; its operand needs 'tensor<8xf32>'}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf16>):
    %a = arith.negf %px : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c4_outputs(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    // expected-error@+1 {{gives 0 outputs; the recurrence has 1}}
    rnn.yield outputs() states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c4_states(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    // expected-error@+1 {{gives 2 states; the recurrence has 1}}
    rnn.yield outputs(%a : tensor<8xf32>)
        states(%a, %a : tensor<8xf32>, tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c4_type(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    // expected-error@+1 {{gives 'tensor<8xf32>' for outputs of 'tensor<?x?x8xf16>'}}
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf16>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c5_batch(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>, %n:
    tensor<3xi32>) {
  // expected-error@+1 {{batch is ? and 3; it must be one for sequences, states, lengths, random and results}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) lengths(%n) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>, tensor<3xi32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c5_steps(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{number of steps is ? and 7; it must be one}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<7x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c5_rank(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{output has type 'tensor<?x8xf32>'; it must be [T, B, N]}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c6(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{state begins as 'tensor<?x8xf32>' and ends as 'tensor<?x4xf32>'}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x4xf32>)
  return
}

// -----

func.func @recurrence_c7(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{is not an operation of a cell's body}}
    %a = rnn.softmax %px : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c7_constant(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{in a cell's body must be a splat}}
    %a = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c8(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{gives 'tensor<4xf32>' in a body of width 8}}
    %s = arith.constant dense<0.0> : tensor<4xf32>
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c8_slice(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{gives 'tensor<4xf32>' in a body of width 8}}
    %s = tensor.extract_slice %px[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c9(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{heads is 3, which does not divide the width 8}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(3)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c9_none(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{heads is 0, which does not divide the width 8}}
  %r0, %r1 = rnn.recurrence direction(forward) heads(0)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c9_dot(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(4)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{has 2 heads; the recurrence has 4}}
    %a = rnn.dot %ph, %pw
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c10_state(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{in a cell's body must slice a row of a sequence or a weight}}
    %s = tensor.extract_slice %ph[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
    %a = arith.addf %s, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c10_value(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    %a = arith.addf %px, %ph : tensor<8xf32>
    // expected-error@+1 {{in a cell's body must slice a row of a sequence or a weight}}
    %s = tensor.extract_slice %a[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c10_stride(
    %x: tensor<?x?x24xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<24xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{in a cell's body must have static offsets and sizes, unit strides and the rank of its source}}
    %s = tensor.extract_slice %px[0] [8] [2] : tensor<24xf32> to tensor<8xf32>
    %a = arith.addf %s, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x24xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c10_rank(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x8xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x8xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{in a cell's body must have static offsets and sizes, unit strides and the rank of its source}}
    %s = tensor.extract_slice %pw[0, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<2x4x8xf32> to tensor<8xf32>
    %a = arith.addf %s, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x8xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @recurrence_c10_heads(
    %x: tensor<?x?x8xf32>, %w: tensor<2x4x4xf32>, %h: tensor<?x8xf32>) {
  %r0, %r1 = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%w) initial(%h) {
  ^bb0(%px: tensor<8xf32>, %pw: tensor<2x4x4xf32>, %ph: tensor<8xf32>):
    // expected-error@+1 {{in a cell's body takes 'tensor<1x4x4xf32>' of 'tensor<2x4x4xf32>'; it must take whole rows of all heads}}
    %s = tensor.extract_slice %pw[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to tensor<1x4x4xf32>
    %a = arith.addf %px, %ph : tensor<8xf32>
    rnn.yield outputs(%a : tensor<8xf32>) states(%a : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<2x4x4xf32>, tensor<?x8xf32>) ->
      (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return
}
