// A long short-term memory cell that nothing in the compiler knows by name: two
// states, two heads, four gates i, f, g, o, and row lengths.
//
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16-mixed \
// RUN:   --rnn-insert-casts --verify-roundtrip | FileCheck %s
// CHECK-COUNT-4: rnn.dot {{.*}} : (tensor<6xf16>, tensor<2x3x3xf16>) -> tensor<6xf32>

module attributes {rung.name = "lstm"} {
  rnn.weight @w : tensor<24x4xf32> = dense<
    [[-0.59, 0.56, 0.42, -0.39],
     [-0.01, -0.08, 0.24, 0.46],
     [-0.65, -0.75, 0.54, -0.11],
     [0.42, -0.80, -0.09, 0.35],
     [-0.43, 0.71, 0.64, -0.75],
     [-0.76, 0.07, 0.70, -0.19],
     [-0.45, -0.12, -0.75, -0.45],
     [-0.10, -0.01, -0.43, -0.43],
     [-0.45, -0.06, -0.34, -0.77],
     [0.54, 0.09, 0.23, -0.50],
     [0.79, 0.58, -0.61, -0.27],
     [0.35, 0.34, 0.70, -0.12],
     [0.53, 0.27, -0.31, 0.14],
     [0.61, 0.55, 0.01, 0.14],
     [-0.74, -0.41, 0.48, -0.14],
     [-0.52, 0.08, 0.32, 0.28],
     [-0.20, -0.10, 0.01, 0.45],
     [0.03, -0.17, -0.02, -0.75],
     [-0.73, 0.33, 0.77, 0.15],
     [-0.17, -0.53, 0.00, 0.77],
     [0.43, 0.06, 0.58, -0.43],
     [0.02, 0.72, 0.12, -0.07],
     [-0.37, 0.08, 0.73, -0.79],
     [0.45, 0.51, 0.62, 0.38]]>
  rnn.weight @b : tensor<24xf32> = dense<
    [0.31, 0.02, 0.06, -0.07, -0.44, 0.37, 0.07, -0.30, 0.00, -0.02,
     -0.14, -0.15, 0.04, 0.12, 0.11, -0.04, -0.47, -0.27, -0.32, 0.08,
     0.36, 0.30, 0.30, 0.32]>
  rnn.weight @u : tensor<2x12x3xf32> = dense<
    [[[-0.29, 0.41, 0.21],
      [-0.50, -0.58, -0.58],
      [0.31, -0.30, -0.47],
      [0.15, -0.19, -0.52],
      [-0.41, 0.03, -0.40],
      [-0.27, 0.25, -0.05],
      [-0.21, -0.03, -0.57],
      [-0.14, -0.09, -0.37],
      [-0.47, 0.48, 0.01],
      [-0.35, 0.13, 0.38],
      [-0.58, -0.58, -0.42],
      [0.26, -0.41, 0.25]],
     [[0.21, 0.05, -0.34],
      [0.57, 0.36, 0.02],
      [-0.33, 0.18, -0.13],
      [0.09, -0.21, 0.16],
      [-0.53, -0.24, 0.56],
      [0.45, -0.23, 0.43],
      [-0.23, 0.53, 0.29],
      [-0.10, -0.30, -0.59],
      [0.45, -0.55, 0.38],
      [0.55, 0.08, -0.39],
      [0.44, 0.57, 0.24],
      [0.01, -0.15, -0.18]]]>

  func.func @run(
      %x: tensor<?x?x4xf32> {rnn.name = "x"},
      %lengths: tensor<?xi32> {rnn.name = "lengths"},
      %h0: tensor<?x6xf32> {rnn.name = "h", rnn.state = "h"},
      %c0: tensor<?x6xf32> {rnn.name = "c", rnn.state = "c"})
      -> (tensor<?x?x6xf32> {rnn.name = "y"},
          tensor<?x6xf32> {rnn.name = "h", rnn.state = "h"},
          tensor<?x6xf32> {rnn.name = "c", rnn.state = "c"}) {
    %w = rnn.load_weight @w : tensor<24x4xf32>
    %b = rnn.load_weight @b : tensor<24xf32>
    %u = rnn.load_weight @u : tensor<2x12x3xf32>
    %xp = rnn.linear %x, %w, %b
        : (tensor<?x?x4xf32>, tensor<24x4xf32>, tensor<24xf32>)
        -> tensor<?x?x24xf32>
    %y, %hn:2 = rnn.recurrence direction(forward) heads(2)
        sequences(%xp) weights(%u) initial(%h0, %c0) lengths(%lengths) {
    ^bb0(%px: tensor<24xf32>, %pu: tensor<2x12x3xf32>, %h: tensor<6xf32>,
         %c: tensor<6xf32>):
      %xi = tensor.extract_slice %px[0] [6] [1]
          : tensor<24xf32> to tensor<6xf32>
      %ui = tensor.extract_slice %pu[0, 0, 0] [2, 3, 3] [1, 1, 1]
          : tensor<2x12x3xf32> to tensor<2x3x3xf32>
      %di = rnn.dot %h, %ui
          : (tensor<6xf32>, tensor<2x3x3xf32>) -> tensor<6xf32>
      %ai = arith.addf %xi, %di : tensor<6xf32>
      %i = rnn.sigmoid %ai : tensor<6xf32>
      %xf = tensor.extract_slice %px[6] [6] [1]
          : tensor<24xf32> to tensor<6xf32>
      %uf = tensor.extract_slice %pu[0, 3, 0] [2, 3, 3] [1, 1, 1]
          : tensor<2x12x3xf32> to tensor<2x3x3xf32>
      %df = rnn.dot %h, %uf
          : (tensor<6xf32>, tensor<2x3x3xf32>) -> tensor<6xf32>
      %af = arith.addf %xf, %df : tensor<6xf32>
      %f = rnn.sigmoid %af : tensor<6xf32>
      %xg = tensor.extract_slice %px[12] [6] [1]
          : tensor<24xf32> to tensor<6xf32>
      %ug = tensor.extract_slice %pu[0, 6, 0] [2, 3, 3] [1, 1, 1]
          : tensor<2x12x3xf32> to tensor<2x3x3xf32>
      %dg = rnn.dot %h, %ug
          : (tensor<6xf32>, tensor<2x3x3xf32>) -> tensor<6xf32>
      %ag = arith.addf %xg, %dg : tensor<6xf32>
      %g = math.tanh %ag : tensor<6xf32>
      %xo = tensor.extract_slice %px[18] [6] [1]
          : tensor<24xf32> to tensor<6xf32>
      %uo = tensor.extract_slice %pu[0, 9, 0] [2, 3, 3] [1, 1, 1]
          : tensor<2x12x3xf32> to tensor<2x3x3xf32>
      %do = rnn.dot %h, %uo
          : (tensor<6xf32>, tensor<2x3x3xf32>) -> tensor<6xf32>
      %ao = arith.addf %xo, %do : tensor<6xf32>
      %o = rnn.sigmoid %ao : tensor<6xf32>
      %kept = arith.mulf %f, %c : tensor<6xf32>
      %taken = arith.mulf %i, %g : tensor<6xf32>
      %cell = arith.addf %kept, %taken : tensor<6xf32>
      %squashed = math.tanh %cell : tensor<6xf32>
      %next = arith.mulf %o, %squashed : tensor<6xf32>
      rnn.yield outputs(%next : tensor<6xf32>)
          states(%next, %cell : tensor<6xf32>, tensor<6xf32>)
    } : (tensor<?x?x24xf32>, tensor<2x12x3xf32>, tensor<?x6xf32>,
         tensor<?x6xf32>, tensor<?xi32>)
        -> (tensor<?x?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>)
    return %y, %hn#0, %hn#1
        : tensor<?x?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  }
}
