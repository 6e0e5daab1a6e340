// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @broadcast
// CHECK: tile.broadcast_row %{{.*}}[%{{.*}}] : memref<?xf32> -> <8x16xf32, acc>
// CHECK: tile.broadcast_column %{{.*}}[%{{.*}}, %{{.*}}] : memref<8x16xf32, #gpu.address_space<workgroup>> -> <8x16xf32, acc>
tile.kernel @broadcast(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %m = tile.broadcast_row %x[%c0] : memref<?xf32> -> !tile.matrix<8x16xf32, acc>
  %n = tile.broadcast_column %s[%c0, %c8] : memref<8x16xf32, #gpu.address_space<workgroup>> -> !tile.matrix<8x16xf32, acc>
  tile.return
}
