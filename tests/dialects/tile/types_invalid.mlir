// RUN: rung-opt %s --split-input-file --verify-diagnostics

// matrix_c1
// expected-error@+1 {{extents 0x64 are not positive}}
func.func private @f(!tile.matrix<0x64xf32, acc>)

// -----

// matrix_c2
// expected-error@+1 {{element type 'f64' is none of f32, f16, bf16, i32, i8}}
func.func private @f(!tile.matrix<8x8xf64, acc>)

// -----

// expected-error@+1 {{rank 1 is not 2: expected rows x columns}}
func.func private @f(!tile.matrix<8xf32, acc>)

// -----

// expected-error@+1 {{'c' is none of a, b, acc}}
func.func private @f(!tile.matrix<8x8xf32, c>)

// -----

// flight_c1
// expected-error@+1 {{extents 8x0 are not positive}}
func.func private @f(!tile.flight<8x0xf32>)

// -----

// flight_c2
// expected-error@+1 {{element type 'i64' is none of f32, f16, bf16, i32, i8}}
func.func private @f(!tile.flight<8x8xi64>)

// -----

// flight_c3
// expected-error@+1 {{width 3 of 'f32' makes no accesses of 4, 8 or 16 bytes}}
func.func private @f(!tile.flight<8x12xf32, width 3>)

// -----

// flight_c3
// expected-error@+1 {{width 2 of 'i8' makes no accesses of 4, 8 or 16 bytes}}
func.func private @f(!tile.flight<8x12xi8, width 2>)

// -----

// flight_c3
// expected-error@+1 {{width 0 of 'f16' makes no accesses of 4, 8 or 16 bytes}}
func.func private @f(!tile.flight<8x12xf16, width 0>)

// -----

// flight_c3
// expected-error@+1 {{width 8 does not divide 12 columns}}
func.func private @f(!tile.flight<8x12xf16, width 8>)
