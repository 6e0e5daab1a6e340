// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @read
// CHECK: %[[V:.*]]:4 = tile.read %{{.*}}[%{{.*}}] : memref<?xf32> -> f32, f32, f32, f32
// CHECK: tile.write %[[V]]#0, %[[V]]#2 -> %{{.*}}[%{{.*}}] : f32, f32 -> memref<?xf32>
// CHECK: %[[ONE:.*]] = tile.read %{{.*}} : memref<?xi8> -> i8
tile.kernel @read(%x: memref<?xf32> read_write, %b: memref<?xi8> read) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64, cooperative = false>) {
  %c4 = arith.constant 4 : index
  %i = arith.muli %n, %c4 : index
  %v:4 = tile.read %x[%i] : memref<?xf32> -> f32, f32, f32, f32
  tile.write %v#0, %v#2 -> %x[%i] : f32, f32 -> memref<?xf32>
  %one = tile.read %b[%n] : memref<?xi8> -> i8
  tile.return
}
