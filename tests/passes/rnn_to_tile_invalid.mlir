// RUN: rung-opt %s --split-input-file --verify-diagnostics --rnn-to-tile

// What has no kernel says so on the operation that has none.
module {
  rnn.weight @w : tensor<24x5xf32> = dense<0.5>
  rnn.weight @u : tensor<2x12x4xf32> = dense<0.5>
  func.func @gru(%x: tensor<?x?x5xf32>, %h: tensor<?x8xf32>)
      -> tensor<?x?x8xf32> {
    %w = rnn.load_weight @w : tensor<24x5xf32>
    %u = rnn.load_weight @u : tensor<2x12x4xf32>
    // expected-error@+1 {{'rnn.gru' op has no kernel; lower it first}}
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
        reset(after) update(take) direction(forward)
        activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
        : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>,
           tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %y : tensor<?x?x8xf32>
  }
}

// -----

// Rows, sums and states are held in one format.
module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @formats(%x: tensor<?x?x32xf16>, %h0: tensor<?x32xf16>)
      -> tensor<?x?x32xf16> {
    %w = rnn.load_weight @u : tensor<2x16x16xf32>
    %u = rnn.cast %w : tensor<2x16x16xf32> to tensor<2x16x16xf16>
    // expected-error@+1 {{'rnn.recurrence' op has a product of 'f32' in a body of 'f16'; kernels hold rows, products and states in one format}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf16>, %pu: tensor<2x16x16xf16>, %h: tensor<32xf16>):
      %s = rnn.dot %h, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %r = arith.truncf %s : tensor<32xf32> to tensor<32xf16>
      %d = arith.addf %px, %r : tensor<32xf16>
      rnn.yield outputs(%d : tensor<32xf16>) states(%d : tensor<32xf16>)
    } : (tensor<?x?x32xf16>, tensor<2x16x16xf16>, tensor<?x32xf16>)
        -> (tensor<?x?x32xf16>, tensor<?x32xf16>)
    return %y : tensor<?x?x32xf16>
  }
}

// -----

module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @no_strategy(%x: tensor<?x?x32xf32>,
                         %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf32>
    // expected-error@+1 {{'rnn.recurrence' op has no 'rung.strategy' attribute}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0) {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf32>, %h: tensor<32xf32>):
      %s = rnn.dot %h, %pu
          : (tensor<32xf32>, tensor<2x16x16xf32>) -> tensor<32xf32>
      %d = arith.addf %px, %s : tensor<32xf32>
      rnn.yield outputs(%d : tensor<32xf32>) states(%d : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf32>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y : tensor<?x?x32xf32>
  }
}

// -----

module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @other_strategy(%x: tensor<?x?x32xf32>,
                            %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf32>
    // expected-error@+1 {{'rnn.recurrence' op has strategy 'resident-planet'; there are 'step', 'resident-head' and 'resident-grid'}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-planet"} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf32>, %h: tensor<32xf32>):
      %s = rnn.dot %h, %pu
          : (tensor<32xf32>, tensor<2x16x16xf32>) -> tensor<32xf32>
      %d = arith.addf %px, %s : tensor<32xf32>
      rnn.yield outputs(%d : tensor<32xf32>) states(%d : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf32>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y : tensor<?x?x32xf32>
  }
}

// -----

module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @no_tiles(%x: tensor<?x?x32xf32>,
                      %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf32>
    // expected-error@+1 {{'rnn.recurrence' op has no 'rung.tiles' attribute}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "step"} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf32>, %h: tensor<32xf32>):
      %s = rnn.dot %h, %pu
          : (tensor<32xf32>, tensor<2x16x16xf32>) -> tensor<32xf32>
      %d = arith.addf %px, %s : tensor<32xf32>
      rnn.yield outputs(%d : tensor<32xf32>) states(%d : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf32>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y : tensor<?x?x32xf32>
  }
}

// -----

module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @half_a_head(%x: tensor<?x?x32xf32>,
                         %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf32>
    // expected-error@+1 {{'rnn.recurrence' op has heads of 16 hidden units and tiles of 8 columns; strategy 'resident-head' keeps a whole head}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 4 : i64, columns = 8 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [4, 8, 1], subgroups = 1,
                                  subgroup_size = 32, cooperative = false>}} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf32>, %h: tensor<32xf32>):
      %s = rnn.dot %h, %pu
          : (tensor<32xf32>, tensor<2x16x16xf32>) -> tensor<32xf32>
      %d = arith.addf %px, %s : tensor<32xf32>
      rnn.yield outputs(%d : tensor<32xf32>) states(%d : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf32>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y : tensor<?x?x32xf32>
  }
}

// -----

// A step of no product has nothing to wait for.
module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  func.func @no_product(%x: tensor<?x?x32xf32>,
                        %h0: tensor<?x32xf32>)
      -> tensor<?x?x32xf32> {
    %u = rnn.load_weight @u : tensor<2x16x16xf32>
    // expected-error@+1 {{'rnn.recurrence' op has no product in its body; strategy 'step' is for cells that have}}
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0)
        attributes {rung.strategy = "step",
          rung.tiles = {rows = 4 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [4, 8, 1], subgroups = 1,
                                  subgroup_size = 32, cooperative = false>}} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x16x16xf32>, %h: tensor<32xf32>):
      %d = arith.addf %px, %h : tensor<32xf32>
      rnn.yield outputs(%d : tensor<32xf32>) states(%d : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x16x16xf32>, tensor<?x32xf32>)
        -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y : tensor<?x?x32xf32>
  }
}

// -----

func.func @static_input(%x: tensor<?x?x5xf32>, %w: tensor<8x5xf32>)
    -> tensor<?x?x8xf32> {
  // expected-error@-2 {{function 'static_input' has input 1 of type 'tensor<8x5xf32>'; kernels take tensors of [T, B], [T, B, n], [B] or [B, n] with T and B chosen at run time}}
  %y = rnn.linear %x, %w : (tensor<?x?x5xf32>, tensor<8x5xf32>)
      -> tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}

// -----

module {
  rnn.weight @w : tensor<8x5xf32> = dense<0.5>
  func.func @returns_a_weight(%x: tensor<?x?x5xf32>) -> tensor<8x5xf32> {
    // expected-error@-1 {{function 'returns_a_weight' has output 0 of type 'tensor<8x5xf32>'; kernels take}}
    %w = rnn.load_weight @w : tensor<8x5xf32>
    return %w : tensor<8x5xf32>
  }
}

// -----

// expected-error@+1 {{function 'elsewhere' has no body of one block}}
func.func private @elsewhere(%x: tensor<?x?x5xf32>) -> tensor<?x?x5xf32>

// -----

// Products are with weights, which are packed when the model is compiled.
module {
  rnn.weight @w : tensor<8x5xf32> = dense<0.5>
  func.func @computed_weight(%x: tensor<?x?x5xf32>) -> tensor<?x?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x5xf32>
    %t = rnn.activation %w {function = #rnn.activation<tanh>} : tensor<8x5xf32>
    // expected-error@+1 {{'rnn.linear' op has a weight that is not an rnn.weight}}
    %y = rnn.linear %x, %t {rung.tiles = {rows = 4 : i64, columns = 8 : i64,
        depth = 16 : i64, stages = 2 : i64,
        layout = #tile.layout<instruction = [4, 8, 1], subgroups = 1,
                              subgroup_size = 32, cooperative = false>}}
        : (tensor<?x?x5xf32>, tensor<8x5xf32>) -> tensor<?x?x8xf32>
    return %y : tensor<?x?x8xf32>
  }
}
