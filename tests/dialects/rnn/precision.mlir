// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @rungs
// CHECK-SAME: fp16 = #rnn.precision<operand = f16, accumulate = f16, state = f16, round = nearest>
// CHECK-SAME: fp16_sr = #rnn.precision<operand = f16, accumulate = f16, state = f16, round = stochastic>
// CHECK-SAME: fp16x2 = #rnn.precision<operand = f16, accumulate = f16, state = f16x2, round = nearest>
// CHECK-SAME: int8_s16 = #rnn.precision<operand = s8, accumulate = s32, state = s16, round = nearest>
// CHECK-SAME: int8_s32 = #rnn.precision<operand = s8, accumulate = s32, state = s32, round = nearest>
func.func private @rungs() attributes {
  fp16 = #rnn.precision<operand = f16, accumulate = f16, state = f16,
                        round = nearest>,
  fp16_sr = #rnn.precision<operand = f16, accumulate = f16, state = f16,
                           round = stochastic>,
  fp16x2 = #rnn.precision<operand = f16, accumulate = f16, state = f16x2,
                          round = nearest>,
  int8_s16 = #rnn.precision<operand = s8, accumulate = s32, state = s16,
                            round = nearest>,
  int8_s32 = #rnn.precision<operand = s8, accumulate = s32, state = s32,
                            round = nearest>
}
