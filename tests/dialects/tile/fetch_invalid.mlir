// RUN: rung-opt %s --split-input-file --verify-diagnostics

// fetch_c1
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{memory of 'f32' gives a flight of 'f16'}}
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf16>
  tile.return
}

// -----

// fetch_c2
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{row region has argument types ('i32'), not (index)}}
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: i32):
    tile.yield %c0 : index
  } : memref<?xf32> -> !tile.flight<8x16xf32>
  tile.return
}

// -----

// fetch_c2
tile.kernel @k(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{row region yields ('index', 'i1'), not ('index')}}
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<?xf32> -> !tile.flight<8x16xf32>
  tile.return
}

// -----

// fetch_c3
tile.kernel @k(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{moves 4 elements at once; of its base only the divisor 1 is known}}
  %f = tile.fetch %x[%n] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 4>
  tile.return
}

// -----

// fetch_c3
tile.kernel @k(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{moves 4 elements at once; of its pitch only the divisor 6 is known}}
  %f = tile.fetch %x[%c0] pitch %c6 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 4>
  tile.return
}

// -----

// fetch_c3
tile.kernel @k(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{moves 4 elements at once; of its columns only the divisor 6 is known}}
  %f = tile.fetch %x[%c0] pitch %c16 columns %c6 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 4>
  tile.return
}
