//===- PairActivationsTest.cpp - functions of sums of two f16 -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/PairActivations.h"
#include "runtime/base/Half.h"
#include "tests/unit/passes/precision/HalfRows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::test;

namespace {

using Function = Pair (*)(PairBuilder &, Pair);

/// The function at every finite f16 with a low half at random.
struct Curve {
  explicit Curve(Function function, unsigned seed = 1) : highs(everyFinite()) {
    HalfRows rows(2);
    Pair result = function(rows.b(), rows.pair(0));
    operations = rows.count();
    Bits lows = randomLows(highs, seed);
    x = numbers(highs, lows);
    auto halves = rows.run({highs, lows}, {result.high, result.low});
    y = numbers(halves[0], halves[1], result.scale);
  }
  Bits highs;
  std::vector<double> x, y;
  size_t operations = 0;
};

/// Errors relative to \p unit(exact), where \p wanted(x).
struct Errors {
  template <typename Exact, typename Unit, typename Wanted>
  Errors(const Curve &curve, Exact exact, Unit unit, Wanted wanted) {
    double squares = 0, sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < curve.x.size(); ++i) {
      if (!wanted(curve.x[i]))
        continue;
      double truth = exact(curve.x[i]);
      double error = (curve.y[i] - truth) / unit(truth);
      EXPECT_TRUE(std::isfinite(error)) << "at " << curve.x[i];
      largest = std::max(largest, std::abs(error));
      squares += error * error;
      sum += error;
      ++count;
    }
    EXPECT_GT(count, 1000u);
    rootMeanSquare = std::sqrt(squares / count);
    mean = sum / count;
  }
  double largest = 0, rootMeanSquare = 0, mean = 0;
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double itself(double x) { return std::abs(x); }
double one(double) { return 1; }

void report(const char *what, const Errors &errors, size_t operations) {
  auto power = [](double x) { return "2^" + std::to_string(std::log2(x)); };
  testing::Test::RecordProperty(what, power(errors.largest));
  testing::Test::RecordProperty("root_mean_square",
                                power(errors.rootMeanSquare));
  testing::Test::RecordProperty("operations", int(operations));
}

TEST(PairActivations, ASmallGateKeepsItsRelativeAccuracy) {
  for (unsigned seed : {1, 2, 3}) {
    Curve curve(buildSigmoid, seed);
    auto between = [](double low, double high) {
      return [=](double x) { return low <= x && x < high; };
    };
    Errors small(curve, logistic, itself, between(-12, -1));
    EXPECT_LT(small.largest, 0x1.4p-17);
    EXPECT_LT(small.rootMeanSquare, 0x1.6p-19);
    // No bias that a slow state would follow.
    EXPECT_LT(std::abs(small.mean), 0x1p-21);
    Errors tail(curve, logistic, one, between(-65504, -12));
    EXPECT_LT(tail.largest, 0x1p-24);
    Errors large(curve, logistic, itself, between(-1, 65505));
    EXPECT_LT(large.largest, 0x1p-17);
    report("sigmoid", small, curve.operations);
    EXPECT_LE(curve.operations, 80u);
  }
}

TEST(PairActivations, TanhIsAccurateToItself) {
  for (unsigned seed : {1, 2, 3}) {
    Curve curve(buildTanh, seed);
    auto tanh = [](double x) { return std::tanh(x); };
    auto normal = [](double x) { return std::abs(x) > 0x1p-9; };
    auto all = [](double) { return true; };
    EXPECT_LT(Errors(curve, tanh, itself, normal).largest, 0x1p-15);
    Errors absolute(curve, tanh, one, all);
    EXPECT_LT(absolute.largest, 0x1p-17);
    EXPECT_LT(absolute.rootMeanSquare, 0x1p-19);
    report("tanh", absolute, curve.operations);
    EXPECT_LE(curve.operations, 95u);
  }
}

TEST(PairActivations, TanhIsOdd) {
  HalfRows rows(2);
  Pair result = buildTanh(rows.b(), rows.pair(0));
  Bits highs = everyFinite(), lows = randomLows(highs, 1);
  Bits mirroredHighs = highs, mirroredLows = lows;
  for (size_t i = 0; i < highs.size(); ++i) {
    mirroredHighs[i] ^= 0x8000;
    mirroredLows[i] ^= 0x8000;
  }
  auto plain = rows.run({highs, lows}, {result.high, result.low});
  auto mirrored =
      rows.run({mirroredHighs, mirroredLows}, {result.high, result.low});
  std::vector<double> there = numbers(plain[0], plain[1]);
  std::vector<double> here = numbers(mirrored[0], mirrored[1]);
  for (size_t i = 0; i < there.size(); ++i)
    ASSERT_EQ(there[i], -here[i]);
}

TEST(PairActivations, ExpIsAccurateToItselfWhereItIsNormal) {
  Curve curve(buildExp);
  auto exp = [](double x) { return std::exp(x); };
  auto unit = [](double y) { return std::max(y, 0x1p-7); };
  Errors errors(curve, exp, unit, [](double x) { return x < 10.6; });
  EXPECT_LT(errors.largest, 0x1.8p-17);
  report("exp", errors, curve.operations);
  for (size_t i = 0; i < curve.x.size(); ++i)
    if (curve.x[i] > 10.75) {
      ASSERT_NEAR(curve.y[i], std::exp(10.703125), 1);
    }
}

TEST(PairActivations, AQuotientIsAccurateToItself) {
  HalfRows rows(4);
  Pair result = buildQuotient(rows.b(), rows.pair(0), rows.pair(1));
  Bits divisors, dividends;
  for (uint16_t bits : everyFinite()) {
    double y = std::abs(fromHalf(bits));
    if (y < 0x1p-6 || y > 0x1p12)
      continue;
    for (double share : {1.0, 0.37, -1.9}) {
      divisors.push_back(bits);
      dividends.push_back(toHalf(share * y));
    }
  }
  Bits lows = randomLows(dividends, 1), under = randomLows(divisors, 2);
  auto halves =
      rows.run({dividends, lows, divisors, under}, {result.high, result.low});
  std::vector<double> x = numbers(dividends, lows);
  std::vector<double> y = numbers(divisors, under);
  std::vector<double> quotients = numbers(halves[0], halves[1]);
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = x[i] / y[i];
    double bound = std::abs(exact) * 0x1.6p-19 + 0x1p-24 / std::abs(y[i]);
    ASSERT_NEAR(quotients[i], exact, bound) << x[i] << " / " << y[i];
  }
}

TEST(PairActivations, EndsAreLimitsAndNanStays) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // The low half of an infinity is what a split would give it: NaN.
  Bits highs = highsOf({65504, -65504, kInfinity, -kInfinity, kNan, 0});
  Bits lows = highsOf({0, 0, kNan, kNan, kNan, 0});
  auto run = [&](Function function) {
    HalfRows rows(2);
    Pair result = function(rows.b(), rows.pair(0));
    auto halves = rows.run({highs, lows}, {result.high, result.low});
    return numbers(halves[0], halves[1], result.scale);
  };
  std::vector<double> sigmoid = run(buildSigmoid), tanh = run(buildTanh);
  EXPECT_EQ(std::vector(sigmoid.begin(), sigmoid.begin() + 4),
            (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(std::vector(tanh.begin(), tanh.begin() + 4),
            (std::vector<double>{1, -1, 1, -1}));
  EXPECT_TRUE(std::isnan(sigmoid[4]));
  EXPECT_TRUE(std::isnan(tanh[4]));
  EXPECT_TRUE(std::isnan(run(buildExp)[4]));
  EXPECT_NEAR(sigmoid[5], 0.5, 0x1p-20);
  EXPECT_EQ(tanh[5], 0);
  EXPECT_EQ(run(buildExp)[5], 1);
}

} // namespace
