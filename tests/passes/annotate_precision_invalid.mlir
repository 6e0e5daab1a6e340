// RUN: not rung-opt %s --rnn-annotate-precision=precision=tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: not rung-opt %s --rnn-annotate-precision=precision=fp12 2>&1 | FileCheck %s --check-prefix=FP12

// TF32: error: precision 'tf32' cannot be had: cooperative matrices have no tf32 component type; presets are fp32, fp16-mixed, bf16-mixed, fp16, fp16-sr, fp16x2, fp16x2-sr, int8
// FP12: error: precision 'fp12' is unknown; presets are fp32, fp16-mixed, bf16-mixed, fp16, fp16-sr, fp16x2, fp16x2-sr, int8
module {}
