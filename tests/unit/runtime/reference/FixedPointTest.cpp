//===- FixedPointTest.cpp - the integer operations of a body --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/FixedPoint.h"

#include "runtime/reference/Philox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace rung::reference;

namespace {

using Wide = __int128;
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
constexpr int32_t kMost = std::numeric_limits<int32_t>::max();

/// floor(a / b), for a positive b.
Wide floorDivide(Wide a, Wide b) {
  Wide quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}
int32_t lowBits(Wide value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}
Wide rounded(Wide value, Wide factor, int shift) {
  Wide half = Wide(1) << (shift - 1);
  return floorDivide(value * factor + half, 2 * half);
}

TEST(Requantize, RoundsToTheNearestAndHalvesUp) {
  EXPECT_EQ(requantize(5, 1, 1), 3);
  EXPECT_EQ(requantize(-5, 1, 1), -2);
  EXPECT_EQ(requantize(7, 3, 2), 5);   // 5.25
  EXPECT_EQ(requantize(-7, 3, 2), -5); // -5.25
  EXPECT_EQ(requantize(6, 1, 2), 2);   // 1.5
  EXPECT_EQ(requantize(-6, 1, 2), -1); // -1.5
  EXPECT_EQ(requantize(kLeast, kLeast, 62), 1);
  EXPECT_EQ(requantize(kLeast, kMost, 31), -kMost);
}

TEST(Requantize, IsExactForAllOperands) {
  std::mt19937 random(5);
  for (int i = 0; i < 200000; ++i) {
    auto value = static_cast<int32_t>(random() >> random() % 31);
    auto factor = static_cast<int32_t>(random() >> random() % 31);
    if (i % 5 == 0)
      value = i % 2 ? kLeast : kMost;
    if (i % 7 == 0)
      factor = i % 2 ? kMost : kLeast;
    int shift = 1 + static_cast<int>(random() % 62);
    ASSERT_EQ(requantize(value, factor, shift),
              lowBits(rounded(value, factor, shift)))
        << value << " * " << factor << " >> " << shift;
  }
}

TEST(Piecewise, TakesThePieceOfTheKnotsBelow) {
  Pieces ramp{{0, 1024}, {0, 256, 0}, {0, 0, 256}, 10};
  EXPECT_EQ(ramp(-5), 0);
  EXPECT_EQ(ramp(0), 0);
  EXPECT_EQ(ramp(2), 1); // 0.5, up
  EXPECT_EQ(ramp(1023), 256);
  EXPECT_EQ(ramp(1024), 256);
  EXPECT_EQ(ramp(kMost), 256);
  Pieces line{{}, {kMost}, {kMost}, 1};
  EXPECT_EQ(line(kMost), lowBits(rounded(kMost, kMost, 1) + kMost));
}

TEST(Lookup, ClampsAndInterpolates) {
  const double table[] = {10, 20, -100};
  Lookup nearest{-4, 2, false, 3};
  EXPECT_EQ(nearest(kLeast, table), 10);
  EXPECT_EQ(nearest(-4, table), 10);
  EXPECT_EQ(nearest(-1, table), 10);
  EXPECT_EQ(nearest(0, table), 20);
  EXPECT_EQ(nearest(4, table), -100);
  EXPECT_EQ(nearest(kMost, table), -100);
  Lookup between{-4, 2, true, 3};
  EXPECT_EQ(between(-5, table), 10);
  EXPECT_EQ(between(-3, table), 13); // 12.5, up
  EXPECT_EQ(between(-2, table), 15);
  EXPECT_EQ(between(0, table), 20);
  EXPECT_EQ(between(2, table), -40);
  EXPECT_EQ(between(3, table), -70);
  EXPECT_EQ(between(kMost, table), -70); // the last input of the range
}

TEST(Lookup, IsExactBetweenAnyEntries) {
  const double table[] = {double(kLeast), double(kMost), double(kLeast)};
  Lookup between{kLeast, 30, true, 3};
  for (int64_t x = kLeast; x <= kMost; x += 12345678) {
    int64_t u = std::clamp<int64_t>(x - kLeast, 0, (int64_t(2) << 30) - 1);
    auto from = static_cast<Wide>(table[u >> 30]);
    Wide difference = static_cast<Wide>(table[(u >> 30) + 1]) - from;
    ASSERT_EQ(between(static_cast<int32_t>(x), table),
              lowBits(from + rounded(difference, u & ((1 << 30) - 1), 30)));
  }
}

} // namespace
