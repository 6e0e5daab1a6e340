// RUN: rung-opt %s --rnn-select-strategy=profile=lavapipe | FileCheck %s --check-prefixes=CHECK,LAVAPIPE
// RUN: rung-opt %s --rnn-select-strategy=profile=nvidia-hopper | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: rung-opt %s --rnn-select-strategy | FileCheck %s --check-prefixes=CHECK,GENERIC

// A narrow head fits one workgroup of every profile.
// CHECK-LABEL: func.func @narrow(
func.func @narrow(%x: tensor<?x?x32xf32>, %u: tensor<2x16x16xf16>,
                  %h0: tensor<?x32xf32>)
    -> (tensor<?x?x32xf32>, tensor<?x32xf32>) {
  // CHECK: rnn.recurrence
  // CHECK-SAME: rung.strategy = "resident-head"
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%u) initial(%h0) {
  ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf16>, %h: tensor<32xf32>):
    %a = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
    %d = rnn.dot %a, %pu
        : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
    %n = arith.addf %px, %d : tensor<32xf32>
    rnn.yield outputs(%n : tensor<32xf32>) states(%n : tensor<32xf32>)
  } : (tensor<?x?x32xf32>, tensor<2x16x16xf16>, tensor<?x32xf32>)
      -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
  return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
}

// 256 units of one product: a row of each kind fits shared memory once, 8 batch
// rows on lavapipe and 16 on hopper.
// CHECK-LABEL: func.func @wide(
func.func @wide(%x: tensor<?x?x256xf32>, %u: tensor<1x256x256xf16>,
                %h0: tensor<?x256xf32>)
    -> (tensor<?x?x256xf32>, tensor<?x256xf32>) {
  // CHECK: rnn.recurrence
  // LAVAPIPE-SAME: rung.strategy = "resident-head"
  // HOPPER-SAME: rung.strategy = "resident-head"
  // GENERIC-SAME: rung.strategy = "resident-head"
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0) {
  ^bb0(%px: tensor<256xf32>, %pu: tensor<1x256x256xf16>, %h: tensor<256xf32>):
    %a = arith.truncf %h : tensor<256xf32> to tensor<256xf16>
    %d = rnn.dot %a, %pu
        : (tensor<256xf16>, tensor<1x256x256xf16>) -> tensor<256xf32>
    %n = arith.addf %px, %d : tensor<256xf32>
    rnn.yield outputs(%n : tensor<256xf32>) states(%n : tensor<256xf32>)
  } : (tensor<?x?x256xf32>, tensor<1x256x256xf16>, tensor<?x256xf32>)
      -> (tensor<?x?x256xf32>, tensor<?x256xf32>)
  return %y, %hn : tensor<?x?x256xf32>, tensor<?x256xf32>
}

// 2048 units are too wide for every workgroup, but not for all of hopper's.
// CHECK-LABEL: func.func @dense(
func.func @dense(%x: tensor<?x?x2048xf32>, %u: tensor<1x2048x2048xf16>,
                 %h0: tensor<?x2048xf32>)
    -> (tensor<?x?x2048xf32>, tensor<?x2048xf32>) {
  // CHECK: rnn.recurrence
  // LAVAPIPE-SAME: rung.strategy = "step"
  // HOPPER-SAME: rung.strategy = "resident-grid"
  // GENERIC-SAME: rung.strategy = "step"
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0) {
  ^bb0(%px: tensor<2048xf32>, %pu: tensor<1x2048x2048xf16>,
       %h: tensor<2048xf32>):
    %a = arith.truncf %h : tensor<2048xf32> to tensor<2048xf16>
    %d = rnn.dot %a, %pu
        : (tensor<2048xf16>, tensor<1x2048x2048xf16>) -> tensor<2048xf32>
    %n = arith.addf %px, %d : tensor<2048xf32>
    rnn.yield outputs(%n : tensor<2048xf32>) states(%n : tensor<2048xf32>)
  } : (tensor<?x?x2048xf32>, tensor<1x2048x2048xf16>, tensor<?x2048xf32>)
      -> (tensor<?x?x2048xf32>, tensor<?x2048xf32>)
  return %y, %hn : tensor<?x?x2048xf32>, tensor<?x2048xf32>
}

// Without products columns know nothing of each other: any width is resident.
// CHECK-LABEL: func.func @no_product(
func.func @no_product(%x: tensor<?x?x2048xf32>, %h0: tensor<?x2048xf32>)
    -> (tensor<?x?x2048xf32>, tensor<?x2048xf32>) {
  // CHECK: rnn.recurrence
  // CHECK-SAME: rung.strategy = "resident-head"
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights() initial(%h0) {
  ^bb0(%px: tensor<2048xf32>, %h: tensor<2048xf32>):
    %n = arith.addf %px, %h : tensor<2048xf32>
    rnn.yield outputs(%n : tensor<2048xf32>) states(%n : tensor<2048xf32>)
  } : (tensor<?x?x2048xf32>, tensor<?x2048xf32>)
      -> (tensor<?x?x2048xf32>, tensor<?x2048xf32>)
  return %y, %hn : tensor<?x?x2048xf32>, tensor<?x2048xf32>
}

// The author's choice stays.
// CHECK-LABEL: func.func @pinned(
func.func @pinned(%x: tensor<?x?x32xf32>, %u: tensor<2x16x16xf16>,
                  %h0: tensor<?x32xf32>)
    -> (tensor<?x?x32xf32>, tensor<?x32xf32>) {
  // CHECK: rnn.recurrence
  // CHECK-SAME: rung.strategy = "step"
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "step"} {
  ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf16>, %h: tensor<32xf32>):
    %a = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
    %d = rnn.dot %a, %pu
        : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
    %n = arith.addf %px, %d : tensor<32xf32>
    rnn.yield outputs(%n : tensor<32xf32>) states(%n : tensor<32xf32>)
  } : (tensor<?x?x32xf32>, tensor<2x16x16xf16>, tensor<?x32xf32>)
      -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
  return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
}
