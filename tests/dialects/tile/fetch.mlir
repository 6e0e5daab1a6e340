// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @fetch
// CHECK: %[[F:.*]] = tile.fetch %{{.*}}[%{{.*}}] pitch %{{.*}} columns %{{.*}} rows {
// CHECK: ^bb0(%[[R:.*]]: index):
// CHECK: tile.yield %[[R]] : index
// CHECK: } : memref<?xf32> -> <8x16xf32>
// CHECK: tile.land %[[F]], %{{.*}}[%{{.*}}, %{{.*}}] : <8x16xf32>, memref<8x16xf32
tile.kernel @fetch(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32>
  tile.land %f, %s[%c0, %c0] : !tile.flight<8x16xf32>, memref<8x16xf32, #gpu.address_space<workgroup>>
  tile.return
}

// Base, pitch and columns are multiples of four, whatever the push is.
// CHECK-LABEL: @fetch_wide
// CHECK: } : memref<?xf32> -> <8x16xf32, width 4>
// CHECK: tile.land {{.*}} : <8x16xf32, width 4>, memref<8x20xf32
tile.kernel @fetch_wide(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %s = tile.shared : memref<8x20xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %product = arith.muli %n, %c16 : index
  %base = arith.addi %product, %c12 : index
  %left = arith.subi %c12, %product : index
  %limit = arith.maxsi %left, %c0 : index
  %f = tile.fetch %x[%base] pitch %c16 columns %limit rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 4>
  tile.land %f, %s[%c0, %c0] : !tile.flight<8x16xf32, width 4>, memref<8x20xf32, #gpu.address_space<workgroup>>
  tile.return
}
