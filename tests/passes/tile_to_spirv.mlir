// RUN: rung-opt %s --tile-distribute --tile-to-spirv --split-input-file | FileCheck %s

// CHECK: spirv.module @frame Logical Vulkan requires #spirv.vce<v1.6, [Shader, VulkanMemoryModel], []>
// CHECK-SAME: tile.access = [#tile.access<read>, #tile.access<write>]
// CHECK-DAG: spirv.GlobalVariable @buffer_0 bind(0, 0) {non_writable} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
// CHECK-DAG: spirv.GlobalVariable @buffer_1 bind(0, 1) : !spirv.ptr
// CHECK-DAG: spirv.GlobalVariable @push : !spirv.ptr<!spirv.struct<(i32 [0], i32 [4])>, PushConstant>
// CHECK-DAG: spirv.GlobalVariable @shared_0 : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f32>)>, Workgroup>
// CHECK: spirv.func @frame() "None"
// CHECK: spirv.Store "Workgroup" %{{.*}}, %{{.*}} ["NonPrivatePointer"]
// CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK: spirv.Load "Workgroup" %{{.*}} ["NonPrivatePointer"]
// CHECK: spirv.EntryPoint "GLCompute" @frame
// CHECK-SAME: @buffer_0
// CHECK: spirv.ExecutionMode @frame "LocalSize", 16, 1, 1
tile.kernel @frame(%x: memref<?xf32> read, %y: memref<?xf32> write)
    push(%T, %B)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8,
            cooperative = false>) {
  %s = tile.shared : memref<8x8xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%B] : memref<?xf32>
  memref.store %v, %s[%c0, %t] : memref<8x8xf32, #gpu.address_space<workgroup>>
  tile.barrier
  %w = memref.load %s[%c0, %T] : memref<8x8xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<?xf32>
}

// -----

// Values of loops and branches are block arguments, not variables.
// CHECK-LABEL: spirv.func @control
// CHECK-NOT: spirv.Variable
// CHECK: %[[SUM:.*]] = spirv.mlir.loop -> f32 {
// CHECK:   spirv.Branch ^[[HEADER:.*]](%{{.*}}, %{{.*}} : i32, f32)
// CHECK: ^[[HEADER]](%[[I:.*]]: i32, %[[A:.*]]: f32):
// CHECK:   spirv.BranchConditional %{{.*}}, ^[[BODY:.*]], ^[[MERGE:.*]]
// CHECK: ^[[BODY]]:
// CHECK:   %[[NEXT:.*]] = spirv.mlir.selection -> f32 {
// CHECK:     spirv.Branch ^[[JOIN:.*]](%{{.*}} : f32)
// CHECK:   ^[[JOIN]](%[[JOINED:.*]]: f32):
// CHECK:     spirv.mlir.merge %[[JOINED]] : f32
// CHECK:   spirv.Branch ^[[CONTINUE:.*]](%[[NEXT]] : f32)
// CHECK: ^[[CONTINUE]](%[[CARRIED:.*]]: f32):
// CHECK:   spirv.Branch ^[[HEADER]](%{{.*}}, %[[CARRIED]] : i32, f32)
// CHECK: ^[[MERGE]]:
// CHECK:   spirv.mlir.merge %[[A]] : f32
// CHECK: spirv.Store "StorageBuffer" %{{.*}}, %[[SUM]]
tile.kernel @control(%x: memref<?xf32> read_write) push(%T)
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %T step %c1 iter_args(%a = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<?xf32>
    %positive = arith.cmpf ogt, %v, %zero : f32
    %next = scf.if %positive -> f32 {
      %s = arith.addf %a, %v : f32
      scf.yield %s : f32
    } else {
      scf.yield %a : f32
    }
    scf.yield %next : f32
  }
  memref.store %sum, %x[%c0] : memref<?xf32>
}

// -----

// tanh is computed from one exponential, which may overflow.
// CHECK-LABEL: spirv.func @tanh
// CHECK-NOT: spirv.GL.Tanh
// CHECK: spirv.GL.Exp
// CHECK-NOT: spirv.GL.Exp
// CHECK: spirv.FAdd
// CHECK: spirv.FDiv
// CHECK: spirv.FSub
tile.kernel @tanh(%x: memref<?xf32> read_write) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xf32>
  %w = math.tanh %v : f32
  memref.store %w, %x[%t] : memref<?xf32>
}

// -----

// CHECK: spirv.module @subgroup
// CHECK-SAME: GroupNonUniform
// CHECK-SAME: SPV_KHR_cooperative_matrix
// CHECK-SAME: tile.mma_count = 0
// CHECK: spirv.KHR.CooperativeMatrixStore %{{.*}}, %{{.*}}, %{{.*}}, <RowMajor>, <NonPrivatePointer>
tile.kernel @subgroup() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8,
            cooperative = true>) {
  %s = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = tile.fill %one : f32 -> !tile.matrix<8x16xf32, acc>
  tile.store %m, %s[%c0, %c0] : !tile.matrix<8x16xf32, acc>,
      memref<8x16xf32, #gpu.address_space<workgroup>>
}

// -----

// Of f16 nothing may be contracted; what a kernel forbids stays on its module.
// CHECK: spirv.module @half {{.*}}Float16{{.*}}rung.forbid = "f32"
// CHECK: spirv.FMul %{{.*}}, %{{.*}} {no_contraction} : f16
// CHECK: spirv.FAdd %{{.*}}, %{{.*}} {no_contraction} : f16
// CHECK: spirv.FSub %{{.*}}, %{{.*}} {no_contraction} : f16
// CHECK: spirv.GL.Fma %{{.*}}, %{{.*}}, %{{.*}} {no_contraction} : f16
tile.kernel @half(%x: memref<?xf16> read_write) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) attributes {rung.forbid = "f32"} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xf16>
  %p = arith.mulf %v, %v : f16
  %s = arith.addf %p, %v : f16
  %d = arith.subf %s, %p : f16
  %f = math.fma %d, %s, %v : f16
  memref.store %f, %x[%t] : memref<?xf16>
}
