//===- StochasticTest.cpp - sums rounded at random ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Stochastic.h"

#include "runtime/base/Half.h"
#include "runtime/reference/Philox.h"
#include "runtime/reference/Rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double half(double value) { return roundTo(ScalarType::F16, value); }

uint32_t bitsOf(uint32_t seed, uint32_t draw) {
  return philox({draw, 0, 0, 0}, {seed, 1})[0];
}

/// The rule again, in whole multiples of 2^-24: the threshold of the bits.
struct Expected {
  double lo, hi;
  uint64_t threshold; // 0: the sum is lo
};
Expected expected(double a, double b) {
  auto v = static_cast<int64_t>((a + b) * 0x1p24);
  int64_t size = std::abs(v), gap = 1;
  while (size >= 2048 * gap)
    gap *= 2;
  int64_t lo = v >= 0 ? v / gap : -((-v + gap - 1) / gap);
  return {double(lo * gap) * 0x1p-24, double((lo + 1) * gap) * 0x1p-24,
          static_cast<uint64_t>(v - lo * gap) * ((uint64_t(1) << 32) / gap)};
}

double orInfinity(double value) {
  return std::abs(value) < 65536 ? value : std::copysign(kInfinity, value);
}

TEST(AddStochastic, ChoosesExactlyAtTheThreshold) {
  for (uint32_t i = 0; i < 200000; ++i) {
    auto words = philox({i, 0, 0, 0}, {3, 4});
    double a = fromHalf(static_cast<uint16_t>(words[0]));
    double b = fromHalf(static_cast<uint16_t>(words[1]));
    if (i % 2) // Nearby exponents, and so sums of all kinds.
      b = half(a * (double(words[2]) * 0x1p-31 - 1));
    if (!(std::abs(a + b) < 65536))
      continue;
    auto [lo, hi, threshold] = expected(a, b);
    SCOPED_TRACE(testing::Message() << a << " + " << b);
    ASSERT_EQ(addStochastic(a, b, static_cast<uint32_t>(threshold)),
              orInfinity(lo));
    ASSERT_EQ(addStochastic(a, b, ~0u), orInfinity(lo));
    if (threshold == 0)
      continue;
    ASSERT_EQ(addStochastic(a, b, static_cast<uint32_t>(threshold - 1)),
              orInfinity(hi));
    ASSERT_EQ(addStochastic(a, b, 0), orInfinity(hi));
  }
}

TEST(AddStochastic, KeepsWhatIsExact) {
  const double subnormal = 0x1p-24;
  for (uint32_t bits : {0u, 1u, 0x80000000u, ~0u}) {
    EXPECT_EQ(addStochastic(1, 2, bits), 3);
    EXPECT_EQ(addStochastic(-2048, 1024, bits), -1024);
    EXPECT_EQ(addStochastic(subnormal, 2 * subnormal, bits), 3 * subnormal);
    EXPECT_EQ(addStochastic(0x1p-14, -subnormal, bits), 0x1p-14 - subnormal);
    EXPECT_EQ(addStochastic(65504, 0, bits), 65504);
    EXPECT_FALSE(std::signbit(addStochastic(1, -1, bits)));
    EXPECT_TRUE(std::signbit(addStochastic(-0.0, -0.0, bits)));
  }
}

TEST(AddStochastic, PassesInfinitiesAndNaN) {
  for (uint32_t bits : {0u, ~0u}) {
    EXPECT_EQ(addStochastic(kInfinity, 1, bits), kInfinity);
    EXPECT_EQ(addStochastic(1, -kInfinity, bits), -kInfinity);
    EXPECT_TRUE(std::isnan(addStochastic(kInfinity, -kInfinity, bits)));
    EXPECT_TRUE(std::isnan(addStochastic(std::nan(""), 1, bits)));
    EXPECT_EQ(addStochastic(65504, 65504, bits), kInfinity);
    EXPECT_EQ(addStochastic(-65504, -32, bits), -kInfinity);
  }
}

// A quarter of the way from the largest finite number to 2^16.
TEST(AddStochastic, OverflowsWithTheRightProbability) {
  EXPECT_EQ(addStochastic(65504, 8, 0x3fffffff), kInfinity);
  EXPECT_EQ(addStochastic(65504, 8, 0x40000000), 65504);
  EXPECT_EQ(addStochastic(-65504, -8, 0xbfffffff), -65504);
  EXPECT_EQ(addStochastic(-65504, -8, 0xc0000000), -kInfinity);
}

// The mean over many draws is the sum, to some standard errors.
TEST(AddStochastic, IsUnbiased) {
  struct Pair {
    double a, b;
  };
  const Pair kPairs[] = {
      {1, 0x1p-14},
      {1, 0x1p-24}, // next to a number
      {1, -0x1p-13},
      {-1, 0x1.8p-12}, // beside a power of two
      {2048, 0.3},
      {-2048, -0.3}, // far above
      {0x1.004p-13, 0x1p-24},
      {-0x1p-12, 0x1p-24}, // by the least subnormal
      {65472, 5},
      {65504, -13}, // up to the largest finite
      {0.1, 0.2},
  };
  constexpr uint32_t kDraws = 1 << 16;
  for (auto [a, b] : kPairs) {
    a = half(a), b = half(b);
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < kDraws; ++i) {
      double error = addStochastic(a, b, bitsOf(77, i)) - (a + b);
      sum += error;
      squares += error * error;
    }
    double standardError = std::sqrt(squares) / kDraws;
    EXPECT_LE(std::abs(sum / kDraws), 4 * standardError) << a << " + " << b;
  }
}

//===----------------------------------------------------------------------===//
// The running sum of ones
//===----------------------------------------------------------------------===//

constexpr int kOnes = 10000;

TEST(RunningSum, StallsAt2048UnderNearest) {
  double sum = 0;
  for (int i = 0; i < kOnes; ++i)
    sum = half(sum + 1);
  EXPECT_EQ(sum, 2048);
}

TEST(RunningSum, GoesOnUnderStochasticRounding) {
  constexpr uint32_t kSeeds = 400;
  double total = 0, squares = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    double sum = 0;
    for (uint32_t i = 0; i < kOnes; ++i)
      sum = addStochastic(sum, 1, bitsOf(seed, i));
    total += sum - kOnes;
    squares += (sum - kOnes) * (sum - kOnes);
  }
  double standardError = std::sqrt(squares) / kSeeds;
  EXPECT_GT(standardError, 0);
  EXPECT_LE(std::abs(total / kSeeds), 4 * standardError);
  EXPECT_LT(std::sqrt(squares / kSeeds), 0.03 * kOnes);
}

// hi + lo holds the sum; TwoSum and FastTwoSum move what hi loses to lo.
TEST(RunningSum, GoesOnAsAPair) {
  double hi = 0, lo = 0;
  for (int i = 0; i < kOnes; ++i) {
    double sum = half(hi + 1), part = half(sum - hi);
    double lost = half(half(hi - half(sum - part)) + half(1 - part));
    lost = half(lost + lo);
    hi = half(sum + lost);
    lo = half(lost - half(hi - sum));
  }
  EXPECT_EQ(hi + lo, kOnes);
}

} // namespace
