// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @load
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<8x16xf32, #gpu.address_space<workgroup>> -> <8x16xf32, acc>
// CHECK: tile.load %{{.*}} -> <8x8xf32, a>
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] transposed : memref<32x16xf16, #gpu.address_space<workgroup>> -> <16x32xf16, b>
tile.kernel @load() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %m = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf32, acc>
  %n = tile.load %s[%c0, %c0] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x8xf32, a>
  %t = tile.shared : memref<32x16xf16, #gpu.address_space<workgroup>>
  %b = tile.load %t[%c0, %c0] transposed : memref<32x16xf16, #gpu.address_space<workgroup>> -> !tile.matrix<16x32xf16, b>
  tile.return
}
