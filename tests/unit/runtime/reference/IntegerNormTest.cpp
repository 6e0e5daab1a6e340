//===- IntegerNormTest.cpp - root-mean-square norm in integers ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"

#include <cmath>
#include <random>

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

ModelBuilder normModel(int32_t width, int64_t epsilon, int64_t shift) {
  ModelBuilder model;
  FunctionBuilder function("main");
  uint32_t x = function.input("x", i32({T, B, width}));
  uint32_t factor = function.input("factor", i32({width}));
  function.output("y", i32({T, B, width}),
                  function.graph.op1("rnn.integer_rms_norm", {x, factor},
                                     i32({T, B, width}),
                                     attributes(attribute("epsilon", epsilon),
                                                attribute("shift", shift))));
  model.add(std::move(function));
  return model;
}

Tensor normalize(int32_t width, int64_t epsilon, int64_t shift,
                 std::vector<double> x, std::vector<double> factor) {
  RunnableModel model(normModel(width, epsilon, shift));
  auto rows = static_cast<int64_t>(x.size()) / width;
  auto outputs =
      model.run({tensor({rows, 1, width}, std::move(x), ScalarType::I32),
                 tensor({width}, std::move(factor), ScalarType::I32)},
                rows, 1);
  return outputs.empty() ? Tensor() : outputs[0];
}

// Worked out by hand: N = 4, k = 1, p = 13; squares 9, 16, 0, 1 with their
// halves up 5, 8, 0, 1 add to 14, and 14 * 4^13 = 939524096 is below 2^30, so
// d = 14 and v = 3758096384 with q = 61303.
TEST(IntegerNorm, IsAsWorkedOutByHand) {
  Tensor y = normalize(4, 0, 14, {3, -4, 0, 1}, {16384, 16384, 16384, 32768});
  ASSERT_EQ(y.size(), 4);
  auto z = [](double x) { return std::trunc(x * 0x1p27 / 61303); };
  EXPECT_EQ(y.values, (std::vector<double>{z(3), z(-4), 0, 2 * z(1)}));
}

TEST(IntegerNorm, TakesZerosAndClampsLargeInputs) {
  Tensor zeros = normalize(3, 5, 1, {0, 0, 0}, {7, 7, 7});
  EXPECT_EQ(zeros.values, (std::vector<double>{0, 0, 0}));
  Tensor large = normalize(2, 0, 14, {1e9, -1e9, 32767, -32767}, {1, 1});
  EXPECT_EQ(large.values[0], large.values[2]);
  EXPECT_EQ(large.values[1], large.values[3]);
}

TEST(IntegerNorm, IsNearTheRealOne) {
  std::mt19937 random(9);
  for (int32_t width : {1, 2, 3, 64, 100, 1024, 4096}) {
    std::vector<double> x, factor(static_cast<size_t>(width), 1 << 20);
    for (int32_t j = 0; j < width; ++j)
      x.push_back(double(random() % 4001) - 2000);
    Tensor y = normalize(width, 1, 20, x, factor);
    int log = static_cast<int>(std::ceil(std::log2(width)));
    int k = std::max(0, log - 1), p = 14 - (k + 1) / 2;
    double squares = 0;
    for (double value : x)
      squares += value * value;
    double scale = std::ldexp(1, p) / std::sqrt(std::ldexp(squares, -k) + 1);
    for (int32_t j = 0; j < width; ++j) {
      EXPECT_NEAR(y.values[j], x[j] * scale, 2 + std::abs(x[j] * scale) * 2e-3)
          << "width " << width;
      EXPECT_LT(std::abs(y.values[j]), 32768);
    }
  }
}

TEST(IntegerNorm, RefusesWhatItDoesNotKnow) {
  RunnableModel shift(normModel(2, 0, 63));
  EXPECT_NE(shift.error().find("epsilon 0 and shift 63 are not within"),
            std::string::npos)
      << shift.error();
}

} // namespace
