// RUN: rung-opt %s --split-input-file --verify-diagnostics

// store_global_c1
tile.kernel @k(%y: memref<?xf16> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  // expected-error@+1 {{memory of 'f16' does not match matrix of 'f32'}}
  tile.store_global %m, %y[%c0] pitch %c16 : !tile.matrix<8x16xf32, acc>, memref<?xf16>
  tile.return
}
