//===- RequantizeTest.cpp - the rounding of integer arithmetic ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Requantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace rung::numerics;

namespace {

/// The definition, in arithmetic that can't overflow.
int32_t defined(int32_t value, int32_t factor, int shift) {
  __int128 sum = static_cast<__int128>(value) * factor +
                 (static_cast<__int128>(1) << (shift - 1));
  __int128 scale = static_cast<__int128>(1) << shift;
  __int128 floor = sum / scale - (sum % scale < 0 ? 1 : 0);
  return int32_t(uint32_t(floor & 0xffffffff));
}

TEST(Requantize, RoundsHalvesUp) {
  EXPECT_EQ(requantize(1, 1, 1), 1);
  EXPECT_EQ(requantize(-1, 1, 1), 0);
  EXPECT_EQ(requantize(-3, 1, 1), -1);
  EXPECT_EQ(requantize(5, 3, 3), 2);   // 15 / 8
  EXPECT_EQ(requantize(-5, 3, 3), -2); // -15 / 8
}

TEST(Requantize, IsItsDefinitionAtTheEdges) {
  const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -65536, -1,       0,
                           1,         32767,         65536,  INT32_MAX};
  for (int32_t value : edges)
    for (int32_t factor : edges)
      for (int shift = kMinShift; shift <= kMaxShift; ++shift)
        ASSERT_EQ(requantize(value, factor, shift),
                  defined(value, factor, shift))
            << value << " * " << factor << " >> " << shift;
}

TEST(Requantize, IsItsDefinitionOnRandomNumbers) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    auto value = int32_t(random()), factor = int32_t(random());
    int shift = kMinShift + int(random() % kMaxShift);
    ASSERT_EQ(requantize(value, factor, shift), defined(value, factor, shift))
        << value << " * " << factor << " >> " << shift;
  }
}

TEST(ChooseScaling, UsesAllBitsOfTheLargestFactor) {
  const std::vector<double> ratios = {0.75, -3e-5, 0, 1.0};
  Scaling scaling = chooseScaling(ratios);
  EXPECT_EQ(scaling.shift, 30); // 1.0 at 31 would be 2^31
  for (size_t i = 0; i < ratios.size(); ++i)
    EXPECT_NEAR(std::ldexp(scaling.factors[i], -scaling.shift), ratios[i],
                std::ldexp(0.5, -scaling.shift));
}

TEST(ChooseScaling, KeepsWithinTheShifts) {
  Scaling large = chooseScaling(std::ldexp(1.0, 29));
  EXPECT_EQ(large.shift, 1);
  EXPECT_EQ(large.factors[0], 1 << 30);
  Scaling tiny = chooseScaling(std::ldexp(1.0, -60));
  EXPECT_EQ(tiny.shift, 62);
  EXPECT_EQ(tiny.factors[0], 4);
  EXPECT_EQ(chooseScaling(0.0).factors[0], 0);
}

TEST(RoundToGrid, RoundsHalvesUpAndSaturates) {
  EXPECT_EQ(roundToGrid(0.5), 1);
  EXPECT_EQ(roundToGrid(-0.5), 0);
  EXPECT_EQ(roundToGrid(-1.5), -1);
  EXPECT_EQ(roundToGrid(1e9, 127), 127);
  EXPECT_EQ(roundToGrid(-1e9, 127), -127);
}

} // namespace
