// RUN: rung-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{value has type 'vector<2xf32>', which is no ranked tensor}}
"rnn.weight"() {sym_name = "weight_c1", value = dense<0.0> : vector<2xf32>} : () -> ()

// -----

// expected-error@+1 {{value has elements of 'i16'; a weight is of f32, f16, bf16, i8 or i32}}
rnn.weight @weight_c1_element : tensor<2xi16> = dense<1>

// -----

// expected-error@+1 {{value of type 'tensor<0x4xf32>' has no elements}}
rnn.weight @weight_c1_empty : tensor<0x4xf32> = dense<>

// -----

// expected-error@+1 {{value of a weight is no tensor}}
rnn.weight @weight_text : tensor<2xf32> = "text"

// -----

func.func @load_weight_c1() {
  // expected-error@+1 {{@absent names no rnn.weight}}
  %0 = rnn.load_weight @absent : tensor<2xf32>
  return
}

// -----

func.func @load_weight_c1_function() {
  // expected-error@+1 {{@load_weight_c1_function names no rnn.weight}}
  %0 = rnn.load_weight @load_weight_c1_function : tensor<2xf32>
  return
}

// -----

// expected-note@+1 {{weight is defined here}}
rnn.weight @w : tensor<2xf32> = dense<0.0>
func.func @load_weight_c2() {
  // expected-error@+1 {{result has type 'tensor<3xf32>'; @w has 'tensor<2xf32>'}}
  %0 = rnn.load_weight @w : tensor<3xf32>
  return
}
