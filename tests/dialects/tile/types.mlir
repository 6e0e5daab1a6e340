// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @types
// CHECK-SAME: !tile.matrix<16x64xf32, acc>
// CHECK-SAME: !tile.matrix<16x32xf16, a>
// CHECK-SAME: !tile.matrix<32x64xbf16, b>
// CHECK-SAME: !tile.flight<16x64xi32>
// CHECK-SAME: !tile.flight<16x64xf16, width 8>
// CHECK-SAME: !tile.buffer<f16>
func.func private @types(!tile.matrix<16x64xf32, acc>,
                         !tile.matrix<16x32xf16, a>,
                         !tile.matrix<32x64xbf16, b>,
                         !tile.flight<16x64xi32>,
                         !tile.flight<16x64xf16, width 8>, !tile.buffer<f16>)
