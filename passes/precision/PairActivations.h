//===- PairActivations.h - functions of sums of two f16 ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// By additions, products, comparisons and shifts of exponents alone, so that
// results have the same bits wherever f16 arithmetic is IEEE's. NaN gives NaN.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_PASSES_PRECISION_PAIRACTIVATIONS_H
#define RUNG_PASSES_PRECISION_PAIRACTIVATIONS_H

#include "passes/precision/PairArithmetic.h"

namespace rung {

/// The scale that buildSigmoid gives its result.
inline constexpr int kGateScale = 10;

/// 1 / (1 + e^-x), at kGateScale, so that a small gate keeps its digits: within
/// 2^-16.5 of itself, 2^-19 in the mean square, down to x = -12. From -17 on it
/// is 0, which is 2^-24 at most.
Pair buildSigmoid(PairBuilder &b, Pair x);

/// tanh x, at scale 0: within 2^-16.5 of itself and 2^-17.5 of 1.
Pair buildTanh(PairBuilder &b, Pair x);

/// e^x, at scale 0: within 2^-16.4 of itself or 2^-23. e^10.7 is the largest
/// result, and stands for all above.
Pair buildExp(PairBuilder &b, Pair x);

/// x / y, at scale 0: within 2^-18.5 of itself and 2^-24 / y, for a y of at
/// least 2^-14. Division by zero gives NaN.
Pair buildQuotient(PairBuilder &b, Pair x, Pair y);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_PAIRACTIVATIONS_H
