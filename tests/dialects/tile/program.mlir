// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.program @encode {
// CHECK: %[[X:.*]] = tile.buffer input 0 size <TB * 4> : <f32>
// CHECK: %[[Y:.*]] = tile.buffer output 1 size <TB * 4> : <f32>
// CHECK: tile.buffer scratch size <B * 64> : <f16>
// CHECK: tile.packed count 64 [#tile.piece<weight = @w, offset = 0, sizes = [4, 8], source_strides = [8, 1], target_offset = 0, target_strides = [16, 1]>] : <f16>
// CHECK: tile.dispatch @k groups(<ceil(TB / 16)>, <4>, <1>) (%[[X]], %[[Y]]) push [TB] : !tile.buffer<f32>, !tile.buffer<f32>
// CHECK: tile.repeat T {
// CHECK: tile.dispatch @k groups(<1>, <1>, <1>) (%[[X]], %[[Y]]) push [step] : !tile.buffer<f32>, !tile.buffer<f32>
tile.kernel @k(%x: memref<?xf32> read, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = false>) {
}

tile.program @encode {
  %x = tile.buffer input 0 size <TB * 4> : !tile.buffer<f32>
  %y = tile.buffer output 1 size <TB * 4> : !tile.buffer<f32>
  %s = tile.buffer scratch size <B * 64> : !tile.buffer<f16>
  %w = tile.packed count 64
    [#tile.piece<weight = @w, offset = 0, sizes = [4, 8],
                 source_strides = [8, 1], target_offset = 0,
                 target_strides = [16, 1]>] : !tile.buffer<f16>
  tile.dispatch @k groups(<ceil(TB / 16)>, <4>, <1>) (%x, %y) push [TB]
    : !tile.buffer<f32>, !tile.buffer<f32>
  tile.repeat T {
    tile.dispatch @k groups(<1>, <1>, <1>) (%x, %y) push [step]
      : !tile.buffer<f32>, !tile.buffer<f32>
  }
}
