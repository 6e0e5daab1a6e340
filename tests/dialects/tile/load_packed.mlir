// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @load_packed
// CHECK: tile.load_packed %{{.*}}[%{{.*}}] pitch %{{.*}} : memref<?xf16> -> <8x16xf16, b>
// CHECK: tile.load_packed %{{.*}}[%{{.*}}] pitch %{{.*}} transposed : memref<?xf16> -> <8x16xf16, b>
tile.kernel @load_packed(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<8x16xf16, b>
  %d = tile.load_packed %w[%c0] pitch %c16 transposed
      : memref<?xf16> -> !tile.matrix<8x16xf16, b>
  tile.return
}
