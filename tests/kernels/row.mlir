// RUN: rung-opt %s --lower-tile-to-spirv | FileCheck %s
//
// A lane's part of a row: whole units, those past the row's end masked; four
// bytes are multiplied at once, and the lanes' sums added.

// CHECK: spirv.module @row Logical Vulkan requires #spirv.vce<v1.6, [{{.*}}DotProductInput4x8BitPacked, GroupNonUniformArithmetic
// CHECK: spirv.Load "StorageBuffer" %{{.*}} : vector<4xi32>
// CHECK: spirv.Load "StorageBuffer" %{{.*}} : vector<4xi32>
// CHECK: spirv.Select {{.*}} vector<4xi32>
// CHECK: spirv.ControlBarrier
// CHECK-COUNT-8: spirv.SDot %{{.*}}, %{{.*}}, <PackedVectorFormat4x8Bit> : i32 -> i32
// CHECK: spirv.GroupNonUniformIAdd <Subgroup> <Reduce>
tile.kernel @row(%w: memref<?xi8> read, %y: memref<?xi32> write) push(%n)
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8, cooperative = true>) {
  %zero = arith.constant 0 : i32
  %first = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c144 = arith.constant 144 : index
  %row = arith.muli %n, %c144 : index
  %u:2 = tile.lane_row %w[%row] depth 144 : memref<?xi8> -> vector<4xi32>, vector<4xi32>
  %x = tile.shared : memref<1x144xi8, #gpu.address_space<workgroup>>
  %f = tile.fetch %w[%first] pitch %c144 columns %c144 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xi8> -> <1x144xi8, width 16>
  tile.land %f, %x[%first, %first] : <1x144xi8, width 16>, memref<1x144xi8, #gpu.address_space<workgroup>>
  tile.barrier
  %v:2 = tile.lane_row %x[%first] depth 144 : memref<1x144xi8, #gpu.address_space<workgroup>> -> vector<4xi32>, vector<4xi32>
  %p = tile.unit_dot %zero, %u#0, %v#0 : vector<4xi32>, vector<4xi32>
  %q = tile.unit_dot %p, %u#1, %v#1 : vector<4xi32>, vector<4xi32>
  %s = tile.subgroup_sum %q
  tile.write %s -> %y[%n] : i32 -> memref<?xi32>
  tile.return
}
