// RUN: rung-opt %s --split-input-file --verify-diagnostics

// load_packed_c1
tile.kernel @k(%w: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory of 'f32' does not match matrix of 'f16'}}
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf32> -> !tile.matrix<8x16xf16, b>
  tile.return
}

// -----

// load_packed_c2
tile.kernel @k(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 4x16 does not split into blocks of 8x8}}
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<4x16xf16, b>
  tile.return
}

// -----

// load_packed_c2
tile.kernel @k(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 8x24 has 3 column blocks; 2 subgroups do not divide them}}
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<8x24xf16, b>
  tile.return
}
