// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @fill
// CHECK: %[[M:.*]] = tile.fill %{{.*}} : f32 -> <8x16xf32, acc>
// CHECK: tile.store %[[M]], %{{.*}}[%{{.*}}, %{{.*}}] : <8x16xf32, acc>, memref<8x16xf32, #gpu.address_space<workgroup>>
tile.kernel @fill() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  tile.store %m, %s[%c0, %c0] : !tile.matrix<8x16xf32, acc>, memref<8x16xf32, #gpu.address_space<workgroup>>
  tile.return
}
