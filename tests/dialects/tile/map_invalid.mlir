// RUN: rung-opt %s --split-input-file --verify-diagnostics

// map_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  // expected-error@+1 {{has no operand}}
  tile.map() {
    tile.yield
  } : () -> ()
  tile.return
}

// -----

// map_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{mixes '!tile.matrix<8x16xf32, acc>' and '!tile.matrix<8x32xf32, acc>'}}
  %r = tile.map(%m) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  } : (!tile.matrix<8x16xf32, acc>) -> !tile.matrix<8x32xf32, acc>
  tile.return
}

// -----

// map_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{mixes '!tile.matrix<8x16xf32, acc>' and '!tile.flight<8x16xf32>'}}
  %r = tile.map(%m) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  } : (!tile.matrix<8x16xf32, acc>) -> !tile.flight<8x16xf32>
  tile.return
}

// -----

// map_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{mixes element types 'f32' and 'f16', whose elements need not lie alike}}
  %r = tile.map(%m) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  } : (!tile.matrix<8x16xf32, acc>) -> !tile.matrix<8x16xf16, acc>
  tile.return
}

// -----

// map_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{region has argument types ('f16'), not ('f32')}}
  %r = tile.map(%m) {
  ^bb0(%a: f16):
    tile.yield %z : f32
  } : (!tile.matrix<8x16xf32, acc>) -> !tile.matrix<8x16xf32, acc>
  tile.return
}

// -----

// map_c3
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{region yields ('f32', 'f32'), not ('f32')}}
  %r = tile.map(%m) {
  ^bb0(%a: f32):
    tile.yield %a, %a : f32, f32
  } : (!tile.matrix<8x16xf32, acc>) -> !tile.matrix<8x16xf32, acc>
  tile.return
}

// -----

// map_c1
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 4>
  // expected-error@+1 {{mixes '!tile.flight<8x16xf32, width 4>' and '!tile.flight<8x16xf32>'}}
  %r = tile.map(%f) {
  ^bb0(%a: f32):
    tile.yield %a : f32
  } : (!tile.flight<8x16xf32, width 4>) -> !tile.flight<8x16xf32>
  tile.return
}
