// RUN: rung-opt %s --split-input-file --verify-diagnostics

// publish_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %f = tile.fetch %w[%c0] pitch %n columns %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf16> -> !tile.flight<8x8xf16>
  // expected-error@+1 {{publishes a flight of 'f16', not i32}}
  tile.publish %f, %p[%c0] pitch %n columns %n tag %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<8x8xf16>, memref<?xi32>
}

// -----

// publish_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %f, %l = tile.await %p[%c0] columns %n tag %n polls %polls fault %p[%c0]
      : memref<?xi32>, memref<?xi32> -> !tile.flight<1x8xi32>
  // expected-error@+1 {{row region does not yield one index}}
  tile.publish %f, %p[%c0] pitch %n columns %n tag %n rows {
  ^bb0(%r: index):
    tile.yield
  } : !tile.flight<1x8xi32>, memref<?xi32>
}

// -----

// await_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  // expected-error@+1 {{gives '!tile.flight<2x8xi32>', not one row of i32}}
  %f, %l = tile.await %p[%c0] columns %n tag %n polls %polls fault %p[%c0]
      : memref<?xi32>, memref<?xi32> -> !tile.flight<2x8xi32>
}

// -----

// publish_pairs_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %f = tile.fetch %w[%c0] pitch %n columns %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf16> -> !tile.flight<8x8xf16>
  // expected-error@+1 {{publishes '!tile.flight<8x8xf16>', not pairs of f16 or of bf16}}
  tile.publish_pairs %f, %p[%c0] pitch %n columns %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<8x8xf16>, memref<?xi32>
}

// -----

// publish_pairs_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %f = tile.fetch %w[%c0] pitch %c0 columns %c0 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf16> -> !tile.flight<8x8xf16, width 2>
  // expected-error@+1 {{row region does not yield one index}}
  tile.publish_pairs %f, %p[%c0] pitch %c0 columns %c0 rows {
  ^bb0(%r: index):
    tile.yield
  } : !tile.flight<8x8xf16, width 2>, memref<?xi32>
}

// -----

// peek_rows_c1
tile.kernel @k(%p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  // expected-error@+1 {{gives '!tile.flight<8x32xf16>', not f16 or bf16 by groups of 8}}
  %f = tile.peek_rows %p[%c0] pitch %c0 first %c0 limit %n
      : memref<?xi32> -> !tile.flight<8x32xf16>
}

// -----

// peek_rows_c2
tile.kernel @k(%p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  // expected-error@+1 {{splits rows of 3 groups of 8 over 2 subgroups, and 8 of them over 16 threads}}
  %f = tile.peek_rows %p[%c0] pitch %c0 first %c0 limit %n
      : memref<?xi32> -> !tile.flight<8x24xf16, width 8>
}

// -----

// await_rows_c1
tile.kernel @k(%p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<8x24xf16, #gpu.address_space<workgroup>>
  %f = tile.peek_rows %p[%c0] pitch %c0 first %c0 limit %n
      : memref<?xi32> -> !tile.flight<8x32xf16, width 8>
  // expected-error@+1 {{lands '!tile.flight<8x32xf16, width 8>' in shared memory of 8x24x'f16'}}
  %l = tile.await_rows %f, %p[%c0] pitch %c0 first %c0 limit %n polls %polls fault %p[%c0] -> %s
      : !tile.flight<8x32xf16, width 8>, memref<?xi32>, memref<?xi32>, memref<8x24xf16, #gpu.address_space<workgroup>>
}

// -----

// lift_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<8x8xf32, #gpu.address_space<workgroup>>
  // expected-error@+1 {{memory of 'f32' gives a flight of 'f16'}}
  %f = tile.lift %s[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>> -> !tile.flight<8x8xf16>
}

// -----

// lift_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<8x8xf32, #gpu.address_space<workgroup>>
  // expected-error@+1 {{flight of 8x16 exceeds shared memory of 8x8}}
  %f = tile.lift %s[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>> -> !tile.flight<8x16xf32>
}

// -----

// deliver_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %f, %l = tile.await %p[%c0] columns %n tag %n polls %polls fault %p[%c0]
      : memref<?xi32>, memref<?xi32> -> !tile.flight<1x8xi32>
  // expected-error@+1 {{delivers a flight of 'i32' to memory of 'f32'}}
  tile.deliver %f, %y[%c0] pitch %n columns %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<1x8xi32>, memref<?xf32>
}

// -----

// deliver_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %f, %l = tile.await %p[%c0] columns %n tag %n polls %polls fault %p[%c0]
      : memref<?xi32>, memref<?xi32> -> !tile.flight<1x8xi32>
  // expected-error@+1 {{row region has argument types ('index', 'index'), not (index)}}
  tile.deliver %f, %p[%c0] pitch %n columns %n rows {
  ^bb0(%r: index, %q: index):
    tile.yield %r : index
  } : !tile.flight<1x8xi32>, memref<?xi32>
}

// -----

// load_split_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  // expected-error@+1 {{memory of 'f32' gives '!tile.matrix<8x32xf16, a>'}}
  %m = tile.load_split %y[%c0] pitch %n : memref<?xf32> -> !tile.matrix<8x32xf16, a>
}

// -----

// load_split_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  // expected-error@+1 {{splits '!tile.matrix<8x24xf16, a>'; rows must be a multiple of 8, columns one of 16, and the layout cooperative and not transposed}}
  %m = tile.load_split %w[%c0] pitch %n : memref<?xf16> -> !tile.matrix<8x24xf16, a>
}

// -----

// split_mma_c1
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<8x32xf32, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %n : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  // expected-error@+1 {{by an operand of 'f32'}}
  tile.split_mma (%m), %s -> %s from 0 : (!tile.matrix<8x32xf16, a>),
      memref<8x32xf32, #gpu.address_space<workgroup>>, memref<8x32xf32, #gpu.address_space<workgroup>>
}

// -----

// split_mma_c2
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<16x8xf32, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<1x32xf16, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %n : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  // expected-error@+1 {{needs an operand of 8x32 and has one of 1x32}}
  tile.split_mma (%m), %o -> %s from 0 : (!tile.matrix<8x32xf16, a>),
      memref<1x32xf16, #gpu.address_space<workgroup>>, memref<16x8xf32, #gpu.address_space<workgroup>>
}

// -----

// split_mma_c3
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<16x8xf32, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<1x32xf16, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %n : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  // expected-error@+1 {{stores 32 rows of sums into 'memref<16x8xf32}}
  tile.split_mma (%m), %o broadcast -> %s from 1 : (!tile.matrix<8x32xf16, a>),
      memref<1x32xf16, #gpu.address_space<workgroup>>, memref<16x8xf32, #gpu.address_space<workgroup>>
}

// -----

// split_mma_c4
tile.kernel @k(%w: memref<?xf16> read, %p: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %polls = arith.constant 100 : i32
  %s = tile.shared : memref<16x8xf32, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<1x33xf16, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %n : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  // expected-error@+1 {{has memory with rows 66 bytes apart, which is no multiple of 16}}
  tile.split_mma (%m), %o broadcast -> %s from 0 : (!tile.matrix<8x32xf16, a>),
      memref<1x33xf16, #gpu.address_space<workgroup>>, memref<16x8xf32, #gpu.address_space<workgroup>>
}

// -----

// buffer_c2
tile.program @p {
  // expected-error@+1 {{progress buffer holds 'f32', not i32}}
  %x = tile.buffer progress size <4> : !tile.buffer<f32>
}
