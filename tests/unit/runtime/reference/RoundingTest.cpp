//===- RoundingTest.cpp - roundings of rows -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Rounding.h"

#include "runtime/base/Half.h"
#include "runtime/reference/ScalarFunctions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace rung;
using namespace rung::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Every number of a format, and its neighbours among the doubles, ties
/// between two numbers and their neighbours.
template <auto FromBits> std::vector<double> hardCases() {
  std::vector<double> values;
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    double value = FromBits(static_cast<uint16_t>(bits));
    double next = FromBits(static_cast<uint16_t>(bits + 1));
    for (double at : {value, (value + next) / 2})
      for (double toward : {at, -kInfinity, kInfinity})
        values.push_back(std::nextafter(at, toward));
  }
  for (double value : {1e300, -1e300, 1e-300, -1e-300, 0x1p-25, 0x1p-1074})
    values.push_back(value);
  return values;
}

void expectSame(ScalarType type, const std::vector<double> &values) {
  std::vector<double> rounded = values;
  roundAllTo(type, rounded.data(), static_cast<int64_t>(rounded.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    double one = roundTo(type, values[i]);
    if (std::isnan(one)) {
      ASSERT_TRUE(std::isnan(rounded[i])) << values[i];
      continue;
    }
    ASSERT_EQ(rounded[i], one) << values[i];
    ASSERT_EQ(std::signbit(rounded[i]), std::signbit(one)) << values[i];
  }
}

TEST(Rounding, OfARowIsThatOfEachElement) {
  expectSame(ScalarType::F16, hardCases<fromHalf>());
  expectSame(ScalarType::BF16, hardCases<fromBFloat16>());
  expectSame(ScalarType::F32, {0.1, -0.1, 1e300, 1e-300, 16777217, NAN});
  expectSame(ScalarType::I32, {0.1, -0.1});
}

TEST(Rounding, OfResultsTakesF32AsItIsTold) {
  double value = 0.1;
  roundResults(ScalarType::F32, F32::Real, &value, 1);
  EXPECT_EQ(value, 0.1);
  roundResults(ScalarType::F32, F32::Rounded, &value, 1);
  EXPECT_EQ(value, 0.1f);
}

// 7 * 37/256 is a tie of bf16, and what is added decides it; std::fma's double
// is the tie alone.
TEST(FusedMultiplyAdd, RoundsOnceToBFloat16) {
  auto rounded = [](double value) { return roundTo(ScalarType::BF16, value); };
  double a = 7, b = 37.0 / 256, below = 1 + 0x1p-7, above = 1 + 0x1p-6;
  EXPECT_EQ(rounded(fusedToOdd(a, b, -0x1p-100)), below);
  EXPECT_EQ(rounded(fusedToOdd(a, b, 0x1p-100)), above);
  EXPECT_EQ(rounded(fusedToOdd(-a, b, 0x1p-100)), -below);
  EXPECT_EQ(rounded(fusedToOdd(-a, b, -0x1p-100)), -above);
  EXPECT_EQ(rounded(fusedToOdd(a, b, 0)), above); // to even
  EXPECT_EQ(rounded(std::fma(a, b, -0x1p-100)), above);
}

TEST(FusedMultiplyAdd, RoundsOnceToF32) {
  std::mt19937 random(11);
  auto number = [&] {
    auto mantissa = static_cast<float>(random() >> 8) * 0x1p-23f;
    return std::ldexp(random() & 1 ? -mantissa : mantissa,
                      static_cast<int>(random() % 60) - 30);
  };
  for (int i = 0; i < 200000; ++i) {
    float x = number(), y = number(), z = number();
    if (i % 2) // A sum near a tie.
      z = std::ldexp(-x * y, static_cast<int>(random() % 30));
    ASSERT_EQ(static_cast<float>(fusedToOdd(x, y, z)), std::fma(x, y, z))
        << x << " * " << y << " + " << z;
  }
  EXPECT_EQ(fusedToOdd(INFINITY, 1, 1), INFINITY);
  EXPECT_TRUE(std::isnan(fusedToOdd(INFINITY, 1, -INFINITY)));
}

} // namespace
