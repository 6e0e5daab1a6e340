// RUN: not rung-opt %s --rnn-annotate-precision=precision=tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: not rung-opt %s --rnn-annotate-precision=precision=fp12 2>&1 | FileCheck %s --check-prefix=FP12

// TF32: error: precision 'tf32' cannot be had: cooperative matrices have no tf32 component type; presets are fp32, fp16-mixed, bf16-mixed
// FP12: error: precision 'fp12' is unknown; presets are fp32, fp16-mixed, bf16-mixed
module {}
