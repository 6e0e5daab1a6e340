// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @convert
// CHECK: tile.convert %{{.*}} : <8x16xf32, acc> -> <8x16xf16, acc>
tile.kernel @convert() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %z = arith.constant 0.0 : f32
  %m = tile.fill %z : f32 -> !tile.matrix<8x16xf32, acc>
  %h = tile.convert %m : !tile.matrix<8x16xf32, acc> -> !tile.matrix<8x16xf16, acc>
  tile.return
}
