// RUN: rung-opt %s --split-input-file --verify-diagnostics

// convert_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{converts 8x16 to 8x32}}
  %h = tile.convert %m : !tile.matrix<8x16xf32, acc> -> !tile.matrix<8x32xf16, acc>
  tile.return
}

// -----

// convert_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{converts 'f32' to 'bf16'; only f32 and f16, or i32 to f32, are possible}}
  %h = tile.convert %m : !tile.matrix<8x16xf32, acc> -> !tile.matrix<8x16xbf16, acc>
  tile.return
}
