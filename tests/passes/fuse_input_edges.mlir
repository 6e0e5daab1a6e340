// RUN: rung-opt %s --split-input-file --rnn-fuse-input-product=profile=nvidia-hopper | FileCheck %s

// What rounds the gates to f16 goes in with the product, slice by slice, and
// what makes f32 of the output with it; the sum keeps its format. A reader that
// only counts steps counts those of the input.
module {
  rnn.weight @w : tensor<16x5xf16> = dense<0.5>
  rnn.weight @b : tensor<16xf32> = dense<0.25>
  rnn.weight @u : tensor<2x4x4xf16> = dense<0.5>
  // CHECK-LABEL: func.func @rounded(
  // CHECK-SAME: %[[X:.*]]: tensor<?x?x5xf16>,
  // CHECK-NOT: rnn.cast
  // CHECK: %[[Y:.*]], %[[HN:.*]] = rnn.recurrence {{.*}} sequences(%[[X]])
  // CHECK: %[[D:.*]] = rnn.input_dot %{{.*}}, %{{.*}} first(8) : (tensor<5xf16>, tensor<16x5xf16>) -> tensor<8xf32>
  // CHECK: %[[S:.*]] = arith.addf %[[D]], %{{.*}} : tensor<8xf32>
  // CHECK: %[[XZ:.*]] = arith.truncf %[[S]] : tensor<8xf32> to tensor<8xf16>
  // CHECK: %[[N:.*]] = arith.addf %[[XZ]], %{{.*}} : tensor<8xf16>
  // CHECK: %[[O:.*]] = arith.extf %[[N]] : tensor<8xf16> to tensor<8xf32>
  // CHECK: rnn.yield outputs(%[[O]] : tensor<8xf32>) states(%[[N]] : tensor<8xf16>)
  // CHECK: rnn.advance_random %{{.*}}, %[[X]]
  // CHECK: return %[[Y]], %[[HN]]
  func.func @rounded(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf16>, %r: tensor<?x3xi32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf16>, tensor<?x3xi32>) {
    %w = rnn.load_weight @w : tensor<16x5xf16>
    %b = rnn.load_weight @b : tensor<16xf32>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xl = rnn.linear %x, %w, %b
        : (tensor<?x?x5xf16>, tensor<16x5xf16>, tensor<16xf32>)
        -> tensor<?x?x16xf32>
    %xp = rnn.cast %xl : tensor<?x?x16xf32> to tensor<?x?x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<16xf16>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf16>):
      %d = rnn.dot %h, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
      %xz = tensor.extract_slice %px[8] [8] [1]
          : tensor<16xf16> to tensor<8xf16>
      %n = arith.addf %xz, %d : tensor<8xf16>
      rnn.yield outputs(%n : tensor<8xf16>) states(%n : tensor<8xf16>)
    } : (tensor<?x?x16xf16>, tensor<2x4x4xf16>, tensor<?x8xf16>)
        -> (tensor<?x?x8xf16>, tensor<?x8xf16>)
    %yf = rnn.cast %y : tensor<?x?x8xf16> to tensor<?x?x8xf32>
    %rn = rnn.advance_random %r, %xp : tensor<?x3xi32>, tensor<?x?x16xf16>
    return %yf, %hn, %rn : tensor<?x?x8xf32>, tensor<?x8xf16>, tensor<?x3xi32>
  }
}

// -----

// Products of two bytes and the map that joins them: both inputs become
// sequences. The map of the output may hold floats, one of the input may not.
module {
  rnn.weight @w : tensor<8x5xi8> = dense<3>
  rnn.weight @f : tensor<8xi32> = dense<7>
  rnn.weight @u : tensor<2x4x4xi8> = dense<1>
  // CHECK-LABEL: func.func @integers(
  // CHECK-SAME: %[[A:.*]]: tensor<?x?x5xi8>, %[[B:.*]]: tensor<?x?x5xi8>,
  // CHECK-NOT: rnn.linear
  // CHECK: rnn.recurrence {{.*}} sequences(%[[A]], %[[B]])
  // CHECK-NEXT: ^bb0(%[[PA:.*]]: tensor<5xi8>, %[[PB:.*]]: tensor<5xi8>,
  // CHECK: %[[H:.*]] = rnn.input_dot %[[PA]], %[[PW:.*]] first(0)
  // CHECK: %[[L:.*]] = rnn.input_dot %[[PB]], %[[PW]] first(0)
  // CHECK: %[[F:.*]] = tensor.extract_slice %{{.*}}[0] [8] [1] : tensor<8xi32>
  // CHECK: arith.shli %[[H]]
  // CHECK: rnn.requantize %{{.*}}, %[[F]] shift(9)
  // CHECK: arith.sitofp
  // CHECK: rnn.yield outputs(%{{.*}} : tensor<8xf32>)
  // CHECK-NOT: rnn.map
  func.func @integers(%a: tensor<?x?x5xi8>, %c: tensor<?x?x5xi8>, %h0: tensor<?x8xi32>)
      -> tensor<?x?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x5xi8>
    %f = rnn.load_weight @f : tensor<8xi32>
    %u = rnn.load_weight @u : tensor<2x4x4xi8>
    %high = rnn.linear %a, %w : (tensor<?x?x5xi8>, tensor<8x5xi8>) -> tensor<?x?x8xi32>
    %low = rnn.linear %c, %w : (tensor<?x?x5xi8>, tensor<8x5xi8>) -> tensor<?x?x8xi32>
    %xp = rnn.map inputs(%high, %low) weights(%f) {
    ^bb0(%p: tensor<8xi32>, %q: tensor<8xi32>, %pf: tensor<8xi32>):
      %eight = arith.constant dense<8> : tensor<8xi32>
      %s = arith.shli %p, %eight : tensor<8xi32>
      %t = arith.addi %s, %q : tensor<8xi32>
      %z = rnn.requantize %t, %pf shift(9) : tensor<8xi32>
      rnn.yield outputs(%z : tensor<8xi32>) states()
    } : (tensor<?x?x8xi32>, tensor<?x?x8xi32>, tensor<8xi32>) -> tensor<?x?x8xi32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<8xi32>, %pu: tensor<2x4x4xi8>, %h: tensor<8xi32>):
      %n = arith.trunci %h : tensor<8xi32> to tensor<8xi8>
      %d = rnn.dot %n, %pu
          : (tensor<8xi8>, tensor<2x4x4xi8>) -> tensor<8xi32>
      %s = arith.addi %px, %d : tensor<8xi32>
      rnn.yield outputs(%s : tensor<8xi32>) states(%s : tensor<8xi32>)
    } : (tensor<?x?x8xi32>, tensor<2x4x4xi8>, tensor<?x8xi32>)
        -> (tensor<?x?x8xi32>, tensor<?x8xi32>)
    %yf = rnn.map inputs(%y) weights() {
    ^bb0(%p: tensor<8xi32>):
      %g = arith.sitofp %p : tensor<8xi32> to tensor<8xf32>
      rnn.yield outputs(%g : tensor<8xf32>) states()
    } : (tensor<?x?x8xi32>) -> tensor<?x?x8xf32>
    return %yf : tensor<?x?x8xf32>
  }
}
