// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @concat_c1() {
  // expected-error@+1 {{has no inputs}}
  %0 = rnn.concat : () -> tensor<?x?x11xf32>
  return
}

// -----

func.func @concat_c2(%a: tensor<?x?x8xf32>, %b: tensor<?x3xf32>) {
  // expected-error@+1 {{input 1 has type 'tensor<?x3xf32>', result has 'tensor<?x?x11xf32>'; they may differ in the last axis alone}}
  %0 = rnn.concat %a, %b
      : (tensor<?x?x8xf32>, tensor<?x3xf32>) -> tensor<?x?x11xf32>
  return
}

// -----

func.func @concat_c3(%a: tensor<?x?x8xf32>, %b: tensor<?x?x3xf32>) {
  // expected-error@+1 {{result is 12 wide; the inputs sum to 11}}
  %0 = rnn.concat %a, %b
      : (tensor<?x?x8xf32>, tensor<?x?x3xf32>) -> tensor<?x?x12xf32>
  return
}
