// RUN: rung-opt %s --split-input-file --verify-diagnostics

// fill_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  // expected-error@+1 {{scalar of 'f32' fills a matrix of 'f16'}}
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf16, acc>
  tile.return
}

// -----

// fill_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  // expected-error@+1 {{matrix of 8x12 does not split into blocks of 8x8}}
  %m = tile.fill %z : f32 -> !tile.matrix<8x12xf32, acc>
  tile.return
}
