// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @argmax_c1(%x: tensor<?x?x101xf32>) {
  // expected-error@+1 {{result has type 'tensor<?xi32>'; an input of 'tensor<?x?x101xf32>' gives 'tensor<?x?xi32>'}}
  %0 = rnn.argmax %x : tensor<?x?x101xf32> -> tensor<?xi32>
  return
}

// -----

func.func @argmax_c2(%x: tensor<?x?x0xf32>) {
  // expected-error@+1 {{input of type 'tensor<?x?x0xf32>' has nothing to compare}}
  %0 = rnn.argmax %x : tensor<?x?x0xf32> -> tensor<?x?xi32>
  return
}
