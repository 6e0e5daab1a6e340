//===- PairArithmeticTest.cpp - sums of two f16 are what they promise -----===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/PairArithmetic.h"
#include "runtime/base/Half.h"
#include "tests/unit/passes/precision/HalfRows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace rung;
using namespace rung::test;

namespace {

/// Calls \p check with every finite f16 and, for each, four significands of
/// every exponent and sign, a block of such operands at a time.
template <typename Check> void forAllExponentPairs(Check check) {
  Bits finite = everyFinite();
  std::mt19937 engine(1);
  for (uint16_t exponent = 0; exponent < 31; ++exponent)
    for (uint16_t sign : {0, 0x8000})
      for (uint16_t significand : {0x000, 0x3ff, 0x001, -1}) {
        Bits other;
        for (size_t i = 0; i < finite.size(); ++i) {
          uint16_t last =
              significand == 0xffff ? engine() & 0x3ff : significand;
          other.push_back(sign | exponent << 10 | last);
        }
        check(finite, other);
      }
}

double at(const Bits &row, size_t i) { return fromHalf(row[i]); }

TEST(PairArithmetic, TwoSumIsExactOverAllExponentPairs) {
  HalfRows rows(2);
  Pair sum = rows.b().twoSum(rows.argument(0), rows.argument(1));
  size_t checked = 0, wrong = 0;
  forAllExponentPairs([&](const Bits &a, const Bits &b) {
    auto result = rows.run({a, b}, {sum.high, sum.low});
    for (size_t i = 0; i < a.size(); ++i) {
      double exact = at(a, i) + at(b, i);
      if (std::isinf(at(result[0], i))) {
        EXPECT_GE(std::abs(exact), 65520);
        continue;
      }
      // A largest operand may make an intermediate difference overflow.
      if (std::max(std::abs(at(a, i)), std::abs(at(b, i))) == 65504)
        continue;
      ++checked;
      wrong += at(result[0], i) + at(result[1], i) != exact ||
               result[0][i] != toHalf(exact);
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(checked, 15'000'000u);
}

TEST(PairArithmetic, FastTwoSumIsExactWhereTheFirstIsLarger) {
  HalfRows rows(2);
  Pair sum = rows.b().fastTwoSum(rows.argument(0), rows.argument(1));
  size_t checked = 0, wrong = 0;
  forAllExponentPairs([&](const Bits &a, const Bits &b) {
    auto result = rows.run({a, b}, {sum.high, sum.low});
    for (size_t i = 0; i < a.size(); ++i) {
      bool larger = std::abs(at(a, i)) >= std::abs(at(b, i)) || at(a, i) == 0;
      if (!larger || std::isinf(at(result[0], i)))
        continue;
      ++checked;
      wrong += at(result[0], i) + at(result[1], i) != at(a, i) + at(b, i);
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(checked, 7'000'000u);
}

TEST(PairArithmetic, TwoProductIsExactDownTo2ToMinus24) {
  HalfRows rows(2);
  Pair product = rows.b().twoProduct(rows.argument(0), rows.argument(1));
  size_t exactOnes = 0, wrong = 0;
  double worst = 0;
  forAllExponentPairs([&](const Bits &a, const Bits &b) {
    auto result = rows.run({a, b}, {product.high, product.low});
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::isinf(at(result[0], i)))
        continue;
      double exact = at(a, i) * at(b, i);
      double error = at(result[0], i) + at(result[1], i) - exact;
      double last = exact * 0x1p24;
      if (last == std::floor(last)) { // No bit below 2^-24.
        ++exactOnes;
        wrong += error != 0;
      }
      worst = std::max(worst, std::abs(error));
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(exactOnes, 5'000'000u);
  EXPECT_LE(worst, 0x1p-25);
}

/// Random numbers of about 22 bits, of magnitudes from 2^-8 to 2^4.
std::vector<double> randomNumbers(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> significand(1, 2);
  std::vector<double> result;
  for (size_t i = 0; i < count; ++i) {
    double value = std::ldexp(significand(engine), int(engine() % 12) - 8);
    value = engine() & 1 ? value : -value;
    result.push_back(numbers({toHalf(value)}, lowsOf({value})).front());
  }
  return result;
}

struct Operands {
  explicit Operands(size_t count)
      : a(randomNumbers(count, 1)), b(randomNumbers(count, 2)) {}
  std::vector<Bits> halves() const {
    return {highsOf(a), lowsOf(a), highsOf(b), lowsOf(b)};
  }
  std::vector<double> a, b;
};

TEST(PairArithmetic, ASumIsWithin2ToMinus20OfTheLargerOperand) {
  Operands operands(100'000);
  HalfRows rows(4);
  Pair sum = rows.b().normalise(rows.b().add(rows.pair(0), rows.pair(1)));
  auto result = rows.run(operands.halves(), {sum.high, sum.low});
  std::vector<double> sums = numbers(result[0], result[1]);
  for (size_t i = 0; i < sums.size(); ++i) {
    double largest = std::max(std::abs(operands.a[i]), std::abs(operands.b[i]));
    ASSERT_NEAR(sums[i], operands.a[i] + operands.b[i],
                std::max(0x1p-24, largest * 0x1p-20));
    ASSERT_EQ(result[0][i], toHalf(sums[i])) << "not normalised";
  }
}

TEST(PairArithmetic, AProductIsWithin2ToMinus20OfItself) {
  Operands operands(100'000);
  HalfRows rows(4);
  Pair product = rows.b().mul(rows.pair(0), rows.pair(1));
  auto result = rows.run(operands.halves(), {product.high, product.low});
  std::vector<double> products = numbers(result[0], result[1]);
  for (size_t i = 0; i < products.size(); ++i) {
    double exact = operands.a[i] * operands.b[i];
    ASSERT_NEAR(products[i], exact,
                std::max(0x1p-23, std::abs(exact) * 0x1p-20));
    ASSERT_EQ(result[0][i], toHalf(products[i])) << "not normalised";
  }
}

/// a + b * 2^-10 for small b: what a state moves by.
void addsIncrements(bool stochastic) {
  Operands operands(100'000);
  HalfRows rows(4, stochastic);
  Pair increment = rows.pair(1);
  increment.scale = 10;
  Pair sum = rows.b().normalise(rows.b().add(rows.pair(0), increment));
  EXPECT_NE(sum.lowSum, nullptr);
  EXPECT_EQ(sum.gridSum != nullptr, stochastic);
  auto result = rows.run(operands.halves(), {sum.high, sum.low});
  std::vector<double> sums = numbers(result[0], result[1]);
  double meanError = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    double exact = operands.a[i] + operands.b[i] * 0x1p-10;
    double bound = std::max(0x1p-24, std::abs(exact) * 0x1p-20);
    ASSERT_NEAR(sums[i], exact, bound);
    meanError += (sums[i] - exact) / bound / sums.size();
  }
  EXPECT_NEAR(meanError, 0, 0.002);
}

TEST(PairArithmetic, AnIncrementKeepsItsBitsBelowTheGrid) {
  addsIncrements(/*stochastic=*/false);
}

TEST(PairArithmetic, AnIncrementIsRoundedToTheGridByASumOfItsOwn) {
  addsIncrements(/*stochastic=*/true);
}

TEST(PairArithmetic, ComparesNumbersNotHalves) {
  HalfRows rows(4);
  PairBuilder &b = rows.b();
  mlir::Value less =
      b.compare(mlir::arith::CmpFPredicate::OLT, rows.pair(0), rows.pair(1));
  // Equal high halves; and a tie that has two forms, 1 + 2^-11.
  Bits high{toHalf(1), toHalf(1), toHalf(1), toHalf(1)};
  Bits low{toHalf(0x1p-20), toHalf(-0x1p-20), 0, toHalf(0x1p-11)};
  Bits otherHigh{toHalf(1), toHalf(1), toHalf(1), toHalf(1 + 0x1p-10)};
  Bits otherLow{0, 0, 0, toHalf(-0x1p-11)};
  auto result = rows.run({high, low, otherHigh, otherLow}, {less});
  EXPECT_EQ(result[0], (Bits{0, 1, 0, 0}));
}

TEST(PairArithmetic, TheMagnitudeOfANumberIsThatOfBothHalves) {
  HalfRows rows(2);
  Pair magnitude = rows.b().abs(rows.pair(0));
  auto result =
      rows.run({{toHalf(-3), toHalf(2)}, {toHalf(0x1p-12), toHalf(-0x1p-12)}},
               {magnitude.high, magnitude.low});
  EXPECT_EQ(numbers(result[0], result[1]),
            (std::vector<double>{3 - 0x1p-12, 2 - 0x1p-12}));
}

TEST(PairArithmetic, ASumOfOnesStallsInF16AndNotInPairs) {
  HalfRows rows(2);
  Pair next =
      rows.b().normalise(rows.b().add(rows.pair(0), rows.b().constantPair(1)));
  mlir::Value alone = rows.b().add(rows.argument(0), 1);
  Bits high{0}, low{0}, single{0};
  for (int i = 0; i < 5000; ++i) {
    auto sum = rows.run({high, low}, {next.high, next.low});
    high = sum[0];
    low = sum[1];
    single = rows.run({single, {0}}, {alone})[0];
  }
  EXPECT_EQ(fromHalf(single[0]), 2048);
  EXPECT_EQ(numbers(high, low)[0], 5000);
}

} // namespace
