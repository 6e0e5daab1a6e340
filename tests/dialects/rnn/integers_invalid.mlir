// RUN: rung-opt %s --split-input-file --verify-diagnostics

func.func @requantize_c1(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{shift is 0; it must be 1 to 62}}
    %r = rnn.requantize %p, %p shift(0) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @requantize_c1_large(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{shift is 63; it must be 1 to 62}}
    %r = rnn.requantize %p, %p shift(63) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @piecewise_c1(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{has 2 slopes, 2 offsets and 2 knots; P pieces need P slopes, P offsets and P - 1 knots}}
    %r = rnn.piecewise %p knots([0, 1]) slopes([1, 2])
        offsets([1, 2]) shift(3) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @piecewise_c1_offsets(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{has 2 slopes, 1 offsets and 1 knots}}
    %r = rnn.piecewise %p knots([0]) slopes([1, 2])
        offsets([1]) shift(3) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @piecewise_c1_empty(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{has 0 slopes, 0 offsets and 0 knots}}
    %r = rnn.piecewise %p knots([]) slopes([])
        offsets([]) shift(3) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @piecewise_c2(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{knot 4 follows 4; knots must ascend}}
    %r = rnn.piecewise %p knots([4, 4]) slopes([1, 2, 3])
        offsets([1, 2, 3]) shift(3) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @piecewise_c3(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{shift is 63; it must be 1 to 62}}
    %r = rnn.piecewise %p knots([4]) slopes([1, 2])
        offsets([1, 2]) shift(63) : tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c1(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{table is not one of the weights of the body}}
    %r = rnn.lookup %p, %p low(0) shift(0) : tensor<8xi32>, tensor<8xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c2(%x: tensor<?x8xi32>, %t: tensor<1xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<1xi32>):
    // expected-error@+1 {{table of type 'tensor<1xi32>' has no interval}}
    %r = rnn.lookup %p, %pt low(0) shift(1) interpolate
        : tensor<8xi32>, tensor<1xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<1xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c3(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{shift is 31; it must be 0 to 30}}
    %r = rnn.lookup %p, %pt low(0) shift(31) 
        : tensor<8xi32>, tensor<4xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c3_interpolate(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{shift is 0; it must be 1 to 30}}
    %r = rnn.lookup %p, %pt low(0) shift(0) interpolate
        : tensor<8xi32>, tensor<4xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c4(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{table has 4 intervals of 2^30 from -2147483648 on; they must end at 2^31, and be no longer than that}}
    %r = rnn.lookup %p, %pt low(-2147483648) shift(30) 
        : tensor<8xi32>, tensor<4xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @lookup_c4_end(%x: tensor<?x8xi32>, %t: tensor<4xi32>) {
  %0 = rnn.map inputs(%x) weights(%t) {
  ^bb0(%p: tensor<8xi32>, %pt: tensor<4xi32>):
    // expected-error@+1 {{table has 4 intervals of 2^20 from 2143289345 on; they must end at 2^31}}
    %r = rnn.lookup %p, %pt low(2143289345) shift(20) 
        : tensor<8xi32>, tensor<4xi32>
    rnn.yield outputs(%p : tensor<8xi32>) states()
  } : (tensor<?x8xi32>, tensor<4xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @integer_rms_norm_c1(%x: tensor<?x8xi32>, %f: tensor<8xi32>,
                               %t: tensor<7xi32>) {
  // expected-error@+1 {{factor has type 'tensor<7xi32>'; an input of width 8 needs as many elements}}
  %y = rnn.integer_rms_norm %x, %t epsilon(1) shift(8)
      : tensor<?x8xi32>, tensor<7xi32>
  return
}

// -----

func.func @integer_rms_norm_c2(%x: tensor<?x8xi32>, %f: tensor<8xi32>,
                               %t: tensor<7xi32>) {
  // expected-error@+1 {{epsilon is -1; it must not be negative}}
  %y = rnn.integer_rms_norm %x, %f epsilon(-1) shift(8)
      : tensor<?x8xi32>, tensor<8xi32>
  return
}

// -----

func.func @integer_rms_norm_c3(%x: tensor<?x8xi32>, %f: tensor<8xi32>,
                               %t: tensor<7xi32>) {
  // expected-error@+1 {{shift is 0; it must be 1 to 62}}
  %y = rnn.integer_rms_norm %x, %f epsilon(1) shift(0)
      : tensor<?x8xi32>, tensor<8xi32>
  return
}

// -----

func.func @integer_rms_norm_c4(%x: tensor<?x65537xi32>,
                               %f: tensor<65537xi32>) {
  // expected-error@+1 {{input is 65537 wide; it must be 1 to 65536}}
  %y = rnn.integer_rms_norm %x, %f epsilon(1) shift(8)
      : tensor<?x65537xi32>, tensor<65537xi32>
  return
}
