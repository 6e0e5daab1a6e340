//===- HalfActivationsTest.cpp - functions of every sixth f16 -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfActivations.h"

#include "runtime/base/Half.h"
#include "tests/unit/passes/lowering/Folded.h"

#include <cmath>

using namespace rung;
using namespace rung::test;

namespace {

using Emit = mlir::Value (*)(mlir::ImplicitLocOpBuilder &, mlir::Value);

/// The number after an f16 of \p value's size, away from 0, minus it.
double ulpAt(double value) {
  return std::ldexp(1.0, std::max(std::ilogb(std::abs(value)), -14) - 10);
}

/// The largest error of \p emit in ulps of \p exact's values.
double largestError(Emit emit, double (*exact)(double), bool positive) {
  Folded folded;
  double largest = 0;
  for (uint32_t bits = 0; bits < 0x10000; bits += 6) {
    double x = fromHalf(uint16_t(bits));
    if (std::isnan(x) || (positive && bits >= 0x8000))
      continue;
    mlir::Value result = emit(folded.b(), folded.f16(uint16_t(bits)));
    double got = fromHalf(folded.halfBits(result)), want = exact(x);
    double error = std::abs(got - want) / ulpAt(want);
    EXPECT_LT(error, 4) << "at " << x << ": " << got << ", exactly " << want;
    largest = std::max(largest, error);
    folded.clear();
  }
  return largest;
}

double expOfMinus(double x) { return std::exp(-x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(HalfActivations, ExpErrsByOneUlp) {
  EXPECT_LT(largestError(emitHalfExpOfMinus, expOfMinus, true), 1.25);
}

TEST(HalfActivations, SigmoidErrsByTwoUlps) {
  EXPECT_LT(largestError(emitHalfSigmoid, sigmoid, false), 2.0);
}

TEST(HalfActivations, TanhErrsByTwoUlps) {
  EXPECT_LT(largestError(emitHalfTanh, std::tanh, false), 2.5);
}

TEST(HalfActivations, KeepsSmallGatesThatAnExpInF16WouldLose) {
  Folded folded;
  // exp(12) exceeds the largest f16.
  mlir::Value small = emitHalfSigmoid(folded.b(), folded.f16(toHalf(-12)));
  EXPECT_NEAR(fromHalf(folded.halfBits(small)), 6.144e-6, 0x1p-24);
}

TEST(HalfActivations, GoesToItsLimits) {
  Folded folded;
  auto at = [&](Emit emit, uint16_t bits) {
    return fromHalf(folded.halfBits(emit(folded.b(), folded.f16(bits))));
  };
  EXPECT_EQ(at(emitHalfSigmoid, 0x7c00), 1);
  EXPECT_EQ(at(emitHalfSigmoid, 0xfc00), 0);
  EXPECT_EQ(at(emitHalfTanh, 0x7c00), 1);
  EXPECT_EQ(at(emitHalfTanh, 0xfc00), -1);
  EXPECT_EQ(at(emitHalfTanh, 0), 0);
}

} // namespace
