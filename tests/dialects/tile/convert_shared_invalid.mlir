// RUN: rung-opt %s --split-input-file --verify-diagnostics

// convert_shared_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %t = tile.shared : memref<8x24xbf16, #gpu.address_space<workgroup>>
  // expected-error@+1 {{size [8, 17] exceeds shared memory of 8x16}}
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c8] size [8, 17]
      : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x24xbf16, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// convert_shared_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %t = tile.shared : memref<8x24xi32, #gpu.address_space<workgroup>>
  // expected-error@+1 {{converts 'f32' to 'i32'; it converts floats to floats, and between i32 and i8}}
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c8] size [8, 16]
      : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x24xi32, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// convert_shared_c3
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xi32, #gpu.address_space<workgroup>>
  %t = tile.shared : memref<8x32xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{width 2 of 'i8' makes no accesses of 4, 8 or 16 bytes}}
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c0] size [8, 16] width 2
      : memref<8x16xi32, #gpu.address_space<workgroup>> -> memref<8x32xi8, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// convert_shared_c3
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %t = tile.shared : memref<8x32xbf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{width 8 does not divide 12 columns}}
  tile.convert_shared %s[%c0, %c0] -> %t[%c0, %c0] size [8, 12] width 8
      : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<8x32xbf16, #gpu.address_space<workgroup>>
  tile.return
}
