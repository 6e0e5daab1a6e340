// RUN: rung-opt %s --split-input-file --lower-tile-to-spirv | FileCheck %s
//
// Four workgroups copy rows into scratch, wait for one another, and double the
// rows that their neighbours copied. The test program beside this file runs the
// kernel and the graph and compares them.

// One thread adds and looks, a bounded number of times; workgroup barriers
// before and after order global memory, too.
// CHECK: spirv.module @twice_kernel Logical Vulkan requires #spirv.vce<v1.6, [{{.*}}VulkanMemoryModelDeviceScope
// CHECK-DAG: %[[ZERO:.*]] = spirv.Constant 0 : i32
// CHECK: spirv.Store "StorageBuffer" %{{.*}}, %{{.*}} ["NonPrivatePointer"] : f32
// CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK: spirv.AtomicIAdd <Device> <Release|UniformMemory|MakeAvailable>
// CHECK: spirv.mlir.loop -> i32
// CHECK: spirv.AtomicOr <Device> <Acquire|UniformMemory|MakeVisible> %{{.*}}, %[[ZERO]]
// CHECK: spirv.BranchConditional
// CHECK: spirv.AtomicOr <Device> <None>
// CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK: spirv.Load "StorageBuffer" %{{.*}} ["NonPrivatePointer"] : f32
module attributes {rung.name = "twice"} {
  func.func @twice(%x: tensor<?x?x8xf32> {rnn.name = "x"})
      -> (tensor<?x?x8xf32> {rnn.name = "y"}) {
    %y = rnn.add %x, %x : tensor<?x?x8xf32>
    return %y : tensor<?x?x8xf32>
  }
}

// -----

module {
  tile.kernel @twice_kernel(%x: memref<?xf32> read, %s: memref<?xf32> read_write,
      %progress: memref<?xi32> read_write, %y: memref<?xf32> write) push(%rows)
      layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
              cooperative = true>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %group = gpu.block_id x
    %thread = gpu.thread_id x
    scf.for %row = %group to %rows step %c4 {
      %base = arith.muli %row, %c8 : index
      %i = arith.addi %base, %thread : index
      %v = memref.load %x[%i] : memref<?xf32>
      memref.store %v, %s[%i] : memref<?xf32>
    }
    tile.grid_barrier %progress[%c0] expect %c4 : memref<?xi32>
    %next = arith.addi %group, %c1 : index
    %neighbour = arith.remui %next, %c4 : index
    scf.for %row = %neighbour to %rows step %c4 {
      %base = arith.muli %row, %c8 : index
      %i = arith.addi %base, %thread : index
      %v = memref.load %s[%i] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %y[%i] : memref<?xf32>
    }
  }

  tile.program @twice {
    %x = tile.buffer input 0 size <TB * 32> : !tile.buffer<f32>
    %s = tile.buffer scratch size <TB * 32> : !tile.buffer<f32>
    %p = tile.buffer progress size <4> : !tile.buffer<i32>
    %y = tile.buffer output 0 size <TB * 32> : !tile.buffer<f32>
    tile.dispatch @twice_kernel groups(<4>, <1>, <1>) (%x, %s, %p, %y) push [TB]
        : !tile.buffer<f32>, !tile.buffer<f32>, !tile.buffer<i32>, !tile.buffer<f32>
  }
}
