// RUN: rung-opt %s --rnn-insert-casts | FileCheck %s
// A second run finds nothing to do.
// RUN: rung-opt %s --rnn-insert-casts --rnn-insert-casts | FileCheck %s

// No f32 is left in the recurrence; the interface stays f32. Every weight that
// is rounded says so; the bias of a linear is not.
// CHECK: rnn.weight @w : tensor<24x8xf32> = {{.*}} {rung.own_format = "f16"}
rnn.weight @w : tensor<24x8xf32> = dense<0.1>
// CHECK: rnn.weight @wb : tensor<24xf32> = dense<{{.*}}>{{$}}
rnn.weight @wb : tensor<24xf32> = dense<0.1>
// CHECK: rnn.weight @u : tensor<2x8x4xf32> = {{.*}} {rung.own_format = "f16"}
rnn.weight @u : tensor<2x8x4xf32> = dense<0.1>
// CHECK: rnn.weight @ub : tensor<16xf32> = {{.*}} {rung.own_format = "f16"}
rnn.weight @ub : tensor<16xf32> = dense<0.1>

// CHECK-LABEL: func.func @layers
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[H:.*]]: tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>, tensor<?x?x24xf32>)
func.func @layers(%x: tensor<?x?x8xf32>, %h0: tensor<?x8xf32>)
    -> (tensor<?x?x8xf32>, tensor<?x8xf32>, tensor<?x?x24xf32>) {
  // CHECK-DAG: %[[X16:.*]] = rnn.cast %[[X]] : tensor<?x?x8xf32> to tensor<?x?x8xf16>
  // CHECK-DAG: %[[H16:.*]] = rnn.cast %[[H]] : tensor<?x8xf32> to tensor<?x8xf16>
  // CHECK-DAG: %[[W:.*]] = rnn.load_weight @w :
  // CHECK-DAG: %[[W16:.*]] = rnn.cast %[[W]] : tensor<24x8xf32> to tensor<24x8xf16>
  // CHECK-DAG: %[[WB:.*]] = rnn.load_weight @wb :
  // CHECK-DAG: %[[U:.*]] = rnn.load_weight @u :
  // CHECK-DAG: %[[U16:.*]] = rnn.cast %[[U]] : tensor<2x8x4xf32> to tensor<2x8x4xf16>
  // CHECK-DAG: %[[UB:.*]] = rnn.load_weight @ub :
  // CHECK-DAG: %[[UB16:.*]] = rnn.cast %[[UB]] : tensor<16xf32> to tensor<16xf16>
  %w = rnn.load_weight @w : tensor<24x8xf32>
  %wb = rnn.load_weight @wb : tensor<24xf32>
  %u = rnn.load_weight @u : tensor<2x8x4xf32>
  %ub = rnn.load_weight @ub : tensor<16xf32>
  // The sums of a linear are f32.
  // CHECK: %[[XP:.*]] = rnn.linear %[[X16]], %[[W16]], %[[WB]] {{.*}} : (tensor<?x?x8xf16>, tensor<24x8xf16>, tensor<24xf32>) -> tensor<?x?x24xf32>
  // CHECK-NEXT: %[[XP16:.*]] = rnn.cast %[[XP]] : tensor<?x?x24xf32> to tensor<?x?x24xf16>
  %xp = rnn.linear %x, %w, %wb precision(<operand = f16, accumulate = f16,
                                          state = f16, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>, tensor<24xf32>)
      -> tensor<?x?x24xf32>
  // CHECK: %[[Y16:.*]], %[[HN16:.*]] = rnn.recurrence {{.*}} sequences(%[[XP16]]) weights(%[[U16]], %[[UB16]]) initial(%[[H16]])
  // CHECK-NOT: f32
  // CHECK: ^bb0
  %y, %hn = rnn.recurrence direction(forward) heads(2) sequences(%xp)
      weights(%u, %ub) initial(%h0)
      precision(<operand = f16, accumulate = f16, state = f16,
                 round = nearest>) {
  ^bb0(%px: tensor<24xf32>, %pu: tensor<2x8x4xf32>, %pb: tensor<16xf32>,
       %h: tensor<8xf32>):
    // CHECK-NOT: f32
    // CHECK: %[[UZ:.*]] = tensor.extract_slice {{.*}} : tensor<2x8x4xf16> to tensor<2x4x4xf16>
    %uz = tensor.extract_slice %pu[0, 0, 0] [2, 4, 4] [1, 1, 1]
        : tensor<2x8x4xf32> to tensor<2x4x4xf32>
    // CHECK: rnn.dot %{{.*}}, %[[UZ]] : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf16>
    %d = rnn.dot %h, %uz
        : (tensor<8xf32>, tensor<2x4x4xf32>) -> tensor<8xf32>
    // CHECK: tensor.extract_slice {{.*}} : tensor<16xf16> to tensor<8xf16>
    %b = tensor.extract_slice %pb[8] [8] [1]
        : tensor<16xf32> to tensor<8xf32>
    %s = arith.addf %d, %b : tensor<8xf32>
    // A constant is rounded; a limit that f16 has not becomes the largest.
    // CHECK: arith.constant dense<9.997550e-02> : tensor<8xf16>
    %tenth = arith.constant dense<0.1> : tensor<8xf32>
    // CHECK: arith.constant dense<-6.550400e+04> : tensor<8xf16>
    %low = arith.constant dense<-1.0e9> : tensor<8xf32>
    // CHECK: arith.constant dense<0x7C00> : tensor<8xf16>
    %inf = arith.constant dense<0x7F800000> : tensor<8xf32>
    %l = arith.maximumf %s, %low : tensor<8xf32>
    %m = arith.minimumf %l, %inf : tensor<8xf32>
    // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : tensor<8xf16>
    %c = arith.cmpf olt, %m, %tenth : tensor<8xf32>
    // CHECK: %[[Z:.*]] = rnn.sigmoid %{{.*}} : tensor<8xf16>
    %z = rnn.sigmoid %m : tensor<8xf32>
    // What narrowed a float is gone.
    // CHECK-NOT: arith.truncf
    // CHECK-NOT: arith.extf
    // CHECK: %[[K:.*]] = arith.select %{{.*}}, %[[Z]], %{{.*}} : tensor<8xi1>, tensor<8xf16>
    %t = arith.truncf %z : tensor<8xf32> to tensor<8xf16>
    %e = arith.extf %t : tensor<8xf16> to tensor<8xf32>
    %k = arith.select %c, %e, %h : tensor<8xi1>, tensor<8xf32>
    // CHECK: %[[N:.*]] = arith.addf %{{.*}}, %[[K]] : tensor<8xf16>
    %next = arith.addf %h, %k : tensor<8xf32>
    // CHECK: rnn.yield outputs(%[[N]] : tensor<8xf16>) states(%[[N]] : tensor<8xf16>)
    rnn.yield outputs(%next : tensor<8xf32>) states(%next : tensor<8xf32>)
  // CHECK: } : (tensor<?x?x24xf16>, tensor<2x8x4xf16>, tensor<16xf16>, tensor<?x8xf16>) -> (tensor<?x?x8xf16>, tensor<?x8xf16>)
  } : (tensor<?x?x24xf32>, tensor<2x8x4xf32>, tensor<16xf32>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  // CHECK-DAG: %[[Y:.*]] = rnn.cast %[[Y16]] : tensor<?x?x8xf16> to tensor<?x?x8xf32>
  // CHECK-DAG: %[[HN:.*]] = rnn.cast %[[HN16]] : tensor<?x8xf16> to tensor<?x8xf32>
  // The next layer takes the f16 output as it is.
  // CHECK: %[[L:.*]] = rnn.linear %[[Y16]], %[[W16]] precision
  %l = rnn.linear %y, %w precision(<operand = f16, accumulate = f16,
                                    state = f16, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  // CHECK: return %[[Y]], %[[HN]], %[[L]]
  return %y, %hn, %l
      : tensor<?x?x8xf32>, tensor<?x8xf32>, tensor<?x?x24xf32>
}

// An output that only products read is widened for nobody.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%x: tensor<?x?x8xf32>, %h0: tensor<?x8xf32>,
                  %w: tensor<24x8xf32>) -> tensor<?x?x24xf32> {
  // CHECK: %[[Y16:.*]], %{{.*}} = rnn.recurrence
  %y, %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
      initial(%h0) precision(<operand = f16, accumulate = f16, state = f16,
                              round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %h: tensor<8xf32>):
    %s = arith.addf %px, %h : tensor<8xf32>
    rnn.yield outputs(%s : tensor<8xf32>) states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  // CHECK-NOT: rnn.cast
  // CHECK: rnn.linear %[[Y16]]
  %l = rnn.linear %y, %w precision(<operand = f16, accumulate = f16,
                                    state = f16, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  return %l : tensor<?x?x24xf32>
}

// Pairs and integers have passes of their own; only the operands of a linear
// beside pairs are rounded here.
// CHECK-LABEL: func.func @others
// CHECK-SAME: %[[X:.*]]: tensor<?x?x8xf32>, %[[H:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<8x8xf32>)
func.func @others(%x: tensor<?x?x8xf32>, %h0: tensor<?x8xf32>,
                  %w: tensor<8x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  // CHECK: rnn.linear {{.*}} : (tensor<?x?x8xf16>, tensor<8x8xf16>) -> tensor<?x?x8xf32>
  %a = rnn.linear %x, %w precision(<operand = f16, accumulate = f16,
                                    state = f16x2, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  // CHECK: rnn.linear %[[X]], %[[W]]
  %b = rnn.linear %x, %w precision(<operand = s8, accumulate = s32,
                                    state = s32, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
  // CHECK: rnn.recurrence
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32>):
  %p = rnn.recurrence direction(forward) heads(1) sequences(%a) weights()
      initial(%h0) precision(<operand = f16, accumulate = f16, state = f16x2,
                              round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %h: tensor<8xf32>):
    %s = arith.addf %px, %h : tensor<8xf32>
    rnn.yield outputs() states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK: rnn.recurrence
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32>):
  %q = rnn.recurrence direction(forward) heads(1) sequences(%b) weights()
      initial(%h0) precision(<operand = s8, accumulate = s32, state = s16,
                              round = nearest>) {
  ^bb0(%px: tensor<8xf32>, %h: tensor<8xf32>):
    %s = arith.addf %px, %h : tensor<8xf32>
    rnn.yield outputs() states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %p, %q : tensor<?x8xf32>, tensor<?x8xf32>
}
