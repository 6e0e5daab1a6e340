//===- NumbersTest.cpp - comparing, timing, sampling, converting ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Comparison.h"
#include "tools/rung-run/PortValue.h"
#include "tools/rung-run/Sampler.h"
#include "tools/rung-run/Statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::tools;

namespace {

Tensor doubles(std::vector<uint64_t> shape, std::vector<double> values) {
  Tensor tensor = Tensor::zeros(ScalarType::F64, std::move(shape));
  std::copy(values.begin(), values.end(), tensor.values<double>().begin());
  return tensor;
}

const double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

TEST(Comparison, MeasuresAndFindsTheFirstBadElement) {
  Comparison c = compare("y", doubles({2, 2}, {1, 2, 3, 5}),
                         doubles({2, 2}, {1, 2.5, 3, 4}),
                         {.absolute = 0.6, .relative = 0});
  EXPECT_FALSE(c.passed());
  EXPECT_EQ(c.maxAbsolute, 1);
  EXPECT_EQ(c.maxRelative, 0.25);
  EXPECT_EQ(c.meanAbsolute, 0.375);
  EXPECT_EQ(c.bad, 1u);
  ASSERT_TRUE(c.firstBad);
  EXPECT_EQ(c.firstBad->index, (std::vector<uint64_t>{1, 1}));
  EXPECT_EQ(toString(c),
            "y: FAILED, max abs 1, max rel 0.25, mean abs 0.375, 1 of 4 bad, "
            "first bad at [1, 1]: got 5, expected 4");
}

TEST(Comparison, AddsBothTolerances) {
  Tensor got = doubles({1}, {103}), expected = doubles({1}, {100});
  EXPECT_TRUE(compare("y", got, expected, {1, 0.02}).passed());
  EXPECT_FALSE(compare("y", got, expected, {0.9, 0.02}).passed());
}

TEST(Comparison, TreatsSpecialValuesAsNumbersLikeOthers) {
  Tensor special = doubles({3}, {kNaN, kInfinity, -kInfinity});
  EXPECT_TRUE(compare("y", special, special, {}).passed());
  for (double wrong : {0.0, -kInfinity, kNaN}) {
    Comparison c = compare("y", doubles({1}, {wrong}),
                           doubles({1}, {kInfinity}), {1e300, 1e300});
    EXPECT_FALSE(c.passed()) << wrong;
  }
  EXPECT_FALSE(
      compare("y", doubles({1}, {kNaN}), doubles({1}, {1}), {}).passed());
}

TEST(Comparison, FailsOnAnotherShape) {
  Comparison c =
      compare("y", doubles({2}, {1, 2}), doubles({2, 1}, {1, 2}), {});
  EXPECT_FALSE(c.passed());
  EXPECT_EQ(toString(c), "y: FAILED, got f64[2], expected f64[2, 1]");
}

TEST(Comparison, OfNothingPasses) {
  EXPECT_TRUE(compare("y", doubles({0}, {}), doubles({0}, {}), {}).passed());
}

TEST(Statistics, InterpolatesPercentiles) {
  Statistics s = summarize({4, 1, 3, 2, 5});
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 5);
  EXPECT_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.p90, 4.6); // as numpy.percentile has it
  EXPECT_DOUBLE_EQ(s.p99, 4.96);
  EXPECT_EQ(summarize({7}).p99, 7);
}

TEST(Sampler, ArgmaxTakesTheLowestOfEqualsAndNoNaN) {
  EXPECT_EQ(argmax(std::vector<double>{1, 3, 3}), 1);
  EXPECT_EQ(argmax(std::vector<double>{kNaN, 3, 4}), 2);
  EXPECT_EQ(argmax(std::vector<double>{-kInfinity, -kInfinity}), 0);
}

// The first number of std::mt19937_64 seeded with 5489 is 14514284786278117030,
// which gives u = 0.7868...; falling probabilities are summed up to it.
TEST(Sampler, FollowsItsDocumentedGenerator) {
  std::vector<double> thirds = {std::log(0.3), std::log(0.5), std::log(0.2)};
  EXPECT_EQ(Sampler(5489, 1.0, 0).next(thirds), 0); // 0.5 <= u < 0.8
  std::vector<double> other = {std::log(0.21), std::log(0.54), std::log(0.25)};
  EXPECT_EQ(Sampler(5489, 1.0, 0).next(other), 2); // 0.54 <= u < 0.79
}

TEST(Sampler, DrawsByProbability) {
  std::vector<double> scores = {0, std::log(3.0)};
  Sampler sampler(1, 1.0, 0);
  int ones = 0;
  for (int i = 0; i < 4000; ++i)
    ones += sampler.next(scores);
  EXPECT_NEAR(ones, 3000, 120); // four standard deviations
}

TEST(Sampler, TopOneAndLowTemperatureTakeTheBest) {
  std::vector<double> scores = {1, 1.5, 0, kNaN};
  Sampler top(3, 1.0, 1), cold(3, 1e-3, 0);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(top.next(scores), 1);
    EXPECT_EQ(cold.next(scores), 1);
  }
}

TEST(Sampler, TheSameSeedDrawsTheSame) {
  std::vector<double> scores(20, 0.0);
  Sampler a(7, 0.9, 12), b(7, 0.9, 12), other(8, 0.9, 12);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    int32_t token = a.next(scores);
    EXPECT_EQ(token, b.next(scores));
    EXPECT_LT(token, 12); // of equal scores the lowest indices stay
    equal += token == other.next(scores);
  }
  EXPECT_LT(equal, 40);
}

TEST(PortValue, IntegerPortsTakeWholeNumbersInRange) {
  Port ids{"ids", ScalarType::I32, {RUNG_DIM_T, RUNG_DIM_B}};
  auto fitted = fitToPort(doubles({2}, {3, -4}), ids);
  ASSERT_TRUE(fitted.isOk());
  EXPECT_EQ(fitted->type, ScalarType::I32);
  EXPECT_EQ(fitted->values<int32_t>()[1], -4);
  EXPECT_EQ(fitToPort(doubles({2}, {3, 1.5}), ids).status().message(),
            "input 'ids' holds 1.5 at element 1, which is no i32");
  EXPECT_EQ(fitToPort(doubles({1}, {3e9}), ids).status().message(),
            "input 'ids' holds 3e+09 at element 0, which is no i32");
}

TEST(PortValue, FloatPortsRound) {
  Port x{"x", ScalarType::F32, {}};
  auto fitted = fitToPort(doubles({}, {0.1}), x);
  ASSERT_TRUE(fitted.isOk());
  EXPECT_EQ(fitted->values<float>()[0], 0.1f);
}

} // namespace
