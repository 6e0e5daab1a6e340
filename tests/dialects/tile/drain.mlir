// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @drain
// CHECK: tile.drain %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}}[%{{.*}}] pitch %{{.*}} columns %{{.*}} size [8, 16] rows {
// CHECK: tile.yield %{{.*}}, %{{.*}} : index, i1
// CHECK: } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
tile.kernel @drain(%x: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [8, 16] rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  // CHECK: tile.drain {{.*}} columns %{{.*}} size [8, 16] width 4 rows {
  tile.drain %s[%c0, %c0] -> %x[%c0] pitch %c16 columns %c8 size [8, 16] width 4 rows {
  ^bb0(%r: index):
    tile.yield %r, %true : index, i1
  } : memref<8x16xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}
