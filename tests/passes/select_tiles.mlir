// RUN: rung-opt %s --rnn-select-tiles=profile=lavapipe | FileCheck %s --check-prefixes=CHECK,LAVAPIPE
// RUN: rung-opt %s --rnn-select-tiles=profile=nvidia-hopper | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: rung-opt %s --rnn-select-tiles=profile=nvidia-ampere | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: rung-opt %s --rnn-select-tiles | FileCheck %s --check-prefixes=CHECK,GENERIC

// Cooperative matrices wherever the profile lists a shape for the formats.
// CHECK-LABEL: func.func @linear_f16(
func.func @linear_f16(%x: tensor<?x?x5xf16>, %w: tensor<96x5xf16>)
    -> tensor<?x?x96xf32> {
  // CHECK: rnn.linear
  // LAVAPIPE-SAME: rung.tiles = {columns = 64 : i64, depth = 32 : i64, layout = #tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true>, rows = 32 : i64, stages = 2 : i64}
  // HOPPER-SAME: rung.tiles = {columns = 64 : i64, depth = 32 : i64, layout = #tile.layout<instruction = [16, 16, 16], subgroups = 4, subgroup_size = 32, cooperative = true>, rows = 64 : i64, stages = 2 : i64}
  // AMPERE-SAME: instruction = [16, 16, 16], subgroups = 4, subgroup_size = 32, cooperative = true
  // GENERIC-SAME: rung.tiles = {columns = 64 : i64, depth = 32 : i64, layout = #tile.layout<instruction = [8, 32, 1], subgroups = 2, subgroup_size = 32, cooperative = false>, rows = 8 : i64, stages = 2 : i64}
  %y = rnn.linear %x, %w
      : (tensor<?x?x5xf16>, tensor<96x5xf16>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// Both operands of a large product are staged where matrix instructions are
// large, and its input is narrowed once for all column tiles.
// CHECK-LABEL: func.func @linear_large(
func.func @linear_large(%x: tensor<?x?x2048xf32>, %w: tensor<6144x2048xf16>)
    -> tensor<?x?x6144xf32> {
  %n = rnn.cast %x : tensor<?x?x2048xf32> to tensor<?x?x2048xf16>
  // CHECK: rnn.linear
  // LAVAPIPE-SAME: columns = 64 : i64, {{.*}}rows = 32 : i64, stages = 2 : i64}
  // HOPPER-SAME: rung.tiles = {columns = 128 : i64, depth = 64 : i64, layout = #tile.layout<instruction = [16, 16, 16], subgroups = 4, subgroup_size = 32, cooperative = true, subgroup_rows = 2>, narrow_first, panel = 8 : i64, rows = 128 : i64, stage_weights, stages = 2 : i64}
  // GENERIC-SAME: cooperative = false
  %y = rnn.linear %n, %w : (tensor<?x?x2048xf16>, tensor<6144x2048xf16>)
      -> tensor<?x?x6144xf32>
  return %y : tensor<?x?x6144xf32>
}

// Of these profiles, hopper's alone lists a shape for bf16.
// CHECK-LABEL: func.func @linear_bf16(
func.func @linear_bf16(%x: tensor<?x?x5xbf16>, %w: tensor<96x5xbf16>)
    -> tensor<?x?x96xf32> {
  // CHECK: rnn.linear
  // LAVAPIPE-SAME: cooperative = false
  // HOPPER-SAME: instruction = [16, 16, 16], {{.*}} cooperative = true
  // AMPERE-SAME: cooperative = false
  // GENERIC-SAME: cooperative = false
  %y = rnn.linear %x, %w
      : (tensor<?x?x5xbf16>, tensor<96x5xbf16>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// None lists one for f32.
// CHECK-LABEL: func.func @linear_f32(
func.func @linear_f32(%x: tensor<?x?x5xf32>, %w: tensor<96x5xf32>)
    -> tensor<?x?x96xf32> {
  // CHECK: rnn.linear
  // CHECK-SAME: instruction = [8, 32, 1], subgroups = 2, subgroup_size = 32, cooperative = false
  %y = rnn.linear %x, %w
      : (tensor<?x?x5xf32>, tensor<96x5xf32>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// Blocks are no wider than the columns there are.
// CHECK-LABEL: func.func @linear_one_column(
func.func @linear_one_column(%x: tensor<?x?x5xf32>, %w: tensor<1x5xf32>)
    -> tensor<?x?x1xf32> {
  // CHECK: rnn.linear
  // CHECK-SAME: columns = 8 : i64, {{.*}}instruction = [8, 8, 1], subgroups = 1,
  %y = rnn.linear %x, %w
      : (tensor<?x?x5xf32>, tensor<1x5xf32>) -> tensor<?x?x1xf32>
  return %y : tensor<?x?x1xf32>
}

// A resident head is one tile of all its 20 columns, padded to whole blocks, in
// of few rows; rows of several steps are fetched together.
// CHECK-LABEL: func.func @resident(
func.func @resident(%x: tensor<?x?x40xf32>, %u: tensor<2x20x20xf16>,
                    %h0: tensor<?x40xf32>)
    -> (tensor<?x?x40xf32>, tensor<?x40xf32>) {
  // CHECK: rnn.recurrence
  // LAVAPIPE-SAME: rung.tiles = {columns = 24 : i64, depth = 24 : i64, group = 8 : i64, layout = #tile.layout<instruction = [8, 8, 8], subgroups = 3, subgroup_size = 8, cooperative = true>, rows = 8 : i64, stages = 2 : i64}
  // HOPPER-SAME: rung.tiles = {columns = 32 : i64, depth = 32 : i64, group = 16 : i64, layout = #tile.layout<instruction = transposed [8, 16, 16], subgroups = 2, subgroup_size = 32, cooperative = true>, rows = 8 : i64, stages = 2 : i64, two_loops}
  // GENERIC-SAME: rung.tiles = {columns = 32 : i64, depth = 20 : i64, group = 16 : i64, layout = #tile.layout<instruction = [4, 32, 1], subgroups = 1, subgroup_size = 32, cooperative = false>, rows = 4 : i64, stages = 2 : i64}
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "resident-head"} {
  ^bb0(%px: tensor<40xf32>, %pu: tensor<2x20x20xf16>, %h: tensor<40xf32>):
    %a = arith.truncf %h : tensor<40xf32> to tensor<40xf16>
    %d = rnn.dot %a, %pu
        : (tensor<40xf16>, tensor<2x20x20xf16>) -> tensor<40xf32>
    %n = arith.addf %px, %d : tensor<40xf32>
    rnn.yield outputs(%n : tensor<40xf32>) states(%n : tensor<40xf32>)
  } : (tensor<?x?x40xf32>, tensor<2x20x20xf16>, tensor<?x40xf32>)
      -> (tensor<?x?x40xf32>, tensor<?x40xf32>)
  return %y, %hn : tensor<?x?x40xf32>, tensor<?x40xf32>
}

// Where two buffers of everything are too many, there is one of each.
// CHECK-LABEL: func.func @one_stage(
func.func @one_stage(%x: tensor<?x?x256xf32>, %u: tensor<1x256x256xf16>,
                     %h0: tensor<?x256xf32>)
    -> (tensor<?x?x256xf32>, tensor<?x256xf32>) {
  // CHECK: rnn.recurrence
  // LAVAPIPE-SAME: subgroups = 32, subgroup_size = 8, cooperative = true>, rows = 8 : i64, stages = 1 : i64
  // GENERIC-SAME: subgroups = 4, subgroup_size = 32, cooperative = false>, rows = 4 : i64, stages = 1 : i64
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "resident-head"} {
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

// A step is cut into many narrow workgroups, its inner dimension into pieces.
// CHECK-LABEL: func.func @step(
func.func @step(%x: tensor<?x?x256xf32>, %u: tensor<1x256x256xf16>,
                %h0: tensor<?x256xf32>)
    -> (tensor<?x?x256xf32>, tensor<?x256xf32>) {
  // CHECK: rnn.recurrence
  // LAVAPIPE-SAME: columns = 16 : i64, depth = 64 : i64, {{.*}} subgroups = 2, subgroup_size = 8, cooperative = true>, rows = 8 : i64, stages = 1 : i64
  // HOPPER-SAME: columns = 32 : i64, depth = 128 : i64, {{.*}} subgroups = 2, subgroup_size = 32, cooperative = true>, rows = 16 : i64, stages = 1 : i64
  // GENERIC-SAME: columns = 128 : i64, depth = 128 : i64, {{.*}} subgroups = 4, subgroup_size = 32, cooperative = false>, rows = 4 : i64, stages = 1 : i64
  %y, %hn = rnn.recurrence direction(forward) heads(1)
      sequences(%x) weights(%u) initial(%h0)
      attributes {rung.strategy = "step"} {
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

// The author's choice stays.
// CHECK-LABEL: func.func @pinned(
func.func @pinned(%x: tensor<?x?x5xf32>, %w: tensor<96x5xf32>)
    -> tensor<?x?x96xf32> {
  // CHECK: rnn.linear
  // CHECK-SAME: rung.tiles = {columns = 16 : i64, depth = 8 : i64, layout = #tile.layout<instruction = [4, 16, 1], subgroups = 1, subgroup_size = 16, cooperative = false>, rows = 4 : i64, stages = 2 : i64}
  %y = rnn.linear %x, %w {rung.tiles = {columns = 16 : i64, depth = 8 : i64,
      layout = #tile.layout<instruction = [4, 16, 1], subgroups = 1,
                            subgroup_size = 16, cooperative = false>,
      rows = 4 : i64, stages = 2 : i64}}
      : (tensor<?x?x5xf32>, tensor<96x5xf32>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}

// One profile's choice is no other's.
// CHECK-LABEL: func.func @pinned_for_one(
func.func @pinned_for_one(%x: tensor<?x?x5xf32>, %w: tensor<96x5xf32>)
    -> tensor<?x?x96xf32> {
  // CHECK: rnn.linear
  // LAVAPIPE-SAME: columns = 16 : i64, depth = 8 : i64
  // HOPPER-SAME: columns = 64 : i64
  // GENERIC-SAME: columns = 64 : i64
  %y = rnn.linear %x, %w {rung.tiles = {profile = "lavapipe",
      columns = 16 : i64, depth = 8 : i64,
      layout = #tile.layout<instruction = [4, 16, 1], subgroups = 1,
                            subgroup_size = 16, cooperative = false>,
      rows = 4 : i64, stages = 2 : i64}}
      : (tensor<?x?x5xf32>, tensor<96x5xf32>) -> tensor<?x?x96xf32>
  return %y : tensor<?x?x96xf32>
}
