// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @store_global
// CHECK: tile.store_global %{{.*}}, %{{.*}}[%{{.*}}] pitch %{{.*}} : <16x16xf32, acc>, memref<?xf32>
tile.kernel @store_global(%y: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<16x16xf32, acc>
  tile.store_global %m, %y[%c0] pitch %c16 : !tile.matrix<16x16xf32, acc>, memref<?xf32>
  tile.return
}
