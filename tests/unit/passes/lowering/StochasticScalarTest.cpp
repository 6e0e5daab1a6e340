//===- StochasticScalarTest.cpp - sums rounded by chance, in doubles ------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/StochasticScalar.h"

#include "passes/lowering/Philox.h"
#include "runtime/base/Half.h"
#include "tests/unit/passes/lowering/Folded.h"

#include <cmath>
#include <random>
#include <vector>

using namespace rung;
using namespace rung::test;

namespace {

constexpr uint16_t kLargest = 0x7bff, kInfinity = 0x7c00;

/// An f16's value, with infinity at 2^16.
double valueOf(uint16_t bits) {
  double size = (bits & 0x7fff) == kInfinity ? 65536 : fromHalf(bits & 0x7fff);
  return bits & 0x8000 ? -size : size;
}

/// The neighbours of a sum that is no f16.
struct Bracket {
  uint16_t low, high;
};

Bracket bracket(double sum) {
  // Magnitude bits ascend with the magnitude.
  uint16_t below = 0, past = kInfinity;
  while (past - below > 1) {
    uint16_t middle = (below + past) / 2;
    (valueOf(middle) < std::abs(sum) ? below : past) = middle;
  }
  if (sum > 0)
    return {below, past};
  return {uint16_t(past | 0x8000), uint16_t(below | 0x8000)};
}

/// The definition, in doubles, which hold every sum of two f16 exactly.
uint16_t expected(uint16_t a, uint16_t b, uint32_t bits) {
  double sum = double(fromHalf(a)) + double(fromHalf(b));
  if (!std::isfinite(sum) || double(fromHalf(toHalf(float(sum)))) == sum)
    return toHalf(float(sum));
  if (std::abs(sum) >= 65536)
    return sum > 0 ? kInfinity : kInfinity | 0x8000;
  auto [low, high] = bracket(sum);
  double share = (sum - valueOf(low)) / (valueOf(high) - valueOf(low));
  return double(bits) < share * 0x1p32 ? high : low;
}

class StochasticScalar : public testing::Test {
protected:
  uint16_t add(uint16_t a, uint16_t b, uint32_t bits) {
    mlir::Value sum = emitAddStochastic(folded_.b(), folded_.f16(a),
                                        folded_.f16(b), folded_.i32(bits));
    return folded_.halfBits(sum);
  }

  void check(uint16_t a, uint16_t b, uint32_t bits) {
    uint16_t got = add(a, b, bits), want = expected(a, b, bits);
    if (std::isnan(fromHalf(want)))
      ASSERT_TRUE(std::isnan(fromHalf(got))) << a << " + " << b;
    else
      ASSERT_EQ(got, want) << std::hex << a << " + " << b << ", bits " << bits;
    folded_.clear();
  }

  /// Word 0 of the generator, as a state's rounding reads it.
  uint32_t random(uint32_t step, uint32_t seed) {
    auto &f = folded_;
    auto words = emitPhilox(f.b(), {f.i32(step), f.i32(0), f.i32(0), f.i32(0)},
                            {f.i32(seed), f.i32(0)});
    return uint32_t(f.integer(words[0]));
  }

  Folded folded_;
};

TEST_F(StochasticScalar, IsExactAboutEveryPairOfExponents) {
  std::mt19937 engine(1);
  for (int left = 0; left < 32; ++left)
    for (int right = 0; right < 32; ++right)
      for (int signs = 0; signs < 4; ++signs) {
        auto make = [&](int exponent, int sign) {
          return uint16_t(sign << 15 | exponent << 10 | (engine() & 0x3ff));
        };
        uint16_t a = make(left, signs & 1), b = make(right, signs >> 1);
        for (uint32_t bits : {0u, 0xffffffffu, uint32_t(engine())})
          check(a, b, bits);
      }
}

TEST_F(StochasticScalar, ComparesWithTheExactShare) {
  // 2048 + 0.75: the share of the upper neighbour is 3/8.
  uint16_t a = toHalf(2048), b = toHalf(0.75f);
  for (uint32_t bits : {0x5fffffffu, 0x60000000u})
    check(a, b, bits), check(a | 0x8000, b | 0x8000, bits);
  EXPECT_EQ(add(a, b, 0x5fffffff), toHalf(2050));
  EXPECT_EQ(add(a, b, 0x60000000), toHalf(2048));
  // Of -2048.75, -2048 is the upper one, with 5/8.
  EXPECT_EQ(add(a | 0x8000, b | 0x8000, 0x9fffffff), toHalf(-2048));
  EXPECT_EQ(add(a | 0x8000, b | 0x8000, 0xa0000000), toHalf(-2050));
}

TEST_F(StochasticScalar, PassesZerosInfinitiesAndNaNs) {
  std::vector<uint16_t> special{0,      0x8000, kInfinity, 0xfc00, 0x7e00,
                                0xfe01, 1,      0x8001,    0x3ff,  0x400,
                                0x8400, 0x7bff, 0xfbff,    0x7801, 0xf801};
  for (uint16_t a : special)
    for (uint16_t b : special)
      for (uint32_t bits : {0u, 0x7fffffffu, 0x80000000u, 0xffffffffu})
        check(a, b, bits);
}

TEST_F(StochasticScalar, OverflowsByChanceFromTheLargestFiniteOn) {
  // Half an ulp past 65504, towards infinity's place at 65536.
  uint16_t half = toHalf(16);
  EXPECT_EQ(add(kLargest, half, 0x7fffffff), kInfinity);
  EXPECT_EQ(add(kLargest, half, 0x80000000), kLargest);
  EXPECT_EQ(add(kLargest, toHalf(32), 0xffffffff), kInfinity);
  EXPECT_EQ(add(kLargest | 0x8000, half | 0x8000, 0x7fffffff),
            kLargest | 0x8000);
  EXPECT_EQ(add(kLargest | 0x8000, half | 0x8000, 0x80000000),
            kInfinity | 0x8000);
}

TEST_F(StochasticScalar, HasTheSumAsItsMeanOverSeeds) {
  struct Case {
    uint16_t a, b;
  };
  const std::vector<Case> cases{
      {toHalf(1), toHalf(0.0003f)},   // a little above a number
      {toHalf(1), toHalf(-0.0001f)},  // below it, where ulps halve
      {toHalf(-2048), toHalf(-0.3f)}, // negative
      {toHalf(0.002f), 0x0001},       // the smallest subnormal is an addend
      {toHalf(0.25f), 0x03ff},        // the largest subnormal
      {kLargest, toHalf(3)},          // towards infinity's place
      {uint16_t(kLargest | 0x8000), toHalf(-20)}};
  constexpr int kSeeds = 3000;
  for (auto [a, b] : cases) {
    double sum = double(fromHalf(a)) + double(fromHalf(b)), mean = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
      mean += valueOf(add(a, b, random(/*step=*/7, seed))) / kSeeds;
      folded_.clear();
    }
    auto [low, high] = bracket(sum);
    double ulp = valueOf(high) - valueOf(low);
    double share = (sum - valueOf(low)) / ulp;
    double error = ulp * std::sqrt(share * (1 - share) / kSeeds);
    EXPECT_NEAR(mean, sum, 3.5 * error) << std::hex << a << " + " << b;
  }
}

TEST_F(StochasticScalar, KeepsARunningSumOfOnesGrowing) {
  // Rounded to nearest it stands still at 2048.
  uint16_t sum = 0;
  const uint16_t one = toHalf(1);
  for (int step = 0; step < 6000; ++step) {
    sum = add(sum, one, random(step, /*seed=*/1));
    folded_.clear();
  }
  // The deviation of a sum whose steps are 2, then 4, by chance.
  EXPECT_NEAR(fromHalf(sum), 6000, 3.5 * std::sqrt(2048 + 3 * 1904));
}

} // namespace
