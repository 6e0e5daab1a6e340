// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @map
// CHECK: %{{.*}}:2 = tile.map(%{{.*}}, %{{.*}}) {
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK: tile.yield %[[B]], %[[A]] : f32, f32
// CHECK: } : (!tile.matrix<8x16xf32, acc>, !tile.matrix<8x16xf32, acc>) -> (!tile.matrix<8x16xf32, acc>, !tile.matrix<8x16xf32, acc>)
// CHECK: tile.map(%{{.*}}) {
// CHECK: } : (!tile.flight<8x16xf32>) -> !tile.flight<8x16xf16>
tile.kernel @map(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %both:2 = tile.map(%m, %m) {
  ^bb0(%a: f32, %b: f32):
    tile.yield %b, %a : f32, f32
  } : (!tile.matrix<8x16xf32, acc>, !tile.matrix<8x16xf32, acc>) -> (!tile.matrix<8x16xf32, acc>, !tile.matrix<8x16xf32, acc>)
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32>
  %h = tile.map(%f) {
  ^bb0(%a: f32):
    %t = arith.truncf %a : f32 to f16
    tile.yield %t : f16
  } : (!tile.flight<8x16xf32>) -> !tile.flight<8x16xf16>
  tile.return
}
