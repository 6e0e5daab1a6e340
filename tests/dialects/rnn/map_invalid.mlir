// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @map_c1() {
  // expected-error@+1 {{has 0 inputs and 0 results; it needs at least one of each}}
  rnn.map inputs() weights() {
    rnn.yield outputs() states()
  } : () -> ()
  return
}

// -----

func.func @map_c1_results(%x: tensor<?x8xf32>) {
  // expected-error@+1 {{has 1 inputs and 0 results; it needs at least one of each}}
  rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf32>):
    rnn.yield outputs() states()
  } : (tensor<?x8xf32>) -> ()
  return
}

// -----

func.func @map_c2(%x: tensor<?x8xf32>, %y: tensor<?x?x8xf32>) {
  // expected-error@+1 {{has 'tensor<?x8xf32>' and 'tensor<?x?x8xf32>'; inputs and results have one shape}}
  %0 = rnn.map inputs(%x, %y) weights() {
  ^bb0(%p: tensor<8xf32>, %q: tensor<8xf32>):
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c2_rank(%x: tensor<8xf32>) {
  // expected-error@+1 {{input has type 'tensor<8xf32>'; it must be [T, B, N] or [B, N]}}
  %0 = rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf32>):
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @map_c3(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) {
  // expected-error@+1 {{weight has type 'tensor<8x8xf32>'; it must have rank 1}}
  %0 = rnn.map inputs(%x) weights(%w) {
  ^bb0(%p: tensor<8xf32>, %q: tensor<8x8xf32>):
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c4(%x: tensor<?x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{body has 1 arguments; its operands need 2}}
  %0 = rnn.map inputs(%x) weights(%w) {
  ^bb0(%p: tensor<8xf32>):
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c4_type(%x: tensor<?x8xf32>) {
  // expected-error@+1 {{body argument 0 has type 'tensor<8xf16>'; its operand needs 'tensor<8xf32>'}}
  %0 = rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf16>):
    rnn.yield outputs(%p : tensor<8xf16>) states()
  } : (tensor<?x8xf32>) -> tensor<?x8xf16>
  return
}

// -----

func.func @map_c5(%x: tensor<?x8xf32>) {
  %0 = rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf32>):
    // expected-error@+1 {{gives 1 states; the map has 0}}
    rnn.yield outputs(%p : tensor<8xf32>) states(%p : tensor<8xf32>)
  } : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c5_type(%x: tensor<?x8xf32>) {
  %0 = rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf32>):
    // expected-error@+1 {{gives 'tensor<8xf32>' for outputs of 'tensor<?x8xf16>'}}
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<?x8xf32>) -> tensor<?x8xf16>
  return
}

// -----

func.func @map_c6_width(%x: tensor<?x8xf32>, %t: tensor<4xf32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xf32>, %w: tensor<4xf32>):
    // expected-error@+1 {{gives 'tensor<4xf32>' in a body of width 8}}
    %n = arith.negf %w : tensor<4xf32>
    rnn.yield outputs(%p : tensor<8xf32>) states()
  } : (tensor<?x8xf32>, tensor<4xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c6_slice(%x: tensor<?x8xf32>, %b: tensor<16xf32>) {
  %0 = rnn.map inputs(%x) weights(%b) {
  ^bb0(%p: tensor<8xf32>, %w: tensor<16xf32>):
    // expected-error@+1 {{is not an operation of a map's body}}
    %s = tensor.extract_slice %w[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
    rnn.yield outputs(%s : tensor<8xf32>) states()
  } : (tensor<?x8xf32>, tensor<16xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @map_c6_random(%x: tensor<?x8xf32>) {
  %0 = rnn.map inputs(%x) weights() {
  ^bb0(%p: tensor<8xf32>):
    // expected-error@+1 {{expects parent op 'rnn.recurrence'}}
    %r = rnn.random layer(0) word(0) : tensor<8xi32>
    rnn.yield outputs(%r : tensor<8xi32>) states()
  } : (tensor<?x8xf32>) -> tensor<?x8xi32>
  return
}
