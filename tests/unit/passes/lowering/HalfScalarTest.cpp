//===- HalfScalarTest.cpp - multiply-adds against one rounding ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfScalar.h"

#include "tests/unit/passes/lowering/Folded.h"

#include <random>

using namespace rung;
using namespace rung::test;

namespace {

using llvm::APFloat;

APFloat number(uint16_t bits) {
  return APFloat(APFloat::IEEEhalf(), llvm::APInt(16, bits));
}
uint16_t bitsOf(const APFloat &value) {
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

/// a * b + c, rounded once.
APFloat fused(const APFloat &a, const APFloat &b, const APFloat &c) {
  APFloat result = a;
  result.fusedMultiplyAdd(b, c, APFloat::rmNearestTiesToEven);
  return result;
}

class HalfScalar : public testing::Test {
protected:
  /// Checks the emitted multiply-add; zeros of both signs are equal.
  void check(const APFloat &a, const APFloat &b, const APFloat &c) {
    mlir::Value result =
        emitMultiplyAdd(folded_.b(), folded_.f16(bitsOf(a)),
                        folded_.f16(bitsOf(b)), folded_.f16(bitsOf(c)));
    APFloat got = number(folded_.halfBits(result));
    APFloat want = fused(a, b, c);
    folded_.clear();
    ASSERT_TRUE(got.bitwiseIsEqual(want) || (got.isZero() && want.isZero()))
        << a.convertToDouble() << " * " << b.convertToDouble() << " + "
        << c.convertToDouble() << " is " << got.convertToDouble()
        << ", rounded once " << want.convertToDouble();
  }

  Folded folded_;
};

TEST_F(HalfScalar, GivesTheErrorOfEveryKindOfProduct) {
  std::mt19937 engine(1);
  for (uint16_t left = 0; left < 31; ++left)
    for (uint16_t right = 0; right < 31; ++right)
      for (int sample = 0; sample < 4; ++sample) {
        APFloat a = number(left << 10 | (engine() & 0x83ff));
        APFloat b = number(right << 10 | (engine() & 0x83ff));
        APFloat product = a * b;
        if (product.isInfinity())
          continue;
        check(a, b, neg(product));
      }
}

TEST_F(HalfScalar, GivesTheRemainderOfADivision) {
  std::mt19937 engine(2);
  for (int sample = 0; sample < 2000; ++sample) {
    // Divisors from 1 to 2, and dividends whose remainders are no subnormals.
    APFloat d = number(15 << 10 | (engine() & 0x3ff));
    APFloat x = number((16 + engine() % 14) << 10 | (engine() & 0x83ff));
    check(neg(x / d), d, x);
  }
}

TEST_F(HalfScalar, KeepsInfinityWhereTheProductOverflows) {
  APFloat big = number(0x7800), two = number(0x4400), zero = number(0);
  check(big, two, zero);
  check(neg(big), two, zero);
}

} // namespace
