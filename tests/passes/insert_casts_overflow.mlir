// RUN: rung-opt %s --rnn-insert-casts --verify-diagnostics

// expected-warning @below {{weight 'large' reaches 70000, which f16 makes infinite; it ends at 65504}}
rnn.weight @large : tensor<1x2xf32> = dense<[[1.0, -7.0e4]]>
// No f16 beyond, no warning.
rnn.weight @last : tensor<1x2xf32> = dense<[[1.0, -65519.0]]>
func.func @linear(%x: tensor<?x?x2xf32>)
    -> (tensor<?x?x1xf32>, tensor<?x?x1xf32>) {
  %w = rnn.load_weight @large : tensor<1x2xf32>
  %v = rnn.load_weight @last : tensor<1x2xf32>
  %a = rnn.linear %x, %w
      precision(<operand = f16, accumulate = f32, state = f32, round = nearest>)
      : (tensor<?x?x2xf32>, tensor<1x2xf32>) -> tensor<?x?x1xf32>
  %b = rnn.linear %x, %v
      precision(<operand = f16, accumulate = f32, state = f32, round = nearest>)
      : (tensor<?x?x2xf32>, tensor<1x2xf32>) -> tensor<?x?x1xf32>
  return %a, %b : tensor<?x?x1xf32>, tensor<?x?x1xf32>
}
