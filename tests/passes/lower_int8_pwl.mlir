// RUN: rung-opt %s --rnn-lower-int8-pwl=pieces=3 --cse | FileCheck %s
// RUN: rung-opt %s --rnn-lower-int8-pwl=pieces=3 --cse --verify-roundtrip \
// RUN:   | FileCheck %s --check-prefix=FLOAT
// RUN: rung-opt %s --rnn-lower-int8-pwl="pieces=3 state=s16" --cse \
// RUN:   | FileCheck %s --check-prefix=SHORT
// RUN: rung-opt %s --rnn-lower-int8-pwl="pieces=3 operand=1" --cse \
// RUN:   | FileCheck %s --check-prefix=BYTE
// RUN: rung-opt %s --rnn-lower-int8-pwl=activation=table --cse \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: rung-opt %s --rnn-lower-int8-pwl=activation=table-linear --cse \
// RUN:   | FileCheck %s --check-prefix=LINEAR

// A GRU with reset before, whose candidate is a product of r * h.

// The largest of a row is 127; corrections are 128 times a row's sum, in the
// order in which a product leaves its results: gate by gate, head by head.
// CHECK: rnn.weight @u : {{.*}} {rung.own = @u.own}
// CHECK: rnn.weight @w.own : tensor<6x1xf32> = dense<{{.*}}5.000000e-01
// CHECK: rnn.weight @w.s8 : tensor<6x1xi8> = dense<{{\[\[}}127], [-127], [127], [127], [0], [127]]>
// CHECK: rnn.weight @u.s8 : tensor<2x3x1xi8> = dense<{{\[\[}}[127], [127], [-127]], {{\[\[}}127], [127], [127]]]>
// CHECK: rnn.weight @u.factors : tensor<6xi32>
// CHECK: rnn.weight @u.corrections : tensor<6xi32> = dense<[16256, 16256, 16256, 16256, -16256, 16256]>

// FLOAT: rnn.recurrence
// FLOAT-NOT: f32
// FLOAT: rnn.yield

rnn.weight @w : tensor<6x1xf32>
    = dense<[[0.5], [-0.25], [0.125], [1.0], [0.0], [2.0]]>
rnn.weight @u : tensor<2x3x1xf32>
    = dense<[[[0.5], [0.25], [-0.125]], [[1.0], [0.5], [0.25]]]>
rnn.weight @b : tensor<6xf32> = dense<[7.0, 7.0, 0.5, 0.5, 0.0, 0.0]>

// CHECK-LABEL: func.func @before
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x1xf32>, %[[H0:.*]]: tensor<?x2xf32>)
// SHORT-LABEL: func.func @before
// BYTE-LABEL: func.func @before
// TABLE-LABEL: func.func @before
// LINEAR-LABEL: func.func @before
func.func @before(%x: tensor<?x?x1xf32>, %h0: tensor<?x2xf32>)
    -> (tensor<?x?x2xf32>, tensor<?x2xf32>) {
  %w = rnn.load_weight @w : tensor<6x1xf32>
  %u = rnn.load_weight @u : tensor<2x3x1xf32>
  %b = rnn.load_weight @b : tensor<6xf32>

  // Inputs of twice -3 .. 3: 12 bits behind the point.
  // CHECK: %[[BYTES:.*]]:2 = rnn.map inputs(%[[X]]) weights()
  // CHECK: arith.constant dense<4.096000e+03> : tensor<1xf32>
  // CHECK: arith.fptosi {{.*}} : tensor<1xf32> to tensor<1xi32>
  // CHECK: rnn.yield outputs({{.*}} : tensor<1xi8>, tensor<1xi8>)
  // CHECK: %[[W:.*]] = rnn.load_weight @w.s8
  // CHECK: %[[HIGH:.*]] = rnn.linear %[[BYTES]]#0, %[[W]] {{.*}} -> tensor<?x?x6xi32>
  // CHECK: %[[LOW:.*]] = rnn.linear %[[BYTES]]#1, %[[W]] {{.*}} -> tensor<?x?x6xi32>
  // CHECK: %[[XP:.*]] = rnn.map inputs(%[[HIGH]], %[[LOW]])
  // CHECK: rnn.requantize
  // CHECK: rnn.yield
  // BYTE: rnn.yield outputs({{.*}} : tensor<1xi8>) states()
  // BYTE: rnn.linear
  // BYTE-NOT: rnn.linear
  %xp = rnn.linear %x, %w, %b
      precision(<operand = s8, accumulate = s32, state = s32, round = nearest>)
      {rung.input_range = array<f64: -3.0, 3.0>}
      : (tensor<?x?x1xf32>, tensor<6x1xf32>, tensor<6xf32>) -> tensor<?x?x6xf32>

  // The state enters on the grid 2^-24, or 2^-15.
  // CHECK: %[[Q0:.*]] = rnn.map inputs(%[[H0]])
  // CHECK: arith.constant dense<0x4B800000>
  // SHORT: rnn.map inputs
  // SHORT: rnn.map inputs
  // SHORT: rnn.map inputs
  // SHORT: arith.constant dense<3.276800e+04>
  // SHORT: arith.constant dense<-3.276700e+04>
  // CHECK: rnn.recurrence {{.*}} sequences(%[[XP]]) {{.*}} initial(%[[Q0]])
  // CHECK-SAME: state = s32
  // SHORT: rnn.recurrence
  // SHORT-SAME: state = s16
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%xp) weights(%u) initial(%h0)
      precision(<operand = s8, accumulate = s32, state = s32, round = nearest>)
      attributes {rung.activation_ranges = [array<f64: -9.0, -4.0>,
          array<f64: -3.0, 3.0>, array<f64: -2.0, 2.0>]} {
  ^bb0(%px: tensor<6xf32>, %pu: tensor<2x3x1xf32>, %h: tensor<2xf32>):
    // The operand of 15 bits, in bytes; s16 is that already.
    // CHECK: ^bb0(%[[PX:[^:]*]]: tensor<6xi32>, {{.*}} %[[H:[^:]*]]: tensor<2xi32>):
    // CHECK: %[[Q:.*]] = rnn.requantize %[[H]], {{.*}} shift(9)
    // CHECK: %[[S:.*]] = arith.minsi %[[Q]]
    // CHECK: %[[TOP:.*]] = arith.shrsi %[[S]]
    // CHECK: %[[B1:.*]] = arith.trunci %[[TOP]] : tensor<2xi32> to tensor<2xi8>
    // CHECK: %[[B0:.*]] = arith.trunci {{.*}} : tensor<2xi32> to tensor<2xi8>
    // CHECK: %[[D1:.*]] = rnn.dot %[[B1]], %[[UZ:.*]] :
    // CHECK: %[[D0:.*]] = rnn.dot %[[B0]], %[[UZ]] :
    // CHECK: %[[UP:.*]] = arith.shli %[[D1]]
    // CHECK: arith.addi %[[UP]], %[[D0]]
    // SHORT: ^bb0({{.*}} %[[H:[^:]*]]: tensor<2xi32>):
    // SHORT-NOT: rnn.requantize
    // SHORT: arith.shrsi %[[H]]
    // BYTE: ^bb0({{.*}} %[[H:[^:]*]]: tensor<2xi32>):
    // BYTE: %[[Q:.*]] = rnn.requantize %[[H]], {{.*}} shift(17)
    // BYTE: %[[S:.*]] = arith.minsi %[[Q]]
    // BYTE: %[[B:.*]] = arith.trunci %[[S]]
    // BYTE: rnn.dot %[[B]]
    // BYTE-NOT: rnn.dot %[[B]], {{.*}} : {{.*}}rnn.dot
    %uz = tensor.extract_slice %pu[0, 0, 0] [2, 1, 1] [1, 1, 1]
        : tensor<2x3x1xf32> to tensor<2x1x1xf32>
    %dz = rnn.dot %h, %uz
        : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2xf32>
    %xz = tensor.extract_slice %px[0] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %az = arith.addf %xz, %dz : tensor<2xf32>
    %nz = arith.negf %az : tensor<2xf32>
    // A gate: lines of the fourth root over the arguments up to 0, squared
    // twice, mirrored.
    // CHECK: %[[A:.*]] = arith.subi
    // CHECK: %[[BELOW:.*]] = arith.minsi %[[A]]
    // CHECK: %[[WITHIN:.*]] = arith.maxsi %[[BELOW]]
    // CHECK: %[[ROOT:.*]] = rnn.piecewise %[[WITHIN]] knots([{{-[0-9]+, -[0-9]+}}])
    // CHECK: %[[SQUARE:.*]] = rnn.requantize %[[ROOT]], %[[ROOT]] shift(30)
    // CHECK: %[[SMALL:.*]] = rnn.requantize %[[SQUARE]], %[[SQUARE]] shift(30)
    // CHECK: %[[ONE:.*]] = arith.constant dense<1073741824>
    // CHECK: %[[LARGE:.*]] = arith.subi %[[ONE]], %[[SMALL]]
    // CHECK: %[[ABOVE:.*]] = arith.cmpi sgt, %[[A]]
    // CHECK: %[[GATE:.*]] = arith.select %[[ABOVE]], %[[LARGE]], %[[SMALL]]
    // TABLE: rnn.lookup %{{.*}} shift({{[0-9]+}}) : tensor<2xi32>, tensor<256xi32>
    // LINEAR: rnn.lookup %{{.*}} interpolate : tensor<2xi32>, tensor<257xi32>
    %z = rnn.sigmoid %nz : tensor<2xf32>
    %ur = tensor.extract_slice %pu[0, 1, 0] [2, 1, 1] [1, 1, 1]
        : tensor<2x3x1xf32> to tensor<2x1x1xf32>
    %dr = rnn.dot %h, %ur
        : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2xf32>
    %xr = tensor.extract_slice %px[2] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %ar = arith.addf %xr, %dr : tensor<2xf32>
    %r = rnn.sigmoid %ar : tensor<2xf32>
    // r * h is requantized, then cut into bytes as the state is.
    // CHECK: %[[R:.*]] = arith.select
    // CHECK: %[[RH:.*]] = rnn.requantize {{.*}}%[[H]]{{.*}} shift(30)
    // CHECK: %[[RQ:.*]] = rnn.requantize %[[RH]], {{.*}} shift(9)
    // CHECK: arith.trunci
    // CHECK: arith.trunci
    %rh = arith.mulf %r, %h : tensor<2xf32>
    %un = tensor.extract_slice %pu[0, 2, 0] [2, 1, 1] [1, 1, 1]
        : tensor<2x3x1xf32> to tensor<2x1x1xf32>
    %dn = rnn.dot %rh, %un
        : (tensor<2xf32>, tensor<2x1x1xf32>) -> tensor<2xf32>
    %xn = tensor.extract_slice %px[4] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %an = arith.addf %xn, %dn : tensor<2xf32>
    %n = math.tanh %an : tensor<2xf32>
    // The update, and a state that saturates.
    // CHECK: %[[N:.*]] = arith.select
    // CHECK: %[[D:.*]] = arith.subi %[[N]], %[[H]]
    // CHECK: %[[STEP:.*]] = rnn.requantize {{.*}}%[[GATE]]{{.*}} shift(30)
    // CHECK: %[[NEXT:.*]] = arith.addi %[[H]], %[[STEP]]
    // CHECK: arith.maxsi %[[NEXT]]
    // CHECK: %[[LAST:.*]] = arith.minsi
    // CHECK: rnn.yield outputs(%[[LAST]] : tensor<2xi32>) states(%[[LAST]] : tensor<2xi32>)
    // SHORT: %[[NEXT:.*]] = rnn.requantize %{{.*}}, %{{.*}} shift(9)
    // SHORT: arith.maxsi %[[NEXT]]
    // SHORT: rnn.yield
    %d = arith.subf %n, %h : tensor<2xf32>
    %s = arith.mulf %z, %d : tensor<2xf32>
    %next = arith.addf %h, %s : tensor<2xf32>
    rnn.yield outputs(%next : tensor<2xf32>) states(%next : tensor<2xf32>)
  } : (tensor<?x?x6xf32>, tensor<2x3x1xf32>, tensor<?x2xf32>)
      -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
  // CHECK: %[[Y:.*]] = rnn.map
  // CHECK: arith.sitofp
  // CHECK: %[[HN:.*]] = rnn.map
  // CHECK: return %[[Y]], %[[HN]]
  return %y, %hn : tensor<?x?x2xf32>, tensor<?x2xf32>
}
