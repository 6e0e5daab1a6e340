// RUN: rung-opt %s --tile-verify-single-dispatch='profile=nvidia-hopper' --split-input-file --verify-diagnostics

// expected-error@+1 {{133 workgroups wait for each other; profile 'nvidia-hopper' runs 132 at once}}
tile.program @step attributes {rung.single_dispatch =
    {groups = 133 : i64, shared_bytes = 49152 : i64}} {
}

// -----

// expected-error@+1 {{kernel needs 65536 bytes of shared memory; profile 'nvidia-hopper' has 49152}}
tile.program @step attributes {rung.single_dispatch =
    {groups = 132 : i64, shared_bytes = 65536 : i64}} {
}

// -----

// expected-error@+1 {{has 0 commands and not the one dispatch of tile-fuse-dispatches}}
tile.program @step attributes {rung.single_dispatch =
    {groups = 132 : i64, shared_bytes = 49152 : i64}} {
}

// -----

tile.kernel @all(%y: memref<?xf32> write) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
}
tile.program @step attributes {rung.single_dispatch =
    {groups = 8 : i64, shared_bytes = 49152 : i64}} {
  %y = tile.buffer output 0 size <TB * 4> : !tile.buffer<f32>
  // expected-error@+1 {{has 9 workgroups that wait for each other; 8 are allowed}}
  tile.dispatch @all groups(<9>, <1>, <1>) (%y) push [] : !tile.buffer<f32>
}
