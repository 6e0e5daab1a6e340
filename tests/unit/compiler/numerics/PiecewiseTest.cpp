//===- PiecewiseTest.cpp - minimax piecewise linear functions -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Piecewise.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace rung::numerics;

namespace {

const Function kOne = [](double) { return 1.0; };

// Of x^2, any line errs by at least w^2 / 8 over a width of w; so the best are
// equally wide.
TEST(FitPieces, IsTheBestForASquare) {
  for (int count : {1, 2, 3, 8, 32}) {
    Curve curve = {[](double x) { return x * x; }, kOne, -1, 3};
    Pieces pieces = fitPieces(curve, count);
    ASSERT_EQ(pieces.lines.size(), size_t(count));
    double best = std::pow(4.0 / count, 2) / 8;
    EXPECT_NEAR(pieces.error, best, 0.02 * best);
  }
}

TEST(FitPieces, JoinsOnAConvexStretch) {
  Curve curve = {[](double x) { return std::exp(x); }, kOne, 0, 2};
  Pieces pieces = fitPieces(curve, 6);
  for (size_t i = 0; i < pieces.knots.size(); ++i)
    EXPECT_NEAR(pieces.lines[i].at(pieces.knots[i]),
                pieces.lines[i + 1].at(pieces.knots[i]), 0.05 * pieces.error);
}

// Of e^x by relative error, every piece is like every other.
TEST(FitPieces, SpreadsARelativeErrorEvenly) {
  auto exponential = [](double x) { return std::exp(x); };
  Curve curve = {exponential, [](double x) { return std::exp(-x); }, -8, 0};
  Pieces pieces = fitPieces(curve, 16);
  ASSERT_EQ(pieces.knots.size(), 15u);
  for (size_t i = 1; i < pieces.knots.size(); ++i)
    EXPECT_NEAR(pieces.knots[i] - pieces.knots[i - 1], 0.5, 0.02);
}

TEST(FitPieces, FollowsALineExactly) {
  Curve curve = {[](double x) { return 3 * x - 1; }, kOne, -2, 2};
  Pieces pieces = fitPieces(curve, 3);
  EXPECT_LT(pieces.error, 1e-9);
}

TEST(QuantizePieces, BeginsAPieceAtItsKnot) {
  Pieces pieces;
  pieces.knots = {0.5};
  pieces.lines = {{1, 0}, {-2, 4}};
  IntegerPieces integer = quantizePieces(pieces, 8, 12);
  ASSERT_EQ(integer.knots, std::vector<int32_t>{128});
  EXPECT_EQ(integer.at(127), 127 << 4);
  EXPECT_EQ(integer.at(128), (4 << 12) - 2 * (128 << 4));
  EXPECT_EQ(integer.at(-300), -300 * 16);
}

TEST(QuantizePieces, LosesLittle) {
  Function value = [](double x) { return std::sin(x); };
  Pieces pieces = fitPieces({value, kOne, -1.5, 1.5}, 12);
  IntegerPieces integer = quantizePieces(pieces, 16, 20);
  FitError error = measure([&](int32_t x) { return integer.at(x); }, value,
                           -1.5, 1.5, 16, 20);
  // Half an ulp twice, and what lies between the samples of the fit.
  EXPECT_LT(error.absolute, 1.005 * pieces.error + std::ldexp(1.0, -20));
}

} // namespace
