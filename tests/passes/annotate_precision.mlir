// RUN: rung-opt %s --rnn-annotate-precision | FileCheck %s --check-prefixes=CHECK,FP32
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16-mixed | FileCheck %s --check-prefixes=CHECK,FP16
// RUN: rung-opt %s --rnn-annotate-precision=precision=bf16-mixed | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16 | FileCheck %s --check-prefixes=CHECK,HALF
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16-sr | FileCheck %s --check-prefixes=CHECK,SR
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16x2 | FileCheck %s --check-prefixes=CHECK,PAIR
// RUN: rung-opt %s --rnn-annotate-precision=precision=fp16x2-sr | FileCheck %s --check-prefixes=CHECK,PAIRSR
// RUN: rung-opt %s --rnn-annotate-precision=precision=int8 | FileCheck %s --check-prefixes=CHECK,INT
// RUN: rung-opt %s --rnn-annotate-precision=precision=int8,state=s16,pieces=16 | FileCheck %s --check-prefixes=CHECK,INT16

// CHECK-LABEL: func.func @layers
func.func @layers(%x: tensor<?x?x8xf32>, %w: tensor<24x8xf32>,
                  %u: tensor<2x12x4xf32>, %h: tensor<?x8xf32>)
    -> (tensor<?x?x24xf32>, tensor<?x?x24xf32>, tensor<?x8xf32>) {
  // FP32: rnn.gru {{.*}} precision(<operand = f32, accumulate = f32, state = f32, round = nearest>)
  // FP16: rnn.gru {{.*}} precision(<operand = f16, accumulate = f32, state = f32, round = nearest>)
  // BF16: rnn.gru {{.*}} precision(<operand = bf16, accumulate = f32, state = f32, round = nearest>)
  // HALF: rnn.gru {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = nearest>)
  // SR: rnn.gru {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = stochastic>)
  // PAIR: rnn.gru {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>)
  // PAIRSR: rnn.gru {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = stochastic>)
  // INT: rnn.gru {{.*}} precision(<operand = s8, accumulate = s32, state = s32, round = nearest>)
  // INT16: rnn.gru {{.*}} precision(<operand = s8, accumulate = s32, state = s16, round = nearest>)
  %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
      reset(after) update(take) direction(forward)
      activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
      : (tensor<?x?x8xf32>, tensor<24x8xf32>, tensor<2x12x4xf32>,
         tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  // FP32: rnn.linear {{.*}} precision(<operand = f32,
  // FP16: rnn.linear {{.*}} precision(<operand = f16,
  // BF16: rnn.linear {{.*}} precision(<operand = bf16,
  // HALF: rnn.linear {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = nearest>)
  // SR: rnn.linear {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = stochastic>)
  // PAIR: rnn.linear {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>)
  // PAIRSR: rnn.linear {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = stochastic>)
  // INT: rnn.linear {{.*}} precision(<operand = s8, accumulate = s32, state = s32, round = nearest>)
  // INT16: rnn.linear {{.*}} precision(<operand = s8, accumulate = s32, state = s16, round = nearest>)
  %a = rnn.linear %y, %w
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  // The author's choice stays.
  // CHECK: rnn.linear {{.*}} precision(<operand = f32,
  %b = rnn.linear %y, %w precision(<operand = f32, accumulate = f32,
                                    state = f32, round = nearest>)
      : (tensor<?x?x8xf32>, tensor<24x8xf32>) -> tensor<?x?x24xf32>
  // FP32: rnn.recurrence {{.*}} precision(<operand = f32,
  // FP16: rnn.recurrence {{.*}} precision(<operand = f16,
  // BF16: rnn.recurrence {{.*}} precision(<operand = bf16,
  // HALF: rnn.recurrence {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = nearest>)
  // SR: rnn.recurrence {{.*}} precision(<operand = f16, accumulate = f16, state = f16, round = stochastic>)
  // PAIR: rnn.recurrence {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = nearest>)
  // PAIRSR: rnn.recurrence {{.*}} precision(<operand = f16, accumulate = f16, state = f16x2, round = stochastic>)
  // INT: rnn.recurrence {{.*}} precision(<operand = s8, accumulate = s32, state = s32, round = nearest>)
  // INT16: rnn.recurrence {{.*}} precision(<operand = s8, accumulate = s32, state = s16, round = nearest>)
  %last = rnn.recurrence direction(forward) heads(1) sequences(%y) weights()
      initial(%hn) {
  ^bb0(%py: tensor<8xf32>, %ph: tensor<8xf32>):
    %s = arith.addf %py, %ph : tensor<8xf32>
    rnn.yield outputs() states(%s : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %a, %b, %last
      : tensor<?x?x24xf32>, tensor<?x?x24xf32>, tensor<?x8xf32>
}
