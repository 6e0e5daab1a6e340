// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @linear_c1(%x: tensor<?x?x64xf32>, %w: tensor<8x63xf32>) {
  // expected-error@+1 {{weight has type 'tensor<8x63xf32>'; an input of width 64 needs a matrix of as many columns}}
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xf32>, tensor<8x63xf32>) -> tensor<?x?x8xf32>
  return
}

// -----

func.func @linear_c2(%x: tensor<?x?x64xf32>, %w: tensor<8x64xf32>,
                     %b: tensor<9xf32>) {
  // expected-error@+1 {{bias has type 'tensor<9xf32>'; a weight of 8 rows needs as many elements}}
  %0 = rnn.linear %x, %w, %b
      : (tensor<?x?x64xf32>, tensor<8x64xf32>, tensor<9xf32>)
      -> tensor<?x?x8xf32>
  return
}

// -----

func.func @linear_c3(%x: tensor<?x?x64xf32>, %w: tensor<8x64xf32>) {
  // expected-error@+1 {{result has type 'tensor<?x?x64xf32>'; an input of 'tensor<?x?x64xf32>' and a weight of 8 rows give 'tensor<?x?x8xf32>'}}
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xf32>, tensor<8x64xf32>) -> tensor<?x?x64xf32>
  return
}

// -----

func.func @linear_c4(%x: tensor<?x?x64xf16>, %w: tensor<8x64xbf16>) {
  // expected-error@+1 {{input has elements of 'f16', weight of 'bf16'}}
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xf16>, tensor<8x64xbf16>) -> tensor<?x?x8xf32>
  return
}

// -----

func.func @linear_c5(%x: tensor<?x?x64xf16>, %w: tensor<8x64xf16>,
                     %b: tensor<8xf16>) {
  // expected-error@+1 {{bias has elements of 'f16', result of 'f32'}}
  %0 = rnn.linear %x, %w, %b
      : (tensor<?x?x64xf16>, tensor<8x64xf16>, tensor<8xf16>)
      -> tensor<?x?x8xf32>
  return
}

// -----

func.func @linear_c6(%x: tensor<?x?x64xbf16>, %w: tensor<8x64xbf16>) {
  // expected-error@+1 {{sums products of 'bf16' in 'f16'; it must be f32 in f32, f16 in f32 or f16, bf16 in f32 or i8 in i32}}
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xbf16>, tensor<8x64xbf16>) -> tensor<?x?x8xf16>
  return
}

// -----

func.func @linear_c6_integer(%x: tensor<?x?x64xi32>, %w: tensor<8x64xi32>) {
  // expected-error@+1 {{sums products of 'i32' in 'i32'}}
  %0 = rnn.linear %x, %w
      : (tensor<?x?x64xi32>, tensor<8x64xi32>) -> tensor<?x?x8xi32>
  return
}
