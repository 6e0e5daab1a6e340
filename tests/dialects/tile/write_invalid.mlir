// RUN: rung-opt %s --split-input-file --verify-diagnostics

// write_c1
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  %z = arith.constant 0.0 : f32
  // expected-error@+1 {{width 3 of 'f32' makes no accesses of 4, 8 or 16 bytes}}
  tile.write %z, %z, %z -> %x[%n] : f32, f32, f32 -> memref<?xf32>
  tile.return
}

// -----

// write_c1
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  %z = arith.constant 0.0 : f16
  // expected-error@+1 {{moves 'f16' in memory of 'f32'}}
  tile.write %z -> %x[%n] : f16 -> memref<?xf32>
  tile.return
}

// -----

// write_c2
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  %z = arith.constant 0.0 : f32
  // expected-error@+1 {{moves 2 elements at once; of its index only the divisor 1 is known}}
  tile.write %z, %z -> %x[%n] : f32, f32 -> memref<?xf32>
  tile.return
}
