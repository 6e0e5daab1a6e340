// RUN: rung-opt %s --split-input-file --verify-diagnostics

// broadcast_row_c1
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory of 'f32' does not match matrix of 'f16'}}
  %m = tile.broadcast_row %x[%c0] : memref<?xf32> -> !tile.matrix<8x16xf16, acc>
  tile.return
}

// -----

// broadcast_row_c2
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 12x16 does not split into blocks of 8x8}}
  %m = tile.broadcast_row %x[%c0] : memref<?xf32> -> !tile.matrix<12x16xf32, acc>
  tile.return
}

// -----

// broadcast_column_c1
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory of 'f32' does not match matrix of 'f16'}}
  %m = tile.broadcast_column %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf16, acc>
  tile.return
}

// -----

// broadcast_column_c2
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{matrix of 8x20 does not split into blocks of 8x8}}
  %m = tile.broadcast_column %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x20xf32, acc>
  tile.return
}

// -----

// broadcast_column_c3
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory row of 16 values is too short for a matrix of 24 rows}}
  %m = tile.broadcast_column %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<24x16xf32, acc>
  tile.return
}
