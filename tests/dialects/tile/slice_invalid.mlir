// RUN: rung-opt %s --split-input-file --verify-diagnostics

// slice_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<32x32xf32, acc>
  // expected-error@+1 {{part '!tile.matrix<16x32xf32, acc>' at [32, 0] does not lie in '!tile.matrix<32x32xf32, acc>'}}
  %p = tile.slice %m[32, 0] : !tile.matrix<32x32xf32, acc> -> !tile.matrix<16x32xf32, acc>
  tile.return
}

// -----

// slice_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<32x32xf32, acc>
  // expected-error@+1 {{part '!tile.matrix<16x16xf32, acc>' at [8, 0] is not made of 16x16, a block for each subgroup}}
  %p = tile.slice %m[8, 0] : !tile.matrix<32x32xf32, acc> -> !tile.matrix<16x16xf32, acc>
  tile.return
}
