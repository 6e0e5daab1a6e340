// RUN: rung-opt %s --split-input-file --verify-diagnostics --rnn-verify-tiles=profile=lavapipe

// Tiles that the profile can run stay as they are, without a word.
func.func @fits(%x: tensor<?x?x5xf16>, %w: tensor<96x5xf16>)
    -> tensor<?x?x96xf32> {
  %y = rnn.linear %x, %w {rung.tiles = {rows = 32 : i64, columns = 64 : i64,
      depth = 32 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 4,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<96x5xf16>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// -----

func.func @too_many_threads(%x: tensor<?x?x5xf16>, %w: tensor<2048x5xf16>)
    -> tensor<?x?x2048xf32> {
  // expected-error@+1 {{'rnn.linear' op workgroup of 2048 threads exceeds the 1024 of profile 'lavapipe'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 8 : i64, columns = 2048 : i64,
      depth = 8 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 256,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<2048x5xf16>) -> tensor<?x?x2048xf32>
  return %y : tensor<?x?x2048xf32>
}

// -----

// 2 * 128 rows of 32 + 8 f16, and 128 rows of 128 + 4 f32.
func.func @too_much_shared_memory(%x: tensor<?x?x5xf16>, %w: tensor<128x5xf16>)
    -> tensor<?x?x128xf32> {
  // expected-error@+1 {{'rnn.linear' op kernel needs 88064 bytes of shared memory; profile 'lavapipe' has 32768}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 128 : i64, columns = 128 : i64,
      depth = 32 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 4,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<128x5xf16>) -> tensor<?x?x128xf32>
  return %y : tensor<?x?x128xf32>
}

// -----

func.func @shape_not_listed(%x: tensor<?x?x5xf16>, %w: tensor<16x5xf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op tile 16x16x16 f16 x f16 + f32 -> f32 is not among the 3 cooperative shapes of profile 'lavapipe'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 16 : i64, columns = 16 : i64,
      depth = 16 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [16, 16, 16], subgroups = 1,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}

// -----

// The shape is there, for f16 alone.
func.func @format_not_listed(%x: tensor<?x?x5xbf16>, %w: tensor<16x5xbf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op tile 8x8x8 bf16 x bf16 + f32 -> f32 is not among the 3 cooperative shapes of profile 'lavapipe'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 8 : i64, columns = 16 : i64,
      depth = 8 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xbf16>, tensor<16x5xbf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}

// -----

// Two of each buffer: outputs of 8 rows of 256 + 4 f32, operands of 256 + 8 f16;
// one more of f32, for a slice, and 2 rows of 8 + 4 flags.
func.func @recurrence(%x: tensor<?x?x256xf32>, %u: tensor<1x256x256xf16>,
                      %h0: tensor<?x256xf32>) -> tensor<?x?x256xf32> {
  // expected-error@+1 {{'rnn.recurrence' op kernel needs 33504 bytes of shared memory; profile 'lavapipe' has 32768}}
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "resident-head",
        rung.tiles = {rows = 8 : i64, columns = 256 : i64, depth = 256 : i64,
          stages = 2 : i64,
          layout = #tile.layout<instruction = [8, 8, 8], subgroups = 32,
                                subgroup_size = 8, cooperative = true>}} {
  ^bb0(%px: tensor<256xf32>, %pu: tensor<1x256x256xf16>, %h: tensor<256xf32>):
    %a = arith.truncf %h : tensor<256xf32> to tensor<256xf16>
    %d = rnn.dot %a, %pu
        : (tensor<256xf16>, tensor<1x256x256xf16>) -> tensor<256xf32>
    %n = arith.addf %px, %d : tensor<256xf32>
    rnn.yield outputs(%n : tensor<256xf32>) states(%n : tensor<256xf32>)
  } : (tensor<?x?x256xf32>, tensor<1x256x256xf16>, tensor<?x256xf32>)
      -> (tensor<?x?x256xf32>, tensor<?x256xf32>)
  return %y : tensor<?x?x256xf32>
}

// -----

func.func @subgroup_size(%x: tensor<?x?x5xf16>, %w: tensor<16x5xf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op subgroups of 32 threads are not the 8 of profile 'lavapipe'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 8 : i64, columns = 16 : i64,
      depth = 8 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                            subgroup_size = 32, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}

// -----

func.func @no_tiles(%x: tensor<?x?x5xf16>, %w: tensor<16x5xf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op has no 'rung.tiles' attribute}}
  %y = rnn.linear %x, %w
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}

// -----

func.func @no_depth(%x: tensor<?x?x5xf16>, %w: tensor<16x5xf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op has 'rung.tiles' without a positive 'depth'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 8 : i64, columns = 16 : i64,
      depth = 0 : i64, stages = 2 : i64,
      layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                            subgroup_size = 8, cooperative = true>}}
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}

// -----

func.func @no_layout(%x: tensor<?x?x5xf16>, %w: tensor<16x5xf16>)
    -> tensor<?x?x16xf32> {
  // expected-error@+1 {{'rnn.linear' op has 'rung.tiles' without a 'layout'}}
  %y = rnn.linear %x, %w {rung.tiles = {rows = 8 : i64, columns = 16 : i64,
      depth = 8 : i64, stages = 2 : i64}}
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  return %y : tensor<?x?x16xf32>
}
