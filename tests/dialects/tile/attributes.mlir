// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK: layout = #tile.layout<instruction = [16, 8, 16], subgroups = 4, subgroup_size = 32, cooperative = true>
module attributes {test.layout = #tile.layout<instruction = [16, 8, 16],
    subgroups = 4, subgroup_size = 32, cooperative = true>} {}

// One row of subgroups is what is not written.
// CHECK: test.grid = [#tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true, subgroup_rows = 2>,
// CHECK-SAME: #tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = true>]
module attributes {test.grid = [
    #tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8,
                 cooperative = true, subgroup_rows = 2>,
    #tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8,
                 cooperative = true, subgroup_rows = 1>]} {}

// CHECK: test.transposed = #tile.layout<instruction = transposed [8, 16, 16], subgroups = 1, subgroup_size = 32, cooperative = true>
module attributes {test.transposed = #tile.layout<
    instruction = transposed [8, 16, 16], subgroups = 1, subgroup_size = 32,
    cooperative = true>} {}

// CHECK: test.extents = [#tile.extent<64>, #tile.extent<TB * 1024>, #tile.extent<T, ceil(B / 16) * 4>, #tile.extent<B>]
module attributes {test.extents = [#tile.extent<64>, #tile.extent<TB * 1024>,
    #tile.extent<T, ceil(B / 16) * 4>, #tile.extent<B * 1>]} {}

// CHECK: test.factor = #tile.factor<ceil(TB / 4)>
module attributes {test.factor = #tile.factor<ceil(TB / 4)>} {}

// CHECK: test.pushes = [#tile.push<T>, #tile.push<step>, #tile.push<4294967295>]
module attributes {test.pushes = [#tile.push<T>, #tile.push<step>,
    #tile.push<4294967295>]} {}

// CHECK: test.piece = #tile.piece<weight = @w, offset = 3, sizes = [4, 8], source_strides = [8, 1], target_offset = 16, target_strides = [16, 2]>
module attributes {test.piece = #tile.piece<weight = @w, offset = 3,
    sizes = [4, 8], source_strides = [8, 1], target_offset = 16,
    target_strides = [16, 2]>} {}
