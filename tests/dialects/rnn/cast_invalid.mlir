// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @cast_c1(%x: tensor<?x?x8xf32>) {
  // expected-error@+1 {{input has type 'tensor<?x?x8xf32>', result has 'tensor<?x?x4xf16>'; a cast keeps the shape}}
  %0 = rnn.cast %x : tensor<?x?x8xf32> to tensor<?x?x4xf16>
  return
}
