// RUN: rung-opt %s --split-input-file --verify-diagnostics

// layout_c1
// expected-error@+1 {{layout has 2 instruction extents; m, n and k are needed}}
module attributes {a = #tile.layout<instruction = [8, 8], subgroups = 1, subgroup_size = 8, cooperative = false>} {}

// -----

// layout_c1
// expected-error@+1 {{instruction extent 0 is not positive}}
module attributes {a = #tile.layout<instruction = [8, 8, 0], subgroups = 1, subgroup_size = 8, cooperative = false>} {}

// -----

// layout_c1
// expected-error@+1 {{layout has 0 subgroups of 8 threads; both must be positive}}
module attributes {a = #tile.layout<instruction = [8, 8, 8], subgroups = 0, subgroup_size = 8, cooperative = false>} {}

// -----

// layout_c2
// expected-error@+1 {{block of 8x8 elements does not spread evenly over 48 threads of a subgroup}}
module attributes {a = #tile.layout<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 48, cooperative = false>} {}

// -----

// layout_c3
// expected-error@+1 {{neither of subgroup size 6 and block width 4 divides the other}}
module attributes {a = #tile.layout<instruction = [3, 4, 8], subgroups = 1, subgroup_size = 6, cooperative = false>} {}

// -----

// layout_c4
// expected-error@+1 {{layout has 3 rows of 4 subgroups; their number must be positive and divide that of the subgroups}}
module attributes {a = #tile.layout<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8, cooperative = false, subgroup_rows = 3>} {}

// -----

// layout_c5
// expected-error@+1 {{layout is transposed and not cooperative}}
module attributes {a = #tile.layout<instruction = transposed [8, 8, 8], subgroups = 1, subgroup_size = 8, cooperative = false>} {}

// -----

// extent_c1
// expected-error@+1 {{divisor 0 is not positive}}
module attributes {a = #tile.extent<ceil(B / 0)>} {}

// -----

// extent_c1
// expected-error@+1 {{multiplier -4 is negative}}
module attributes {a = #tile.extent<B * -4>} {}

// -----

// expected-error@+1 {{'C' is none of one, T, B, TB}}
module attributes {a = #tile.extent<C>} {}

// -----

// expected-error@+1 {{'time' is none of T, B, TB, step, or a number}}
module attributes {a = #tile.push<time>} {}

// -----

// expected-error@+1 {{push constant 4294967296 does not fit 32 bits, unsigned}}
module attributes {a = #tile.push<4294967296>} {}

// -----

// piece_c1
// expected-error@+1 {{piece of 'w' has 5 sizes; 1 to 4 are allowed}}
module attributes {a = #tile.piece<weight = @w, offset = 0, sizes = [1, 1, 1, 1, 1], source_strides = [1, 1, 1, 1, 1], target_offset = 0, target_strides = [1, 1, 1, 1, 1]>} {}

// -----

// piece_c1
// expected-error@+1 {{piece of 'w' has 2 sizes, 1 source strides and 1 target strides}}
module attributes {a = #tile.piece<weight = @w, offset = 0, sizes = [4, 4], source_strides = [1], target_offset = 0, target_strides = [1]>} {}

// -----

// piece_c1
// expected-error@+1 {{piece of 'w' has size 0, which is not positive}}
module attributes {a = #tile.piece<weight = @w, offset = 0, sizes = [0], source_strides = [1], target_offset = 0, target_strides = [1]>} {}

// -----

// piece_c2
// expected-error@+1 {{piece of 'w' has offset -1 and target offset 0; neither may be negative}}
module attributes {a = #tile.piece<weight = @w, offset = -1, sizes = [4], source_strides = [1], target_offset = 0, target_strides = [1]>} {}
