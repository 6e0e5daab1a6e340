// RUN: rung-opt %s --split-input-file --verify-diagnostics

// put_c1
tile.kernel @k() push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %byte = arith.constant 1 : i8
  %x = tile.shared : memref<1x32xi8, #gpu.address_space<workgroup>>
  // expected-error@+1 {{puts 2 values of 'i8', which is no width of it}}
  tile.put %byte, %byte -> %x[%n, %n] : i8, i8 -> memref<1x32xi8, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// put_c1
tile.kernel @k() push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %word = arith.constant 1 : i32
  %x = tile.shared : memref<1x32xi8, #gpu.address_space<workgroup>>
  // expected-error@+1 {{puts 'i32' into memory of 'i8'}}
  tile.put %word -> %x[%n, %n] : i32 -> memref<1x32xi8, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// put_c2
tile.kernel @k() push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %word = arith.constant 1 : i32
  %x = tile.shared : memref<1x32xi32, #gpu.address_space<workgroup>>
  // expected-error@+1 {{has a column that is not known to be a multiple of 2}}
  tile.put %word, %word -> %x[%n, %n] : i32, i32 -> memref<1x32xi32, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// lane_row_c1
tile.kernel @k(%w: memref<?xi32> read) push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  // expected-error@+1 {{takes rows of 'i32', not i8}}
  %u = tile.lane_row %w[%n] depth 16 : memref<?xi32> -> vector<4xi32>
  tile.return
}

// -----

// lane_row_c2
tile.kernel @k(%w: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  // expected-error@+1 {{takes a row of 16 elements that is not known to be whole units of 16}}
  %u = tile.lane_row %w[%n] depth 16 : memref<?xi8> -> vector<4xi32>
  tile.return
}

// -----

// lane_row_c3
tile.kernel @k(%w: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %first = arith.constant 0 : index
  // expected-error@+1 {{gives 1 units; a lane of a cooperative layout has 2}}
  %u = tile.lane_row %w[%first] depth 144 : memref<?xi8> -> vector<4xi32>
  tile.return
}

// -----

// subgroup_sum_c1
tile.kernel @k() push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = false>) {
  %word = arith.constant 1 : i32
  // expected-error@+1 {{sums over a subgroup in a layout that is not cooperative}}
  %s = tile.subgroup_sum %word
  tile.return
}
