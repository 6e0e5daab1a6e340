// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @shared
// CHECK: tile.shared : memref<16x72xf16, #gpu.address_space<workgroup>>
tile.kernel @shared() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %0 = tile.shared : memref<16x72xf16, #gpu.address_space<workgroup>>
  tile.return
}
