// RUN: rung-opt %s --split-input-file --verify-diagnostics

// store_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %z = arith.constant 0.0 : f16
  %m = tile.fill %z : f16 -> !tile.matrix<8x16xf16, acc>
  // expected-error@+1 {{memory of 'f32' does not match matrix of 'f16'}}
  tile.store %m, %s[%c0, %c0] : !tile.matrix<8x16xf16, acc>, memref<8x16xf32, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// store_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<16x16xf32, acc>
  // expected-error@+1 {{matrix of 16x16 exceeds shared memory of 8x16}}
  tile.store %m, %s[%c0, %c0] : !tile.matrix<16x16xf32, acc>, memref<8x16xf32, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// store_c3
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x18xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %z = arith.constant 0.0 : f16
  %m = tile.fill %z : f16 -> !tile.matrix<8x16xf16, acc>
  // expected-error@+1 {{row pitch of 36 bytes is not a multiple of 16, which cooperative matrices need}}
  tile.store %m, %s[%c0, %c0] : !tile.matrix<8x16xf16, acc>, memref<8x18xf16, #gpu.address_space<workgroup>>
  tile.return
}
