// RUN: rung-opt %s --tile-expand-fma=profile=lavapipe | FileCheck %s --check-prefix=TWICE
// RUN: rung-opt %s --tile-expand-fma=profile=nvidia-hopper | FileCheck %s --check-prefix=ONCE

// ONCE: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f16
// ONCE: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
// ONCE: math.fma %{{.*}}, %{{.*}}, %{{.*}} fastmath<contract> : f16

// TWICE: %[[A:.*]] = memref.load %{{.*}} : memref<?xf16>
// TWICE: %[[P:.*]] = arith.mulf %[[A]], %[[A]] : f16
// TWICE: arith.bitcast %[[P]] : f16 to i16
// TWICE: arith.sitofp %{{.*}} : i32 to f16
// TWICE: %[[S:.*]] = arith.addf %[[P]], %[[A]] : f16
// TWICE: %[[R:.*]] = arith.addf %[[S]], %{{.*}} : f16
// TWICE: memref.store %[[R]], %{{.*}} : memref<?xf16>
// TWICE-NOT: math.fma {{.*}} : f16
// TWICE: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
// TWICE: %[[Q:.*]] = arith.mulf %[[A]], %[[R]] : f16
// TWICE-NEXT: %[[T:.*]] = arith.addf %[[Q]], %[[A]] : f16
// TWICE-NEXT: memref.store %[[T]], %{{.*}} : memref<?xf16>
tile.kernel @k(%x: memref<?xf16> read_write, %y: memref<?xf32> read_write)
    push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %t = gpu.thread_id x
  %a = memref.load %x[%t] : memref<?xf16>
  %f = math.fma %a, %a, %a : f16
  memref.store %f, %x[%t] : memref<?xf16>
  // f32 is none of its business.
  %b = memref.load %y[%t] : memref<?xf32>
  %g = math.fma %b, %b, %b : f32
  memref.store %g, %y[%t] : memref<?xf32>
  // Either rounding will do.
  %h = math.fma %a, %f, %a fastmath<contract> : f16
  memref.store %h, %x[%t] : memref<?xf16>
}
