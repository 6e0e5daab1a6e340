// A minimal GRU that nothing in the compiler knows by name: its gates see the
// input alone, so its body has no product. It runs backwards here, and its
// candidate is positive: x + 1/2 above 0, sigmoid(x) below.
//
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16-mixed \
// RUN:   --rnn-insert-casts --verify-roundtrip | FileCheck %s
// CHECK: rnn.linear {{.*}} : (tensor<?x?x3xf16>, tensor<10x3xf16>, tensor<10xf32>)
// CHECK: rnn.recurrence
// CHECK-NOT: rnn.dot

module attributes {rung.name = "mingru"} {
  rnn.weight @w : tensor<10x3xf32> = dense<
    [[-0.59, 0.35, -0.13],
     [-0.61, -0.79, 0.33],
     [-0.41, -0.00, -0.35],
     [0.74, 0.80, -0.96],
     [-0.60, -0.34, 0.97],
     [0.57, -0.32, -0.57],
     [0.35, 0.68, 0.86],
     [-0.31, 0.76, 0.37],
     [-0.03, 0.97, -0.53],
     [0.45, -0.83, -0.66]]>
  rnn.weight @b : tensor<10xf32> = dense<
    [0.41, -0.29, 0.26, 0.10, 0.34, -0.13, -0.16, -0.21, 0.37, 0.10]>

  func.func @run(
      %x: tensor<?x?x3xf32> {rnn.name = "x"},
      %h0: tensor<?x5xf32> {rnn.name = "h", rnn.state = "h"})
      -> (tensor<?x?x5xf32> {rnn.name = "y"},
          tensor<?x5xf32> {rnn.name = "h", rnn.state = "h"}) {
    %w = rnn.load_weight @w : tensor<10x3xf32>
    %b = rnn.load_weight @b : tensor<10xf32>
    %xp = rnn.linear %x, %w, %b
        : (tensor<?x?x3xf32>, tensor<10x3xf32>, tensor<10xf32>)
        -> tensor<?x?x10xf32>
    %y, %hn = rnn.recurrence direction(reverse) heads(1)
        sequences(%xp) weights() initial(%h0) {
    ^bb0(%px: tensor<10xf32>, %h: tensor<5xf32>):
      %xz = tensor.extract_slice %px[0] [5] [1]
          : tensor<10xf32> to tensor<5xf32>
      %z = rnn.sigmoid %xz : tensor<5xf32>
      %xn = tensor.extract_slice %px[5] [5] [1]
          : tensor<10xf32> to tensor<5xf32>
      %zero = arith.constant dense<0.0> : tensor<5xf32>
      %half = arith.constant dense<0.5> : tensor<5xf32>
      %above = arith.addf %xn, %half : tensor<5xf32>
      %below = rnn.sigmoid %xn : tensor<5xf32>
      %positive = arith.cmpf oge, %xn, %zero : tensor<5xf32>
      %n = arith.select %positive, %above, %below
          : tensor<5xi1>, tensor<5xf32>
      %distance = arith.subf %n, %h : tensor<5xf32>
      %step = arith.mulf %z, %distance : tensor<5xf32>
      %next = arith.addf %h, %step : tensor<5xf32>
      rnn.yield outputs(%next : tensor<5xf32>) states(%next : tensor<5xf32>)
    } : (tensor<?x?x10xf32>, tensor<?x5xf32>)
        -> (tensor<?x?x5xf32>, tensor<?x5xf32>)
    return %y, %hn : tensor<?x?x5xf32>, tensor<?x5xf32>
  }
}
