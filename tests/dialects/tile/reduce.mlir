// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @reduce
// CHECK: tile.barrier
// CHECK: tile.reduce add %{{.*}} : f32
// CHECK: tile.reduce max %{{.*}} : i32
// CHECK: tile.reduce min %{{.*}} : f32
tile.kernel @reduce() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %f = arith.constant 1.0 : f32
  %i = arith.constant 1 : i32
  tile.barrier
  %0 = tile.reduce add %f : f32
  %1 = tile.reduce max %i : i32
  %2 = tile.reduce min %f : f32
  tile.return
}
