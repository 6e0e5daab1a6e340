// RUN: rung-opt %s --split-input-file --verify-diagnostics

// shared_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  // expected-error@+1 {{has type 'memref<?x8xf16, #gpu.address_space<workgroup>>', whose shape is not static}}
  %0 = tile.shared : memref<?x8xf16, #gpu.address_space<workgroup>>
  tile.return
}

// -----

// shared_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  // expected-error@+1 {{has type 'memref<8x8xf16>', which is not in #gpu.address_space<workgroup>}}
  %0 = tile.shared : memref<8x8xf16>
  tile.return
}

// -----

// shared_c2
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %true = arith.constant true
  scf.if %true {
    // expected-error@+1 {{stands in 'scf.if', not at the top level of a tile.kernel}}
    %0 = tile.shared : memref<8x8xf16, #gpu.address_space<workgroup>>
  }
  tile.return
}
