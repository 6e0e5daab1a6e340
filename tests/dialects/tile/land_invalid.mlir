// RUN: rung-opt %s --split-input-file --verify-diagnostics

// land_c1
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %t = tile.shared : memref<8x16xf16, #gpu.address_space<workgroup>>
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32>
  // expected-error@+1 {{flight of 'f32' lands in memory of 'f16'}}
  tile.land %f, %t[%c0, %c0] : !tile.flight<8x16xf32>, memref<8x16xf16, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// land_c2
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %t = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<16x16xf32>
  // expected-error@+1 {{flight of 16x16 exceeds shared memory of 8x16}}
  tile.land %f, %t[%c0, %c0] : !tile.flight<16x16xf32>, memref<8x16xf32, #gpu.address_space<workgroup>>
  tile.return
}
