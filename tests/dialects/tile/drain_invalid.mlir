// RUN: rung-opt %s --split-input-file --verify-diagnostics

// drain_c1
tile.kernel @k(%x: memref<?xf16> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{shared memory of 'f32' drains to memory of 'f16'}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [8, 16] rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf16>
  tile.return
}

// -----

// drain_c2
tile.kernel @k(%x: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{row region yields ('index'), not ('index', 'i1')}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [8, 16] rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// drain_c3
tile.kernel @k(%x: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{size [9, 16] exceeds shared memory of 8x16}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [9, 16] rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// drain_c3
tile.kernel @k(%x: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{size [0, 16] is not two positive extents}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [0, 16] rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// drain_c4
tile.kernel @k(%x: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{width 3 of 'f32' makes no accesses of 4, 8 or 16 bytes}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c16 size [8, 16] width 3 rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// drain_c4
tile.kernel @k(%x: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{width 4 does not divide 6 columns}}
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c16 size [8, 6] width 4 rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// drain_c5
tile.kernel @k(%x: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  // expected-error@+1 {{moves 4 elements at once; of its base only the divisor 1 is known}}
  tile.drain %s[%c0, %c0] -> %x[%n] pitch %c16 columns %c16 size [8, 16] width 4 rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}
