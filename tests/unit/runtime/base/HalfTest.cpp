//===- HalfTest.cpp - f16 and bf16 as bits --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rung;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isNan(uint16_t bits, uint16_t infinity) {
  return (bits & 0x7fff) > infinity;
}
} // namespace

TEST(Half, EveryValueComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    if (isNan(half, 0x7c00)) {
      EXPECT_TRUE(std::isnan(fromHalf(half)));
      EXPECT_EQ(toHalf(double(fromHalf(half))), half | 0x0200);
    } else {
      ASSERT_EQ(toHalf(double(fromHalf(half))), half) << bits;
    }
  }
}

TEST(Half, BFloat16EveryValueComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto value = static_cast<uint16_t>(bits);
    if (isNan(value, 0x7f80))
      EXPECT_EQ(toBFloat16(double(fromBFloat16(value))), value | 0x0040);
    else
      ASSERT_EQ(toBFloat16(double(fromBFloat16(value))), value) << bits;
  }
}

// Between two neighbours the middle goes to the even one, and anything beside
// the middle to the nearer: for all pairs of finite neighbours, subnormals and
// the step to infinity among them.
TEST(Half, RoundsToNearestEvenEverywhere) {
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    auto low = static_cast<uint16_t>(bits), high = uint16_t(bits + 1);
    double a = fromHalf(low);
    double b = high == 0x7c00 ? 65536.0 : double(fromHalf(high));
    double middle = (a + b) / 2;
    uint16_t even = low & 1 ? high : low;
    ASSERT_EQ(toHalf(middle), even) << bits;
    ASSERT_EQ(toHalf(std::nextafter(middle, 0.0)), low) << bits;
    ASSERT_EQ(toHalf(std::nextafter(middle, kInfinity)), high) << bits;
    ASSERT_EQ(toHalf(-middle), even | 0x8000) << bits;
  }
}

TEST(Half, BFloat16RoundsToNearestEvenEverywhere) {
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    auto low = static_cast<uint16_t>(bits), high = uint16_t(bits + 1);
    double a = fromBFloat16(low);
    double b = high == 0x7f80 ? 0x1p128 : double(fromBFloat16(high));
    double middle = (a + b) / 2;
    ASSERT_EQ(toBFloat16(middle), low & 1 ? high : low) << bits;
    ASSERT_EQ(toBFloat16(std::nextafter(middle, 0.0)), low) << bits;
    ASSERT_EQ(toBFloat16(std::nextafter(middle, kInfinity)), high) << bits;
  }
}

TEST(Half, DoesNotRoundTwice) {
  // As a float this is the middle above 1, which would go down to even.
  double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(toHalf(value), 0x3c01);
  EXPECT_EQ(toHalf(double(float(value))), 0x3c00);
}

TEST(Half, HasTheEdgesOfTheFormat) {
  EXPECT_EQ(toHalf(0.0), 0x0000);
  EXPECT_EQ(toHalf(-0.0), 0x8000);
  EXPECT_EQ(toHalf(65504.0), 0x7bff);
  EXPECT_EQ(toHalf(65519.99), 0x7bff);
  EXPECT_EQ(toHalf(65520.0), 0x7c00);
  EXPECT_EQ(toHalf(1e300), 0x7c00);
  EXPECT_EQ(toHalf(-kInfinity), 0xfc00);
  EXPECT_EQ(toHalf(0x1p-25), 0x0000);
  EXPECT_EQ(toHalf(std::nextafter(0x1p-25, 1.0)), 0x0001);
  EXPECT_EQ(toHalf(std::numeric_limits<double>::denorm_min()), 0x0000);
  EXPECT_EQ(toHalf(std::numeric_limits<double>::quiet_NaN()) & 0x7e00, 0x7e00);
}
