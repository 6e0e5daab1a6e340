// Options that there are not.
//
// RUN: not rung-opt %s --rnn-lower-int8-pwl=pieces=65 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PIECES
// PIECES: error: pieces is 65; there may be 2 to 64
// RUN: not rung-opt %s --rnn-lower-int8-pwl=operand=3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPERAND
// OPERAND: error: operand is 3; products take 1 byte of the state or 2
// RUN: not rung-opt %s --rnn-lower-int8-pwl=state=s8 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATE
// STATE: error: state is 's8'; it may be s16 or s32
// RUN: not rung-opt %s --rnn-lower-int8-pwl=activation=spline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ACTIVATION
// ACTIVATION: error: activation is 'spline'; it may be piecewise, table or table-linear

module {
}
