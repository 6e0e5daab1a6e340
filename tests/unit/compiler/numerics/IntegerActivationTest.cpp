//===- IntegerActivationTest.cpp - sigmoid and tanh in integers -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/IntegerActivation.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace rung::numerics;

namespace {

constexpr int kInputBits = 16, kGateBits = 30, kCandidateBits = 24;

double sigmoid(double x) { return evaluate(Squash::Sigmoid, x); }

struct Bound {
  int pieces;
  double error;
};

TEST(FitSquash, TanhKeepsItsErrorOverEveryArgument) {
  for (Bound bound : {Bound{3, 2.8e-2}, Bound{8, 3.3e-3}, Bound{16, 8e-4},
                      Bound{32, 2.1e-4}, Bound{64, 5.2e-5}}) {
    MirroredPieces tanh = fitSquash(Squash::Tanh, {-5, 5}, bound.pieces,
                                    kInputBits, kCandidateBits);
    ASSERT_EQ(tanh.pieces.slopes.size(), size_t(bound.pieces));
    FitError error = measure([&](int32_t x) { return tanh.at(x); },
                             [](double x) { return std::tanh(x); }, -5, 5,
                             kInputBits, kCandidateBits);
    EXPECT_LT(error.absolute, bound.error) << bound.pieces;
    EXPECT_GT(error.absolute, 0.5 * bound.error) << bound.pieces;
  }
}

// A small gate: the argument of an update that keeps 99.9 % a step.
TEST(FitSquash, SmallGatesKeepTheirDigits) {
  for (Bound bound : {Bound{3, 1.7e-1}, Bound{8, 1.6e-2}, Bound{16, 3.8e-3},
                      Bound{32, 9e-4}, Bound{64, 2.3e-4}}) {
    MirroredPieces gate = fitSquash(Squash::Sigmoid, {-11, -3}, bound.pieces,
                                    kInputBits, kGateBits);
    auto at = [&](int32_t x) { return gate.at(x); };
    FitError error = measure(at, sigmoid, -9, -3, kInputBits, kGateBits);
    EXPECT_LT(error.relative, 2 * bound.error) << bound.pieces;
    // Below the floor of 1e-4 the error is a share of the floor.
    FitError tail = measure(at, sigmoid, -11, -9, kInputBits, kGateBits);
    EXPECT_LT(tail.absolute, bound.error * 2.5e-4) << bound.pieces;
  }
}

TEST(FitSquash, BothTailsOfAGateKeepTheirDigits) {
  MirroredPieces gate =
      fitSquash(Squash::Sigmoid, {-8, 8}, 32, kInputBits, kGateBits);
  for (int32_t x = -8 << kInputBits; x <= 0; x += 97) {
    double small = sigmoid(std::ldexp(x, -kInputBits));
    ASSERT_NEAR(std::ldexp(gate.at(x), -kGateBits), small, 1.5e-3 * small);
    ASSERT_EQ(gate.at(-x), (1 << kGateBits) - gate.at(x));
  }
}

TEST(FitSquash, StaysSaneOutsideTheRange) {
  for (Range seen : {Range{-11, -3}, Range{-1, 1}, Range{2, 9}}) {
    MirroredPieces gate =
        fitSquash(Squash::Sigmoid, seen, 16, kInputBits, kGateBits);
    MirroredPieces tanh =
        fitSquash(Squash::Tanh, seen, 16, kInputBits, kCandidateBits);
    for (double x = -40; x <= 40; x += 0.01) {
      auto argument = int32_t(std::ldexp(x, kInputBits));
      ASSERT_NEAR(std::ldexp(gate.at(argument), -kGateBits), sigmoid(x), 0.2);
      ASSERT_NEAR(std::ldexp(tanh.at(argument), -kCandidateBits), std::tanh(x),
                  0.1);
    }
    for (int32_t x : {INT32_MIN + 1, INT32_MAX}) {
      ASSERT_NEAR(std::ldexp(gate.at(x), -kGateBits), x > 0, 1e-4);
      ASSERT_NEAR(std::ldexp(tanh.at(x), -kCandidateBits), x > 0 ? 1 : -1,
                  0.02);
    }
  }
}

TEST(FitSquash, MeetsItsMirrorImageWithoutAStep) {
  MirroredPieces gate =
      fitSquash(Squash::Sigmoid, {-4, 4}, 8, kInputBits, kGateBits);
  EXPECT_NEAR(gate.at(0), 1 << (kGateBits - 1), 64);
  MirroredPieces tanh =
      fitSquash(Squash::Tanh, {-4, 4}, 8, kInputBits, kCandidateBits);
  EXPECT_EQ(tanh.at(0), 0);
  for (int32_t x = 1; x < 5 << kInputBits; x += 101)
    ASSERT_EQ(tanh.at(x), -tanh.at(-x));
}

TEST(TabulateSquash, ErrsByHalfACell) {
  IntegerTable table = tabulateSquash(Squash::Tanh, {-4, 4}, 256, false,
                                      kInputBits, kCandidateBits);
  ASSERT_EQ(table.entries.size(), 256u);
  EXPECT_EQ(table.shift, 12); // 8 / 256 would need one argument more
  FitError error = measure([&](int32_t x) { return table.at(x); },
                           [](double x) { return std::tanh(x); }, -4, 4,
                           kInputBits, kCandidateBits);
  EXPECT_NEAR(error.absolute, std::ldexp(0.5, table.shift - kInputBits), 1e-3);
}

TEST(TabulateSquash, InterpolationErrsByTheBend) {
  for (Squash function : {Squash::Tanh, Squash::Sigmoid}) {
    IntegerTable table = tabulateSquash(function, {-6, 5.5}, 256, true,
                                        kInputBits, kCandidateBits);
    ASSERT_EQ(table.entries.size(), 257u);
    FitError error = measure([&](int32_t x) { return table.at(x); },
                             [=](double x) { return evaluate(function, x); },
                             -6, 5.5, kInputBits, kCandidateBits);
    double cell = std::ldexp(1.0, table.shift - kInputBits);
    EXPECT_LT(error.absolute, 0.78 * cell * cell / 16 + 1e-6);
  }
}

TEST(TabulateSquash, LiesOverTheRange) {
  IntegerTable table = tabulateSquash(Squash::Sigmoid, {-11, -3}, 256, true,
                                      kInputBits, kGateBits);
  FitError error = measure([&](int32_t x) { return table.at(x); }, sigmoid, -11,
                           -3, kInputBits, kGateBits);
  EXPECT_LT(error.relative, 3e-4);
  EXPECT_EQ(table.at(INT32_MIN), table.entries.front());
  EXPECT_NEAR(table.at(INT32_MAX), table.entries.back(), 1 << 20);
}

} // namespace
