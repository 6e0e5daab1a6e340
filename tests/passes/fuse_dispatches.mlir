// RUN: rung-opt %s --tile-distribute --tile-fuse-dispatches --canonicalize --cse --split-input-file | FileCheck %s
// RUN: rung-opt %s --tile-distribute --tile-fuse-dispatches --split-input-file | rung-opt --split-input-file --tile-verify-single-dispatch='profile=nvidia-hopper'

// `wide` and `narrow` share a stage, and workgroups: narrow's one group goes to
// the workgroup behind the last of wide's. `sum` waits for both, and each of its
// steps for the one before. What `sum` reads of the output lies in scratch and
// is copied after all workgroups are done. Narrow's surplus threads store
// nothing. Shared arrays of one element type lie in one memory, as one row.
//
// CHECK: tile.kernel @step_0(%[[X:[a-z_0-9]+]]: memref<?xf32, #spirv.storage_class<StorageBuffer>> read,
// CHECK-SAME: %[[S:[a-z_0-9]+]]: memref<?xf32, #spirv.storage_class<StorageBuffer>> read_write,
// CHECK-SAME: %[[R:[a-z_0-9]+]]: memref<?xf32, #spirv.storage_class<StorageBuffer>> read_write,
// CHECK-SAME: %[[H:[a-z_0-9]+]]: memref<?xf32, #spirv.storage_class<StorageBuffer>> read_write,
// CHECK-SAME: %[[Y:[a-z_0-9]+]]: memref<?xf32, #spirv.storage_class<StorageBuffer>> write,
// CHECK-SAME: %[[P:[a-z_0-9]+]]: memref<?xi32, #spirv.storage_class<StorageBuffer>> read_write)
// CHECK-SAME: push(%[[T:[a-z_0-9]+]], %[[B:[a-z_0-9]+]])
// CHECK-SAME: subgroup_size = 16, cooperative = false>) attributes {tile.joint}
// CHECK-DAG: %[[G4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[G8:.*]] = arith.constant 8 : index
// CHECK: %[[M:.*]] = tile.shared : memref<1x32xf32, #spirv.storage_class<Workgroup>>
// CHECK: tile.shared : memref<1x12xvector<4xi32>, #spirv.storage_class<Workgroup>>
// CHECK-NOT: tile.shared
// CHECK: %[[GROUP:.*]] = gpu.block_id x
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[TB:.*]] = arith.muli %[[T]], %[[B]]
// CHECK: %[[ALL:.*]] = arith.muli %[[TB]],
// CHECK: scf.for %[[AT:.*]] = %[[GROUP]] to %[[ALL]] step %[[G4]] {
// CHECK: arith.remui %[[AT]], %[[TB]]
// CHECK: memref.store %{{.*}}, %[[M]]
// CHECK: tile.barrier
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: tile.barrier
// CHECK: }
// CHECK: %[[TAKEN:.*]] = arith.remui %[[ALL]], %[[G4]]
// CHECK: %[[BEHIND:.*]] = arith.subi %[[G4]], %[[TAKEN]]
// CHECK: %[[SHIFTED:.*]] = arith.addi %[[GROUP]], %[[BEHIND]]
// CHECK: %[[FIRST:.*]] = arith.remui %[[SHIFTED]], %[[G4]]
// CHECK: scf.for %{{.*}} = %[[FIRST]]
// CHECK: %[[TWIN:.*]] = arith.remui %[[THREAD]], %[[G8]]
// CHECK: memref.load %[[X]][%[[TWIN]]]
// CHECK: %[[OWN:.*]] = arith.cmpi ult, %[[THREAD]], %[[G8]]
// CHECK: scf.if %[[OWN]] {
// CHECK-NEXT: memref.store %{{.*}}, %[[R]]
// CHECK: tile.atomic add %{{.*}}, %[[P]][%{{.*}}] release
// CHECK: %[[COUNT:.*]] = scf.for %[[STEP:.*]] = %{{.*}} to %[[T]] step %{{.*}} iter_args(%[[SEEN:.*]] = %[[G4]])
// CHECK: %[[LATER:.*]] = arith.cmpi sgt, %[[STEP]],
// CHECK: scf.if %[[LATER]] -> (index) {
// CHECK: %[[NEXT:.*]] = arith.addi %[[SEEN]], %[[G4]]
// CHECK: tile.atomic add %{{.*}}, %[[P]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: memref.load %[[R]][%[[STEP]]]
// CHECK: memref.store %{{.*}}, %[[H]]
// CHECK: tile.atomic add %{{.*}}, %[[P]]
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.load %[[H]]
// CHECK: memref.store %[[V]], %[[Y]]
// CHECK-NOT: tile.kernel
//
// CHECK: tile.program @step
// CHECK: %[[BP:.*]] = tile.buffer progress size <4> : <i32>
// CHECK-COUNT-2: tile.buffer scratch size <TB * 64>
// CHECK: %[[BH:.*]] = tile.buffer scratch size <TB * 64>
// CHECK: %[[BY:.*]] = tile.buffer output 0 size <TB * 64>
// CHECK-NOT: tile.repeat
// CHECK: tile.dispatch @step_0 groups(<4>, <1>, <1>) (%{{.*}}, %{{.*}}, %{{.*}}, %[[BH]], %[[BY]], %[[BP]]) push [T, B]
// CHECK-NOT: tile.dispatch
tile.kernel @wide(%x: memref<?xf32> read, %s: memref<?xf32> write) push(%n)
    layout(<instruction = [1, 16, 1], subgroups = 1, subgroup_size = 16,
            cooperative = false>) {
  %g = gpu.block_id x
  %t = gpu.thread_id x
  %m = tile.shared : memref<2x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%t] : memref<?xf32>
  memref.store %v, %m[%c0, %t]
      : memref<2x16xf32, #gpu.address_space<workgroup>>
  tile.barrier
  %w = memref.load %m[%c0, %g]
      : memref<2x16xf32, #gpu.address_space<workgroup>>
  memref.store %w, %s[%t] : memref<?xf32>
}
tile.kernel @narrow(%x: memref<?xf32> read, %r: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %t = gpu.thread_id x
  %g = gpu.block_id y
  %i = arith.addi %t, %g : index
  %m = tile.shared : memref<3x16xf32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<?xf32>
  memref.store %v, %r[%i] : memref<?xf32>
}
tile.kernel @sum(%s: memref<?xf32> read, %r: memref<?xf32> read,
                 %h: memref<?xf32> read_write) push(%i)
    layout(<instruction = [1, 16, 1], subgroups = 1, subgroup_size = 16,
            cooperative = false>) {
  %t = gpu.thread_id x
  %a = memref.load %s[%t] : memref<?xf32>
  %b = memref.load %r[%i] : memref<?xf32>
  %c = arith.addf %a, %b : f32
  memref.store %c, %h[%t] : memref<?xf32>
}
tile.program @step attributes {rung.single_dispatch =
    {groups = 4 : i64, shared_bytes = 4096 : i64}} {
  %x = tile.buffer input 0 size <TB * 64> : !tile.buffer<f32>
  %s = tile.buffer scratch size <TB * 64> : !tile.buffer<f32>
  %r = tile.buffer scratch size <TB * 64> : !tile.buffer<f32>
  %h = tile.buffer output 0 size <TB * 64> : !tile.buffer<f32>
  tile.dispatch @wide groups(<TB>, <2>, <1>) (%x, %s) push [TB]
      : !tile.buffer<f32>, !tile.buffer<f32>
  tile.dispatch @narrow groups(<1>, <ceil(B / 4)>, <1>) (%x, %r) push []
      : !tile.buffer<f32>, !tile.buffer<f32>
  tile.repeat T {
    tile.dispatch @sum groups(<1>, <1>, <1>) (%s, %r, %h) push [step]
        : !tile.buffer<f32>, !tile.buffer<f32>, !tile.buffer<f32>
  }
}

// -----

// In 16 rows no stage has work for more than four workgroups; other programs
// stay.
// CHECK: tile.kernel @other(
// CHECK: tile.program @f
// CHECK: tile.dispatch @other groups(<TB>, <1>, <1>)
// CHECK: tile.kernel @step_0(
// CHECK: tile.dispatch @step_0 groups(<4>, <1>, <1>)
tile.kernel @other(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
}
tile.program @f {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  tile.dispatch @other groups(<TB>, <1>, <1>) (%y) push [] : !tile.buffer<f32>
}
tile.kernel @part(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
}
tile.program @step attributes {rung.single_dispatch =
    {groups = 132 : i64, shared_bytes = 4096 : i64}} {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  tile.dispatch @part groups(<ceil(TB / 4)>, <1>, <1>) (%y) push []
      : !tile.buffer<f32>
}
