// RUN: rung-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{operand is f16x2; it must be f32, f16, bf16 or s8}}
#c1 = #rnn.precision<operand = f16x2, accumulate = f16, state = f16, round = nearest>

// -----

// expected-error@+1 {{operand is s32; it must be f32, f16, bf16 or s8}}
#c1_s32 = #rnn.precision<operand = s32, accumulate = s32, state = s32, round = nearest>

// -----

// expected-error@+1 {{accumulate is f32 for an operand of s8; it must be s32 for s8, f16 or f32 for f16, f32 for f32 and bf16}}
#c2 = #rnn.precision<operand = s8, accumulate = f32, state = f32, round = nearest>

// -----

// expected-error@+1 {{accumulate is f16 for an operand of bf16}}
#c2_bf16 = #rnn.precision<operand = bf16, accumulate = f16, state = f16, round = nearest>

// -----

// expected-error@+1 {{state is f16x2 for sums in f32; it must be s16 or s32 for s32, f16 or f16x2 for f16, f32 for f32}}
#c3 = #rnn.precision<operand = f16, accumulate = f32, state = f16x2, round = nearest>

// -----

// expected-error@+1 {{state is f16 for sums in s32}}
#c3_s32 = #rnn.precision<operand = s8, accumulate = s32, state = f16, round = nearest>

// -----

// expected-error@+1 {{round is stochastic for sums in s32; integers round to nearest}}
#c4 = #rnn.precision<operand = s8, accumulate = s32, state = s16, round = stochastic>
