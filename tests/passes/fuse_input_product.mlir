// RUN: rung-opt %s --split-input-file --rnn-fuse-input-product=profile=nvidia-hopper | FileCheck %s
// RUN: rung-opt %s --split-input-file --rnn-fuse-input-product | FileCheck %s --check-prefix=GENERIC

// Each slice of the product's result is a product of the body, and a row of the
// bias. A profile without cooperative matrices multiplies all steps at once.
module {
  rnn.weight @w : tensor<16x5xf16> = dense<0.5>
  rnn.weight @b : tensor<16xf32> = dense<0.25>
  rnn.weight @u : tensor<2x4x4xf16> = dense<0.5>
  // CHECK-LABEL: func.func @fused(
  // CHECK-SAME: %[[X:.*]]: tensor<?x?x5xf16>, %[[H0:.*]]: tensor<?x8xf32>)
  // CHECK: %[[W:.*]] = rnn.load_weight @w
  // CHECK: %[[B:.*]] = rnn.load_weight @b
  // CHECK: %[[U:.*]] = rnn.load_weight @u
  // CHECK-NOT: rnn.linear
  // CHECK: rnn.recurrence direction(forward) heads(2) sequences(%[[X]]) weights(%[[U]], %[[W]], %[[B]]) initial(%[[H0]])
  // CHECK-SAME: kept = "attribute"
  // CHECK-NEXT: ^bb0(%[[PX:.*]]: tensor<5xf16>, %[[PU:.*]]: tensor<2x4x4xf16>, %[[PW:.*]]: tensor<16x5xf16>, %[[PB:.*]]: tensor<16xf32>, %[[H:.*]]: tensor<8xf32>):
  // CHECK: %[[A:.*]] = arith.truncf %[[H]]
  // CHECK: %[[D:.*]] = rnn.dot %[[A]], %[[PU]]
  // CHECK: %[[Z:.*]] = rnn.input_dot %[[PX]], %[[PW]] first(8) : (tensor<5xf16>, tensor<16x5xf16>) -> tensor<8xf32>
  // CHECK: %[[BZ:.*]] = tensor.extract_slice %[[PB]][8] [8] [1]
  // CHECK: %[[XZ:.*]] = arith.addf %[[Z]], %[[BZ]]
  // CHECK: %[[N:.*]] = rnn.input_dot %[[PX]], %[[PW]] first(0)
  // CHECK: %[[BN:.*]] = tensor.extract_slice %[[PB]][0] [8] [1]
  // CHECK: %[[XN:.*]] = arith.addf %[[N]], %[[BN]]
  // CHECK: arith.addf %[[XZ]], %[[D]]
  // GENERIC-LABEL: func.func @fused(
  // GENERIC: rnn.linear
  // GENERIC-NOT: rnn.input_dot
  func.func @fused(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
    %w = rnn.load_weight @w : tensor<16x5xf16>
    %b = rnn.load_weight @b : tensor<16xf32>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xp = rnn.linear %x, %w, %b
        : (tensor<?x?x5xf16>, tensor<16x5xf16>, tensor<16xf32>)
        -> tensor<?x?x16xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0)
        attributes {kept = "attribute"} {
    ^bb0(%px: tensor<16xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
      %xz = tensor.extract_slice %px[8] [8] [1]
          : tensor<16xf32> to tensor<8xf32>
      %xn = tensor.extract_slice %px[0] [8] [1]
          : tensor<16xf32> to tensor<8xf32>
      %z = arith.addf %xz, %d : tensor<8xf32>
      %n = arith.mulf %xn, %z : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x16xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %y, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>
  }
}

// -----

// A row that is taken whole, of a product without a bias; the linear's other
// reader, or a strategy of the author's, keeps it.
module {
  rnn.weight @w : tensor<8x5xf16> = dense<0.5>
  rnn.weight @u : tensor<2x4x4xf16> = dense<0.5>
  // CHECK-LABEL: func.func @whole(
  // CHECK-NOT: rnn.linear
  // CHECK: ^bb0(
  // CHECK-NEXT: %[[P:.*]] = rnn.input_dot %{{.*}}, %{{.*}} first(0)
  // CHECK: arith.addf %[[P]], %{{.*}}
  func.func @whole(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf32>)
      -> tensor<?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x5xf16>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xp = rnn.linear %x, %w
        : (tensor<?x?x5xf16>, tensor<8x5xf16>) -> tensor<?x?x8xf32>
    %y, %hn = rnn.recurrence direction(reverse) heads(2)
        sequences(%xp) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
      %n = arith.addf %px, %d : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x8xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %hn : tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @read_twice(
  // CHECK: rnn.linear
  // CHECK-NOT: rnn.input_dot
  func.func @read_twice(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>) {
    %w = rnn.load_weight @w : tensor<8x5xf16>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xp = rnn.linear %x, %w
        : (tensor<?x?x5xf16>, tensor<8x5xf16>) -> tensor<?x?x8xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
      %n = arith.addf %px, %d : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x8xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %xp, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>
  }

  // CHECK-LABEL: func.func @pinned(
  // CHECK: rnn.linear
  // CHECK-NOT: rnn.input_dot
  func.func @pinned(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf32>)
      -> tensor<?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x5xf16>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xp = rnn.linear %x, %w
        : (tensor<?x?x5xf16>, tensor<8x5xf16>) -> tensor<?x?x8xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0)
        attributes {rung.strategy = "step"} {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
      %n = arith.addf %px, %d : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x8xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %hn : tensor<?x8xf32>
  }
}

// -----

// 160 inputs are too many.
module {
  rnn.weight @w : tensor<8x160xf16> = dense<0.5>
  rnn.weight @u : tensor<2x4x4xf16> = dense<0.5>
  // CHECK-LABEL: func.func @wide(
  // CHECK: rnn.linear
  // CHECK-NOT: rnn.input_dot
  func.func @wide(%x: tensor<?x?x160xf16>, %h0: tensor<?x8xf32>)
      -> tensor<?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x160xf16>
    %u = rnn.load_weight @u : tensor<2x4x4xf16>
    %xp = rnn.linear %x, %w
        : (tensor<?x?x160xf16>, tensor<8x160xf16>) -> tensor<?x?x8xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<8xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
      %n = arith.addf %px, %d : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x8xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %hn : tensor<?x8xf32>
  }
}
