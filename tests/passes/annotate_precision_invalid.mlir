// RUN: not rung-opt %s --rnn-annotate-precision=precision=tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: not rung-opt %s --rnn-annotate-precision=precision=fp12 2>&1 | FileCheck %s --check-prefix=FP12
// RUN: not rung-opt %s --rnn-annotate-precision=precision=int8,state=s8 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not rung-opt %s --rnn-annotate-precision=precision=fp16,state=s16 2>&1 | FileCheck %s --check-prefix=FLOAT

// TF32: error: precision 'tf32' cannot be had: cooperative matrices have no tf32 component type; presets are fp32, fp16-mixed, bf16-mixed, fp16, fp16-sr, fp16x2, fp16x2-sr, int8
// FP12: error: precision 'fp12' is unknown; presets are fp32, fp16-mixed, bf16-mixed, fp16, fp16-sr, fp16x2, fp16x2-sr, int8
// OPTION: error: precision 'int8' has no option 'state=s8'; options are state=s16|s32, pieces=2..64, operand=1|2, activation=piecewise|table|table-linear, all
// FLOAT: error: precision 'fp16' has no option 'state=s16'; 'int8' alone has options
module {}
