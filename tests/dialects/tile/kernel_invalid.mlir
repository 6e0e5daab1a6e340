// RUN: rung-opt %s --split-input-file --verify-diagnostics

// kernel_c1
// expected-error@+1 {{has 2 accesses but 1 arguments}}
"tile.kernel"() <{access = [#tile.access<read>, #tile.access<read>], layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8, cooperative = false>, sym_name = "k"}> ({
^bb0(%x: memref<?xf32>):
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// kernel_c1
// expected-error@+1 {{push constant 0 is 'memref<?xf32>', not index; each buffer needs an access}}
"tile.kernel"() <{access = [#tile.access<read>], layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8, cooperative = false>, sym_name = "k"}> ({
^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'reed' is none of read, write, read_write}}
tile.kernel @k(%x: memref<?xf32> reed) push() layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
}

// -----

// kernel_c2
// expected-error@+1 {{buffer 0 is 'memref<4xf32>', not memref<?xT>}}
tile.kernel @k(%x: memref<4xf32> read) push() layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
}

// -----

// kernel_c2
// expected-error@+1 {{buffer 0 has element type 'f64', none of f32, f16, bf16, i32, i8}}
tile.kernel @k(%x: memref<?xf64> read) push() layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
}

// -----

// kernel_c3
tile.kernel @k(%w: memref<?xf16> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = tile.load_packed %w[%c0] pitch %c8
      : memref<?xf16> -> !tile.matrix<8x16xf16, b>
  // expected-error@+1 {{carries '!tile.matrix<8x16xf16, b>'; in a plain layout only accumulators may be carried through loops and branches}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %b)
      -> !tile.matrix<8x16xf16, b> {
    scf.yield %v : !tile.matrix<8x16xf16, b>
  }
  tile.return
}
