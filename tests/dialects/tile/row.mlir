// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @row
// CHECK: %[[W:.*]]:2 = tile.lane_row %{{.*}}[%{{.*}}] depth 144 : memref<?xi8> -> vector<4xi32>, vector<4xi32>
// CHECK: tile.put %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} -> %[[X:.*]][%{{.*}}, %{{.*}}] : i8, i8, i8, i8 -> memref<1x144xi8, #gpu.address_space<workgroup>>
// CHECK: %[[A:.*]]:2 = tile.lane_row %[[X]][%{{.*}}] depth 144
// CHECK: %[[P:.*]] = tile.unit_dot %{{.*}}, %[[W]]#0, %[[A]]#0
// CHECK: %[[Q:.*]] = tile.unit_dot %[[P]], %[[W]]#1, %[[A]]#1
// CHECK: %{{.*}} = tile.subgroup_sum %[[Q]]
tile.kernel @row(%w: memref<?xi8> read, %y: memref<?xi32> write) push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %zero = arith.constant 0 : i32
  %byte = arith.constant 1 : i8
  %first = arith.constant 0 : index
  %c144 = arith.constant 144 : index
  %row = arith.muli %n, %c144 : index
  %u:2 = tile.lane_row %w[%row] depth 144 : memref<?xi8> -> vector<4xi32>, vector<4xi32>
  %x = tile.shared : memref<1x144xi8, #gpu.address_space<workgroup>>
  tile.put %byte, %byte, %byte, %byte -> %x[%first, %first] : i8, i8, i8, i8 -> memref<1x144xi8, #gpu.address_space<workgroup>>
  tile.barrier
  %v:2 = tile.lane_row %x[%first] depth 144 : memref<1x144xi8, #gpu.address_space<workgroup>> -> vector<4xi32>, vector<4xi32>
  %p = tile.unit_dot %zero, %u#0, %v#0 : vector<4xi32>, vector<4xi32>
  %q = tile.unit_dot %p, %u#1, %v#1 : vector<4xi32>, vector<4xi32>
  %s = tile.subgroup_sum %q
  tile.write %s -> %y[%n] : i32 -> memref<?xi32>
  tile.return
}
