// RUN: rung-opt %s --tile-distribute --tile-to-spirv --split-input-file | FileCheck %s

// A GRU's update: one reciprocal for the gate and the candidate's tanh.
// CHECK-LABEL: spirv.module @update
// CHECK: %[[P:.*]] = spirv.GL.Exp %{{.*}} : f32
// CHECK: %[[D:.*]] = spirv.FAdd %[[P]], %{{.*}} : f32
// CHECK-NOT: spirv.FDiv
// CHECK: %[[X2:.*]] = spirv.FMul
// CHECK: %[[LARGE:.*]] = spirv.FOrdGreaterThan %[[X2]], %[[MOST:.*]] : f32
// CHECK: %[[X:.*]] = spirv.Select %[[LARGE]], %[[MOST]], %[[X2]]
// CHECK: %[[E:.*]] = spirv.GL.Exp %[[X]] : f32
// CHECK: %[[SUM:.*]] = spirv.FAdd %[[E]], %{{.*}} : f32
// CHECK: %[[ABOVE:.*]] = spirv.FSub %[[E]], %{{.*}} : f32
// CHECK: %[[PART:.*]] = spirv.FMul %[[H:.*]], %[[SUM]] : f32
// CHECK: %[[DISTANCE:.*]] = spirv.FSub %[[ABOVE]], %[[PART]] : f32
// CHECK: %[[BELOW:.*]] = spirv.FMul %[[D]], %[[SUM]] : f32
// CHECK: %[[R:.*]] = spirv.FDiv %{{.*}}, %[[BELOW]] : f32
// CHECK: %[[M:.*]] = spirv.FMul %[[R]], %[[DISTANCE]] : f32
// CHECK: spirv.FAdd %[[H]], %[[M]] : f32
// CHECK-NOT: spirv.FDiv
tile.kernel @update(%m: memref<?xf32> read_write)
    push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %z = memref.load %m[%c0] : memref<?xf32>
  %h = memref.load %m[%c1] : memref<?xf32>
  %x = memref.load %m[%c2] : memref<?xf32>
  %p = math.exp %z : f32
  %d = arith.addf %p, %one : f32
  %u = arith.divf %one, %d : f32
  %n = math.tanh %x : f32
  %distance = arith.subf %n, %h : f32
  %step = arith.mulf %u, %distance : f32
  %y = arith.addf %h, %step : f32
  memref.store %y, %m[%c0]
      : memref<?xf32>
}

// -----

// An LSTM's output; a tanh that something else uses, too, stays one.
// CHECK-LABEL: spirv.module @output
// CHECK: %[[D:.*]] = spirv.FAdd
// CHECK: %[[E:.*]] = spirv.GL.Exp
// CHECK: %[[SUM:.*]] = spirv.FAdd %[[E]]
// CHECK: %[[ABOVE:.*]] = spirv.FSub %[[E]]
// CHECK: %[[BELOW:.*]] = spirv.FMul %[[D]], %[[SUM]]
// CHECK: %[[R:.*]] = spirv.FDiv %{{.*}}, %[[BELOW]]
// CHECK: spirv.FMul %[[R]], %[[ABOVE]]
// CHECK: %[[Q:.*]] = spirv.FDiv
// CHECK: %[[T:.*]] = spirv.FSub %{{.*}}, %[[Q]]
// CHECK: %[[G:.*]] = spirv.FDiv
// CHECK: spirv.FMul %[[G]], %[[T]] : f32
// CHECK: spirv.Store {{.*}}, %[[T]] : f32
tile.kernel @output(%m: memref<?xf32> read_write)
    push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %z = memref.load %m[%c0] : memref<?xf32>
  %x = memref.load %m[%c1] : memref<?xf32>
  %p = math.exp %z : f32
  %d = arith.addf %one, %p : f32
  %o = arith.divf %one, %d : f32
  %t = math.tanh %x : f32
  %y = arith.mulf %o, %t : f32
  memref.store %y, %m[%c0]
      : memref<?xf32>
  %s = math.tanh %z : f32
  %q = arith.divf %one, %d : f32
  %w = arith.mulf %q, %s : f32
  memref.store %w, %m[%c1]
      : memref<?xf32>
  memref.store %s, %m[%c2]
      : memref<?xf32>
}
