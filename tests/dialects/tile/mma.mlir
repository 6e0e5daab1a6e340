// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @mma
// CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : <8x16xf32, acc>, <8x32xf16, a>, <32x16xf16, b>
tile.kernel @mma(%w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %acc = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %a = tile.load %s[%c0, %c0] : memref<8x64xf16, #gpu.address_space<workgroup>> -> !tile.matrix<8x32xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xf16> -> !tile.matrix<32x16xf16, b>
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xf32, acc>, !tile.matrix<8x32xf16, a>, !tile.matrix<32x16xf16, b>
  tile.return
}

// CHECK-LABEL: @mma_integer
// CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : <8x16xi32, acc>, <8x32xi8, a>, <32x16xi8, b>
tile.kernel @mma_integer(%w: memref<?xi8> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x64xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %acc = tile.fill %z : i32 -> !tile.matrix<8x16xi32, acc>
  %a = tile.load %s[%c0, %c0] : memref<8x64xi8, #gpu.address_space<workgroup>> -> !tile.matrix<8x32xi8, a>
  %b = tile.load_packed %w[%c0] pitch %c16
      : memref<?xi8> -> !tile.matrix<32x16xi8, b>
  %r = tile.mma %acc, %a, %b : !tile.matrix<8x16xi32, acc>, !tile.matrix<8x32xi8, a>, !tile.matrix<32x16xi8, b>
  tile.return
}
