// RUN: rung-opt %s --split-input-file --verify-diagnostics

// load_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory of 'f32' does not match matrix of 'f16'}}
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf16, acc>
  tile.return
}

// -----

// load_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 16x16 exceeds shared memory of 8x16}}
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<16x16xf32, acc>
  tile.return
}

// -----

// load_c3
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x17xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{row pitch of 68 bytes is not a multiple of 16, which cooperative matrices need}}
  %m = tile.load %s[%c0, %c0] : memref<8x17xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf32, acc>
  tile.return
}

// -----

// load_c4
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 4x16 does not split into blocks of 8x8}}
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<4x16xf32, acc>
  tile.return
}

// -----

// load_c4
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 8x8 has 1 column blocks; 2 subgroups do not divide them}}
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x8xf32, acc>
  tile.return
}

// -----

// load_c4
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{matrix of 8x16 has 1 row blocks; 2 rows of subgroups do not divide them}}
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf32, acc>
  tile.return
}

// -----

// load_c5
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %s = tile.shared : memref<16x16xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{transposes '!tile.matrix<16x16xf16, a>', which is no right operand}}
  %m = tile.load %s[%c0, %c0] transposed : memref<16x16xf16, #gpu.address_space<workgroup>> -> !tile.matrix<16x16xf16, a>
  tile.return
}
