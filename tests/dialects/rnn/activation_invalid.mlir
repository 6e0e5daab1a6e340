// RUN: rung-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{activation 'swish' is unknown}}
func.func private @unknown() attributes {a = #rnn.activation<swish>}

// -----

// expected-error@+1 {{activation 'tanh' takes no alpha}}
func.func private @no_alpha() attributes {a = #rnn.activation<tanh, alpha = 1.0>}

// -----

// expected-error@+1 {{activation 'elu' takes no beta}}
func.func private @no_beta() attributes {a = #rnn.activation<elu, beta = 1.0>}

// -----

// expected-error@+1 {{parameter 'gamma' is neither 'alpha' nor 'beta'}}
func.func private @gamma() attributes {a = #rnn.activation<affine, gamma = 1.0>}

// -----

// expected-error@+1 {{parameter 'alpha' is given twice}}
func.func private @twice() attributes {a = #rnn.activation<affine, alpha = 1.0, alpha = 2.0>}

// -----

// expected-error@+1 {{activation 'affine' has a parameter that is not finite}}
func.func private @infinite() attributes {a = #rnn.activation<affine, alpha = 1.0e999>}
