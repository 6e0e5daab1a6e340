//===- HalfRecurrence.h - a recurrence computed in f16 ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_HALFRECURRENCE_H
#define RUNG_PASSES_PRECISION_HALFRECURRENCE_H

#include "passes/precision/GraphCasts.h"

namespace rung {

/// Makes every float of \p op an f16: sequences, weights, states, results and
/// all values of the body, sums of products included. Casts around it keep its
/// users and operands as they are.
///
/// Constants are rounded to nearest; a finite one past the largest f16 becomes
/// that, so that a limit stays a limit. Fails, with an error, where the body
/// has floats other than f32 and f16, or looks into their bits.
mlir::LogicalResult computeInHalf(rnn::RecurrenceOp op, GraphCasts &casts);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_HALFRECURRENCE_H
