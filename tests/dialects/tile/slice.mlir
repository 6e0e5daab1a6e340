// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @slice
// CHECK: tile.slice %{{.*}}[16, 32] : <32x64xf32, acc> -> <16x16xf32, acc>
tile.kernel @slice() push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<32x64xf32, acc>
  %p = tile.slice %m[16, 32] : !tile.matrix<32x64xf32, acc> -> !tile.matrix<16x16xf32, acc>
  tile.return
}
