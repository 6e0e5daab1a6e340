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
