// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @embedding_c1(%ids: tensor<?x?xi32>, %table: tensor<0x64xf32>) {
  // expected-error@+1 {{table has type 'tensor<0x64xf32>'; it needs rank 2 and at least one row}}
  %0 = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<0x64xf32>) -> tensor<?x?x64xf32>
  return
}

// -----

func.func @embedding_c2(%ids: tensor<?x?xi32>, %table: tensor<9x64xf32>) {
  // expected-error@+1 {{result has type 'tensor<?x?x32xf32>'; ids of 'tensor<?x?xi32>' in a table of 'tensor<9x64xf32>' give 'tensor<?x?x64xf32>'}}
  %0 = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<9x64xf32>) -> tensor<?x?x32xf32>
  return
}

// -----

func.func @embedding_c3(%ids: tensor<?x?xi32>, %table: tensor<9x64xf16>) {
  // expected-error@+1 {{result has elements of 'f32', table of 'f16'}}
  %0 = rnn.embedding %ids, %table
      : (tensor<?x?xi32>, tensor<9x64xf16>) -> tensor<?x?x64xf32>
  return
}
