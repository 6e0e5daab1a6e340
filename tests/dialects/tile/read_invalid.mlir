// RUN: rung-opt %s --split-input-file --verify-diagnostics

// read_c1
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  // expected-error@+1 {{width 2 of 'i8' makes no accesses of 4, 8 or 16 bytes}}
  %v:2 = tile.read %b[%n] : memref<?xi8> -> i8, i8
  tile.return
}

// -----

// read_c1
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  // expected-error@+1 {{moves 'i32' in memory of 'f32'}}
  %v:2 = tile.read %x[%n] : memref<?xf32> -> f32, i32
  tile.return
}

// -----

// read_c2
tile.kernel @k(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  // expected-error@+1 {{moves 2 elements at once; of its index only the divisor 1 is known}}
  %v:2 = tile.read %x[%n] : memref<?xf32> -> f32, f32
  tile.return
}
