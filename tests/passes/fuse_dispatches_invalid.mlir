// RUN: rung-opt %s --tile-distribute --tile-fuse-dispatches --split-input-file --verify-diagnostics

tile.kernel @part(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %m = tile.shared : memref<3x16xf32, #gpu.address_space<workgroup>>
}
// expected-remark@+1 {{function 'step' runs in several dispatches: its kernels use 192 bytes of shared memory together, of 128}}
tile.program @step attributes {rung.single_dispatch =
    {groups = 4 : i64, shared_bytes = 128 : i64}} {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  tile.dispatch @part groups(<TB>, <1>, <1>) (%y) push [] : !tile.buffer<f32>
}

// -----

// What a part forbids is proven, although the kernel that it becomes part of
// may hold it.
tile.kernel @part(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) attributes {rung.forbid = "f32"} {
  %t = gpu.thread_id x
  // expected-error@+1 {{'arith.constant' has 'f32' in kernel 'part', which may hold no float of more than 16 bits}}
  %v = arith.constant 1.0 : f32
  memref.store %v, %y[%t] : memref<?xf32>
}
tile.program @step attributes {rung.single_dispatch =
    {groups = 4 : i64, shared_bytes = 128 : i64}} {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  tile.dispatch @part groups(<TB>, <1>, <1>) (%y) push [] : !tile.buffer<f32>
}

// -----

// expected-error@+1 {{has 'rung.single_dispatch' without a positive 'groups'}}
tile.program @step attributes {rung.single_dispatch =
    {groups = 0 : i64, shared_bytes = 128 : i64}} {
}

// -----

tile.kernel @part(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
}
tile.program @step attributes {rung.single_dispatch =
    {groups = 4 : i64, shared_bytes = 128 : i64}} {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{repeats B times; only repeats over time become loops of a kernel}}
  tile.repeat B {
    tile.dispatch @part groups(<TB>, <1>, <1>) (%y) push [] : !tile.buffer<f32>
  }
}
