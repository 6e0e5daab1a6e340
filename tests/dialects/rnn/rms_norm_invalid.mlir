// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @rms_norm_c1(%x: tensor<?x?x64xf32>, %s: tensor<32xf32>) {
  // expected-error@+1 {{scale has type 'tensor<32xf32>'; an input of width 64 needs as many elements}}
  %0 = rnn.rms_norm %x, %s : tensor<?x?x64xf32>, tensor<32xf32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<?x?x64xf32>, %s: tensor<64xf16>) {
  // expected-error@+1 {{scale has elements of 'f16', input of 'f32'}}
  %0 = rnn.rms_norm %x, %s : tensor<?x?x64xf32>, tensor<64xf16>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<?x?x64xf32>, %s: tensor<64xf32>) {
  // expected-error@+1 {{epsilon is -1.000000e+00; it must be finite and not negative}}
  %0 = rnn.rms_norm %x, %s {epsilon = -1.0 : f64}
      : tensor<?x?x64xf32>, tensor<64xf32>
  return
}
