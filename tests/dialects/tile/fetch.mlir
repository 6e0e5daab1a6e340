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

// So is what loops, remainders, choices and casts make of such numbers; what is
// nothing but zero is a multiple of everything.
// CHECK-LABEL: @fetch_in_loop
// CHECK: } : memref<?xf16> -> <8x16xf16, width 8>
tile.kernel @fetch_in_loop(%x: memref<?xf16> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %words = arith.constant 64 : i32
  %c64 = arith.index_cast %words : i32 to index
  scf.for %i = %c16 to %n step %c24 {
    %rest = arith.remui %i, %c64 : index
    %last = arith.minsi %rest, %c24 : index
    %late = arith.cmpi slt, %n, %i : index
    %base = arith.select %late, %last, %c0 : index
    %f = tile.fetch %x[%base] pitch %c24 columns %c16 rows {
    ^bb0(%r: index):
      tile.yield %r : index
    } : memref<?xf16> -> !tile.flight<8x16xf16, width 8>
  }
  tile.return
}
