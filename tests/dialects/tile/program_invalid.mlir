// RUN: rung-opt %s --split-input-file --verify-diagnostics

// buffer_c1
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{scratch buffer has a port (3)}}
  %x = tile.buffer scratch 3 size <4> : !tile.buffer<f32>
}

// -----

// buffer_c1
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{input buffer has no port}}
  %x = tile.buffer input size <4> : !tile.buffer<f32>
}

// -----

// packed_c1
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{count 0 is not positive}}
  %w = tile.packed count 0 [] : !tile.buffer<f16>
}

// -----

// packed_c2
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{piece of @w covers elements 8 to 23 of an array of 16}}
  %w = tile.packed count 16 [#tile.piece<weight = @w, offset = 0, sizes = [16], source_strides = [1], target_offset = 8, target_strides = [1]>] : !tile.buffer<f16>
}

// -----

// packed_c2
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{piece of @w covers elements -3 to 0 of an array of 16}}
  %w = tile.packed count 16 [#tile.piece<weight = @w, offset = 0, sizes = [4], source_strides = [1], target_offset = 0, target_strides = [-1]>] : !tile.buffer<f16>
}

// -----

// packed_c2
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{piece of @w exceeds 64-bit addresses}}
  %w = tile.packed count 16 [#tile.piece<weight = @w, offset = 0, sizes = [4], source_strides = [1], target_offset = 0, target_strides = [9000000000000000000]>] : !tile.buffer<f16>
}

// -----

// dispatch_c1
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{runs 'nothing', which does not exist}}
  tile.dispatch @nothing groups(<1>, <1>, <1>) (%x, %y) push [5]
    : !tile.buffer<f32>, !tile.buffer<f32>
}

// -----

// dispatch_c1
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{runs 'p', which is a 'tile.program' and no kernel}}
  tile.dispatch @p groups(<1>, <1>, <1>) (%x, %y) push [5]
    : !tile.buffer<f32>, !tile.buffer<f32>
}

// -----

// dispatch_c2
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{gives 1 buffers; kernel 'k' has 2}}
  tile.dispatch @k groups(<1>, <1>, <1>) (%x) push [5] : !tile.buffer<f32>
}

// -----

// dispatch_c2
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f16>
  // expected-error@+1 {{gives buffer 0 of 'f16'; kernel 'k' takes 'f32'}}
  tile.dispatch @k groups(<1>, <1>, <1>) (%x, %x) push [5]
    : !tile.buffer<f16>, !tile.buffer<f16>
}

// -----

// dispatch_c3
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{pushes 2 values; kernel 'k' takes 1}}
  tile.dispatch @k groups(<1>, <1>, <1>) (%x, %y) push [T, B]
    : !tile.buffer<f32>, !tile.buffer<f32>
}

// -----

// dispatch_c4
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{pushes 'step' outside of a tile.repeat}}
  tile.dispatch @k groups(<1>, <1>, <1>) (%x, %y) push [step]
    : !tile.buffer<f32>, !tile.buffer<f32>
}

// -----

tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  // expected-error@+1 {{is no command of a tile.program}}
  %c = arith.constant 1 : index
}

// -----

tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @p {
  tile.repeat T {
    // expected-error@+1 {{is no command of a tile.repeat}}
    %c = arith.constant 1 : index
  }
}
