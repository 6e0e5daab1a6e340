// RUN: rung-opt %s --split-input-file --verify-diagnostics --rnn-to-tile --canonicalize --cse | FileCheck %s --implicit-check-not=func.func

// Products of x in the body. Rows of x come for three steps at once and are
// rounded on their way to shared memory; the products of step t + 1 are made
// beside those with h of step t, and are what the latter are added to.
module {
  rnn.weight @w : tensor<32x5xf32> = dense<0.5>
  rnn.weight @u : tensor<1x16x16xf32> = dense<0.5>
  // The second 16 rows of @w, 8 of padded depth a column.
  // CHECK-LABEL: tile.program @inputs {
  // CHECK: %[[X:.*]] = tile.buffer input 0 size <TB * 20> : <f32>
  // CHECK: %[[W:.*]] = tile.packed count 128 [#tile.piece<weight = @w, offset = 80, sizes = [1, 16, 5], source_strides = [80, 5, 1], target_offset = 0, target_strides = [128, 8, 1]>] : <f16>
  // CHECK: tile.dispatch @inputs_resident_head {{.*}}(%[[X]],
  // CHECK-NOT: tile.dispatch
  // CHECK: tile.kernel @inputs_resident_head(%[[X:[^:]*]]: memref<?xf32> read,
  // CHECK: %[[ROWS:.*]] = tile.shared : memref<24x16xf16,
  // CHECK: %[[B:.*]] = tile.load_packed %{{.*}} -> <8x16xf16, b>
  // CHECK: %[[F:.*]] = tile.fetch %[[X]][%c0] pitch %c5 columns %c5 rows
  // CHECK: -> <24x8xf32>
  // CHECK: %[[N:.*]] = tile.map(%[[F]])
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK: tile.land %[[N]], %[[ROWS]][%c0, %c0]
  // CHECK: tile.barrier
  // CHECK: scf.for %[[GROUP:.*]] = %c0 to %[[T:.*]] step %c3 iter_args(
  // CHECK: %[[NEXT:.*]] = arith.addi %[[GROUP]], %c3
  // CHECK: %[[FLIGHT:.*]] = tile.fetch %[[X]]
  // CHECK: %[[END:.*]] = arith.minsi %[[NEXT]], %[[T]]
  // CHECK: %[[A:.*]] = tile.load %[[ROWS]][%c0, %c0]
  // CHECK: %[[FIRST:.*]] = tile.mma %{{.*}}, %[[A]], %[[B]]
  // CHECK: scf.for %[[STEP:.*]] = %[[GROUP]] to %[[END]] step %c1 iter_args(%{{.*}} = %{{.*}}, %[[PX:.*]] = %[[FIRST]])
  // CHECK: %[[D:.*]] = tile.mma %[[PX]],
  // CHECK: %[[AT:.*]] = arith.minsi %{{.*}}, %c2
  // CHECK: %[[ROW:.*]] = arith.muli %[[AT]], %c8
  // CHECK: %[[A:.*]] = tile.load %[[ROWS]][%[[ROW]], %c0]
  // CHECK: %[[AHEAD:.*]] = tile.mma %{{.*}}, %[[A]], %[[B]]
  // CHECK-NOT: tile.map
  // CHECK: tile.convert %[[D]]
  // CHECK: tile.barrier
  // CHECK-NOT: tile.barrier
  // CHECK: scf.yield %[[D]], %[[AHEAD]]
  // CHECK: %[[N:.*]] = tile.map(%[[FLIGHT]])
  // CHECK: tile.land %[[N]], %[[ROWS]][%c0, %c0]
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.yield
  func.func @inputs(%x: tensor<?x?x5xf32>, %h0: tensor<?x16xf32>)
      -> (tensor<?x?x16xf32>, tensor<?x16xf32>) {
    %v = rnn.load_weight @w : tensor<32x5xf32>
    %w = rnn.cast %v : tensor<32x5xf32> to tensor<32x5xf16>
    %xn = rnn.cast %x : tensor<?x?x5xf32> to tensor<?x?x5xf16>
    %c = rnn.load_weight @u : tensor<1x16x16xf32>
    %s = rnn.cast %c : tensor<1x16x16xf32> to tensor<1x16x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%xn) weights(%s, %w) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64, group = 3 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<5xf16>, %pu: tensor<1x16x16xf16>, %pw: tensor<32x5xf16>,
         %h: tensor<16xf32>):
      %p = rnn.input_dot %px, %pw first(16)
          : (tensor<5xf16>, tensor<32x5xf16>) -> tensor<16xf32>
      %a = arith.truncf %h : tensor<16xf32> to tensor<16xf16>
      %d = rnn.dot %a, %pu
          : (tensor<16xf16>, tensor<1x16x16xf16>) -> tensor<16xf32>
      %n = arith.addf %p, %d : tensor<16xf32>
      rnn.yield outputs(%n : tensor<16xf32>) states(%n : tensor<16xf32>)
    } : (tensor<?x?x5xf16>, tensor<1x16x16xf16>, tensor<32x5xf16>,
         tensor<?x16xf32>) -> (tensor<?x?x16xf32>, tensor<?x16xf32>)
    return %y, %hn : tensor<?x?x16xf32>, tensor<?x16xf32>
  }
}

// -----

// What a body adds to products and uses nowhere else is where their sums begin:
// the bias once, in front of the loop. A product that something else uses is
// added by the map.
module {
  rnn.weight @w : tensor<16x8xf16> = dense<0.5>
  rnn.weight @u : tensor<1x32x16xf16> = dense<0.5>
  rnn.weight @b : tensor<32xf32> = dense<0.5>
  // CHECK-LABEL: tile.kernel @sums_resident_head(
  // CHECK: %[[B0:.*]] = tile.broadcast_row
  // CHECK: %[[B1:.*]] = tile.broadcast_row
  // CHECK: %[[START:.*]] = tile.map(%[[B0]], %[[B1]])
  // CHECK: %[[ZERO:.*]] = tile.fill
  // CHECK: scf.for
  // CHECK: tile.mma %[[START]],
  // CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[PART:.*]] = %{{.*}})
  // CHECK: %[[N:.*]] = tile.mma %[[PART]],
  // CHECK: %[[G:.*]] = tile.mma %[[ZERO]],
  // CHECK: tile.mma %[[START]],
  // CHECK: tile.map(%[[N]], %[[G]], %[[B1]])
  func.func @sums(%x: tensor<?x?x8xf16>, %h0: tensor<?x16xf32>)
      -> tensor<?x16xf32> {
    %w = rnn.load_weight @w : tensor<16x8xf16>
    %u = rnn.load_weight @u : tensor<1x32x16xf16>
    %b = rnn.load_weight @b : tensor<32xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%x) weights(%u, %w, %b) initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<8xf16>, %pu: tensor<1x32x16xf16>, %pw: tensor<16x8xf16>,
         %pb: tensor<32xf32>, %h: tensor<16xf32>):
      %un = tensor.extract_slice %pu[0, 0, 0] [1, 16, 16] [1, 1, 1]
          : tensor<1x32x16xf16> to tensor<1x16x16xf16>
      %ug = tensor.extract_slice %pu[0, 16, 0] [1, 16, 16] [1, 1, 1]
          : tensor<1x32x16xf16> to tensor<1x16x16xf16>
      %b0 = tensor.extract_slice %pb[0] [16] [1]
          : tensor<32xf32> to tensor<16xf32>
      %b1 = tensor.extract_slice %pb[16] [16] [1]
          : tensor<32xf32> to tensor<16xf32>
      %p = rnn.input_dot %px, %pw first(0)
          : (tensor<8xf16>, tensor<16x8xf16>) -> tensor<16xf32>
      %a = arith.truncf %h : tensor<16xf32> to tensor<16xf16>
      %dn = rnn.dot %a, %un
          : (tensor<16xf16>, tensor<1x16x16xf16>) -> tensor<16xf32>
      %dg = rnn.dot %a, %ug
          : (tensor<16xf16>, tensor<1x16x16xf16>) -> tensor<16xf32>
      %n0 = arith.addf %p, %b0 : tensor<16xf32>
      %n1 = arith.addf %dn, %b1 : tensor<16xf32>
      %n2 = arith.addf %n0, %n1 : tensor<16xf32>
      %g0 = arith.addf %dg, %b1 : tensor<16xf32>
      %g1 = arith.mulf %dg, %g0 : tensor<16xf32>
      %n = arith.mulf %n2, %g1 : tensor<16xf32>
      rnn.yield outputs(%n : tensor<16xf32>) states(%n : tensor<16xf32>)
    } : (tensor<?x?x8xf16>, tensor<1x32x16xf16>, tensor<16x8xf16>,
         tensor<32xf32>, tensor<?x16xf32>)
        -> (tensor<?x?x16xf32>, tensor<?x16xf32>)
    return %hn : tensor<?x16xf32>
  }
}

// -----

// One dispatch a step has no place for them.
module {
  rnn.weight @w : tensor<8x5xf16> = dense<0.5>
  rnn.weight @u : tensor<1x8x8xf16> = dense<0.5>
  func.func @step(%x: tensor<?x?x5xf16>, %h0: tensor<?x8xf32>)
      -> tensor<?x8xf32> {
    %w = rnn.load_weight @w : tensor<8x5xf16>
    %u = rnn.load_weight @u : tensor<1x8x8xf16>
    // expected-error@+1 {{multiplies its inputs in its body; strategy 'step' is for those that an rnn.linear multiplies}}
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%x) weights(%u, %w) initial(%h0)
        attributes {rung.strategy = "step",
          rung.tiles = {rows = 8 : i64, columns = 8 : i64, depth = 8 : i64,
            stages = 1 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<5xf16>, %pu: tensor<1x8x8xf16>, %pw: tensor<8x5xf16>,
         %h: tensor<8xf32>):
      %p = rnn.input_dot %px, %pw first(0)
          : (tensor<5xf16>, tensor<8x5xf16>) -> tensor<8xf32>
      %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
      %d = rnn.dot %a, %pu
          : (tensor<8xf16>, tensor<1x8x8xf16>) -> tensor<8xf32>
      %n = arith.addf %p, %d : tensor<8xf32>
      rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
    } : (tensor<?x?x5xf16>, tensor<1x8x8xf16>, tensor<8x5xf16>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
    return %hn : tensor<?x8xf32>
  }
}
