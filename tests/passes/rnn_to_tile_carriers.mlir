// RUN: rung-opt %s --split-input-file --rnn-to-tile --canonicalize --cse | FileCheck %s --implicit-check-not=func.func

// A pair of f16: rows, states, sums and outputs are f16, in memory too, and
// nothing in the kernel is f32. Both halves are multiplied by one matrix.
module {
  rnn.weight @u : tensor<2x16x16xf32> = dense<0.5>
  rnn.weight @b : tensor<32xf32> = dense<0.5>
  // CHECK-LABEL: tile.program @pairs {
  // CHECK: tile.buffer input 0 size <TB * 64> : <f16>
  // CHECK: tile.packed count 512 [#tile.piece<weight = @u, {{[^#]*}}>] : <f16>
  // CHECK: tile.packed count 32 [#tile.piece<weight = @b, {{.*}}>] : <f16>
  // CHECK: tile.kernel @pairs_resident_head(
  // CHECK-NOT: f32
  // CHECK-SAME: attributes {rung.forbid = "f32"}
  // CHECK-NOT: f32
  // CHECK: %[[ROW:.*]] = tile.broadcast_row
  // CHECK: %[[U:.*]] = tile.load_packed
  // CHECK-NOT: tile.load_packed
  // CHECK-NOT: tile.convert
  // CHECK: tile.store %[[HIGH:.*]], %[[FIRST:.*]][
  // CHECK-NEXT: tile.store %[[LOW:.*]], %[[SECOND:.*]][
  // CHECK-NEXT: tile.barrier
  // CHECK: scf.for {{.*}} -> (!tile.matrix<8x16xf16, acc>, !tile.matrix<8x16xf16, acc>)
  // CHECK-NOT: f32
  // CHECK-NOT: tile.convert
  // CHECK: %[[A:.*]] = tile.load %[[FIRST]]
  // CHECK: tile.mma %{{.*}}, %[[A]], %[[U]] : <8x16xf16, acc>, <8x16xf16, a>, <16x16xf16, b>
  // CHECK: %[[B:.*]] = tile.load %[[SECOND]]
  // CHECK: tile.mma %{{.*}}, %[[B]], %[[U]]
  // CHECK-NOT: f32
  // CHECK: tile.return
  func.func @pairs(%x: tensor<?x?x32xf16>, %h0: tensor<?x32xf16>,
                   %l0: tensor<?x32xf16>)
      -> (tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>) {
    %w = rnn.load_weight @u : tensor<2x16x16xf32>
    %u = rnn.cast %w : tensor<2x16x16xf32> to tensor<2x16x16xf16>
    %c = rnn.load_weight @b : tensor<32xf32>
    %b = rnn.cast %c : tensor<32xf32> to tensor<32xf16>
    %y, %hn:2 = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u, %b) initial(%h0, %l0)
        precision(#rnn.precision<operand = f16, accumulate = f16,
                                 state = f16x2, round = nearest>)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf16>, %pu: tensor<2x16x16xf16>, %pb: tensor<32xf16>,
         %h: tensor<32xf16>, %l: tensor<32xf16>):
      %d = rnn.dot %h, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf16>
      %e = rnn.dot %l, %pu
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf16>
      %s = arith.addf %d, %px : tensor<32xf16>
      %n = arith.addf %s, %pb : tensor<32xf16>
      rnn.yield outputs(%n : tensor<32xf16>)
          states(%n, %e : tensor<32xf16>, tensor<32xf16>)
    } : (tensor<?x?x32xf16>, tensor<2x16x16xf16>, tensor<32xf16>,
         tensor<?x32xf16>, tensor<?x32xf16>)
        -> (tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>)
    return %y, %hn#0, %hn#1
        : tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>
  }
}

// -----

// Integers: two operands of bytes are stored as words, each in its own stage,
// and narrowed behind one barrier. A table is read in the map.
module {
  rnn.weight @u : tensor<1x16x16xi8> = dense<3>
  rnn.weight @t : tensor<17xi32> = dense<5>
  // CHECK-LABEL: tile.program @bytes {
  // CHECK: tile.packed count 256 {{.*}} : <i8>
  // CHECK: tile.packed count 17 {{.*}} : <i32>
  // CHECK: tile.kernel @bytes_resident_head({{.*}}: memref<?xi8> read, %[[TABLE:[a-z0-9_]*]]: memref<?xi32> read, {{.*}} attributes {rung.forbid = "float"}
  // CHECK-NOT: f{{16|32}}
  // CHECK: tile.mma {{.*}} : <8x16xi32, acc>, <8x16xi8, a>, <16x16xi8, b>
  // CHECK: tile.mma
  // CHECK: %[[R:[0-9]*]] = tile.map
  // CHECK: %[[ENTRY:.*]] = arith.index_cast
  // CHECK: memref.load %[[TABLE]][%[[ENTRY]]]
  // CHECK: tile.store %[[R]], %{{.*}} : <8x16xi32, acc>
  // CHECK: tile.return
  func.func @bytes(%x: tensor<?x?x16xi32>, %h0: tensor<?x16xi32>)
      -> (tensor<?x?x16xi32>, tensor<?x16xi32>) {
    %u = rnn.load_weight @u : tensor<1x16x16xi8>
    %t = rnn.load_weight @t : tensor<17xi32>
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%x) weights(%u, %t) initial(%h0)
        precision(#rnn.precision<operand = s8, accumulate = s32,
                                 state = s32, round = nearest>)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<16xi32>, %pu: tensor<1x16x16xi8>, %pt: tensor<17xi32>,
         %h: tensor<16xi32>):
      %c8 = arith.constant dense<8> : tensor<16xi32>
      %c255 = arith.constant dense<255> : tensor<16xi32>
      %c128 = arith.constant dense<128> : tensor<16xi32>
      %high = arith.shrsi %h, %c8 : tensor<16xi32>
      %and = arith.andi %h, %c255 : tensor<16xi32>
      %low = arith.subi %and, %c128 : tensor<16xi32>
      %a = arith.trunci %high : tensor<16xi32> to tensor<16xi8>
      %b = arith.trunci %low : tensor<16xi32> to tensor<16xi8>
      %d = rnn.dot %a, %pu
          : (tensor<16xi8>, tensor<1x16x16xi8>) -> tensor<16xi32>
      %e = rnn.dot %b, %pu
          : (tensor<16xi8>, tensor<1x16x16xi8>) -> tensor<16xi32>
      %s = arith.addi %d, %e : tensor<16xi32>
      %p = arith.addi %s, %px : tensor<16xi32>
      %n = rnn.lookup %p, %pt low(0) shift(4) interpolate
          : tensor<16xi32>, tensor<17xi32>
      rnn.yield outputs(%n : tensor<16xi32>) states(%n : tensor<16xi32>)
    } : (tensor<?x?x16xi32>, tensor<1x16x16xi8>, tensor<17xi32>,
         tensor<?x16xi32>) -> (tensor<?x?x16xi32>, tensor<?x16xi32>)
    return %y, %hn : tensor<?x?x16xi32>, tensor<?x16xi32>
  }
}

// -----

// Random bits: coordinates come through shared memory once, in the carrier,
// and each row's random state too; the step counts from there.
module {
  // CHECK-LABEL: tile.program @draws {
  // CHECK: tile.kernel @draws_resident_head({{.*}}, %[[RANDOM:[^:]*]]: memref<?xi32> read)
  // CHECK: arith.sitofp %{{.*}} : i32 to f16
  // CHECK: tile.barrier
  // CHECK-NEXT: %[[R:.*]] = tile.load
  // CHECK: %[[C:.*]] = tile.load
  // CHECK: %[[STATES:.*]] = tile.shared : memref<4x8xi32
  // CHECK: %[[FLIGHT:.*]] = tile.fetch %[[RANDOM]]
  // CHECK: tile.land %[[FLIGHT]], %[[STATES]]
  // CHECK: scf.for
  // CHECK: scf.for %[[T:[a-z0-9]*]] =
  // CHECK: tile.map(%{{.*}}, %{{.*}}, %[[R]], %[[C]])
  // CHECK: arith.fptosi
  // CHECK: %[[ITERATION:.*]] = arith.index_cast %[[T]]
  // CHECK: %[[BEFORE:.*]] = memref.load %[[STATES]]
  // CHECK: arith.addi %[[BEFORE]], %[[ITERATION]]
  func.func @draws(%x: tensor<?x?x32xf16>, %h0: tensor<?x32xf16>,
                   %r: tensor<?x3xi32>)
      -> (tensor<?x?x32xf16>, tensor<?x32xf16>) {
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%x) weights() initial(%h0) random(%r)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 4 : i64, columns = 32 : i64, depth = 32 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [4, 32, 1], subgroups = 1,
                                  subgroup_size = 32, cooperative = false>}} {
    ^bb0(%px: tensor<32xf16>, %h: tensor<32xf16>):
      %bits = rnn.random layer(0) word(1) : tensor<32xi32>
      %n = rnn.add_stochastic %h, %px, %bits : tensor<32xf16>, tensor<32xi32>
      rnn.yield outputs(%n : tensor<32xf16>) states(%n : tensor<32xf16>)
    } : (tensor<?x?x32xf16>, tensor<?x32xf16>, tensor<?x3xi32>)
        -> (tensor<?x?x32xf16>, tensor<?x32xf16>)
    return %y, %hn : tensor<?x?x32xf16>, tensor<?x32xf16>
  }
}

// -----

// Of many pieces, the one that x lies in is told by the part of the knots' range
// that x is in: so many knots are before it, and one is next. Numbers of entries
// need no limits.
module {
  // CHECK-DAG: rnn.weight @[[BEFORE:pieces[_0-9]*]] : tensor<8xi32> = dense<[0, 1, 2, 3, 4, 5, 6, 7]>
  // CHECK-DAG: rnn.weight @[[SLOPES:pieces[_0-9]*]] : tensor<9xi32> = dense<[9, 8, 7, 6, 5, 4, 3, 2, 1]>
  // CHECK-DAG: rnn.weight @[[OFFSETS:pieces[_0-9]*]] : tensor<9xi32> = dense<[-9, -8, -7, -6, -5, -4, -3, -2, -1]>
  // CHECK-LABEL: tile.program @many {
  // CHECK: tile.packed count 26 [{{.*}}weight = @[[BEFORE]]{{.*}}weight = @[[SLOPES]]{{.*}}weight = @[[OFFSETS]]{{.*}}] : <i32>
  // CHECK: tile.kernel @many_resident_head(
  // CHECK: tile.map
  // CHECK-NEXT: ^bb0(%[[X:.*]]: i32
  // CHECK: %[[ABOVE:.*]] = arith.maxsi %[[X]]
  // CHECK: %[[WITHIN:.*]] = arith.minsi %[[ABOVE]]
  // CHECK: %[[FIRST:.*]] = memref.load %[[TABLES:[a-z0-9_]*]][
  // CHECK: %[[PAST:.*]] = arith.cmpi sge, %[[X]], %{{.*}} : i32
  // CHECK: %[[AFTER:.*]] = arith.addi %[[FIRST]]
  // CHECK: %[[PIECE:.*]] = arith.select %[[PAST]], %[[AFTER]], %[[FIRST]] : i32
  // CHECK-NOT: arith.maxsi
  // CHECK: memref.load %[[TABLES]]
  // CHECK: memref.load %[[TABLES]]
  // CHECK: arith.mulsi_extended %[[X]]
  // CHECK: tile.yield
  func.func @many(%x: tensor<?x?x16xi32>, %h0: tensor<?x16xi32>)
      -> (tensor<?x?x16xi32>, tensor<?x16xi32>) {
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%x) weights() initial(%h0)
        attributes {rung.strategy = "resident-head",
          rung.tiles = {rows = 8 : i64, columns = 16 : i64, depth = 16 : i64,
            stages = 2 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<16xi32>, %h: tensor<16xi32>):
      %n = rnn.piecewise %px knots([0, 1, 2, 3, 4, 5, 6, 7])
          slopes([9, 8, 7, 6, 5, 4, 3, 2, 1])
          offsets([-9, -8, -7, -6, -5, -4, -3, -2, -1]) shift(4)
          : tensor<16xi32>
      rnn.yield outputs(%n : tensor<16xi32>) states(%n : tensor<16xi32>)
    } : (tensor<?x?x16xi32>, tensor<?x16xi32>)
        -> (tensor<?x?x16xi32>, tensor<?x16xi32>)
    return %y, %hn : tensor<?x?x16xi32>, tensor<?x16xi32>
  }
}
