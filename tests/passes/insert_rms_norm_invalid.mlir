// RUN: rung-opt %s --rnn-insert-rms-norm=layers=second,all --split-input-file --verify-diagnostics
// RUN: echo 'module {}' | not rung-opt --rnn-insert-rms-norm=epsilon=-1 2>&1 | FileCheck %s --check-prefix=EPSILON
// EPSILON: error: epsilon is -1; rnn.rms_norm takes a finite one that is not negative

// expected-error@+1 {{layer 'second' is none of the recurrent layers; there are none}}
module {}

// -----

// expected-error@+1 {{layer 'second' is none of the recurrent layers, 'first', 'third'}}
module {
  func.func @names(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>) {
    %h1 = rnn.recurrence direction(forward) heads(1) sequences(%x)
        weights() initial(%h0) {
    ^bb0(%px: tensor<2xf32>, %h: tensor<2xf32>):
      rnn.yield outputs() states(%px : tensor<2xf32>)
    } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32> loc("first")
    %h2 = rnn.recurrence direction(forward) heads(1) sequences(%x)
        weights() initial(%h1) {
    ^bb0(%px: tensor<2xf32>, %h: tensor<2xf32>):
      rnn.yield outputs() states(%px : tensor<2xf32>)
    } : (tensor<?x?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32> loc("third")
    return
  }
}

// -----

rnn.weight @second : tensor<1x2x2xf32> = dense<0.5>
func.func @no_product(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>) {
  %u = rnn.load_weight @second : tensor<1x2x2xf32>
  // expected-error@+1 {{layer 'second' takes a sequence that is no product of an input; there is no place for a norm before it}}
  %h1 = rnn.recurrence direction(forward) heads(1) sequences(%x)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2xf32>, %pu: tensor<1x2x2xf32>, %h: tensor<2xf32>):
    %d = rnn.dot %h, %pu
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d : tensor<2xf32>)
  } : (tensor<?x?x2xf32>, tensor<1x2x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return
}

// -----

rnn.weight @w : tensor<6x2xf32> = dense<0.5>
rnn.weight @second : tensor<1x6x2xf32> = dense<0.5>
func.func @rounded(%x: tensor<?x?x2xf32>, %h0: tensor<?x2xf32>) {
  %w = rnn.load_weight @w : tensor<6x2xf32>
  %u = rnn.load_weight @second : tensor<1x6x2xf32>
  %x16 = rnn.cast %x : tensor<?x?x2xf32> to tensor<?x?x2xf16>
  %w16 = rnn.cast %w : tensor<6x2xf32> to tensor<6x2xf16>
  %p = rnn.linear %x16, %w16
      : (tensor<?x?x2xf16>, tensor<6x2xf16>) -> tensor<?x?x6xf32>
  // expected-error@+1 {{layer 'second' has an input of 'f16'; rnn-insert-rms-norm goes before the passes that round or convert inputs}}
  %h1 = rnn.recurrence direction(forward) heads(1) sequences(%p)
      weights(%u) initial(%h0) {
  ^bb0(%px: tensor<6xf32>, %pu: tensor<1x6x2xf32>, %h: tensor<2xf32>):
    %u0 = tensor.extract_slice %pu[0, 0, 0] [1, 2, 2] [1, 1, 1]
        : tensor<1x6x2xf32> to tensor<1x2x2xf32>
    %d = rnn.dot %h, %u0
        : (tensor<2xf32>, tensor<1x2x2xf32>) -> tensor<2xf32>
    rnn.yield outputs() states(%d : tensor<2xf32>)
  } : (tensor<?x?x6xf32>, tensor<1x6x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return
}
