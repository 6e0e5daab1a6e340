//===- ErrorBudgetTest.cpp - what roundings do to a state over time -------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/ErrorBudget.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace rung::numerics;

namespace {

constexpr Grid kF16 = {0x1p-10, 0x1p-24}, kF32 = {0x1p-23, 0x1p-149},
               kPair = {0.2124 * 0x1p-20, 0x1p-24};

/// A GRU of heads 64 wide whose recurrent matrices have a spectral norm of 1.5,
/// rows of norm 0.75, and whose input's products have variance 1.
UnitClass unitWithBias(double bias) {
  UnitClass unit;
  unit.gate = {-bias, 1};
  unit.candidate = {0, 1};
  unit.gateGain = unit.candidateGain = 0.75;
  return unit;
}

Arithmetic floats(Grid state, Grid inside, Grid accumulator) {
  Arithmetic a;
  a.state = state;
  a.argument = a.gate = a.increment = inside;
  a.accumulator = accumulator;
  a.accumulations = 4;
  a.argumentRoundings = a.incrementRoundings = 2;
  return a;
}

Arithmetic stochastic(Arithmetic a) {
  a.stochastic = true;
  return a;
}

Arithmetic integers(double state, double argument, double gate) {
  Arithmetic a;
  a.state = {0, state};
  a.argument = {0, argument};
  a.argumentRoundings = 1;
  a.gate = {0, gate};
  a.operand = {0, 0x1p-15};
  return a;
}

struct Regime {
  double bias, memory;
};
constexpr Regime kRegimes[] = {{0, 0}, {7, 0}, {7, 1000}, {9, 1000}};

double predict(const Arithmetic &arithmetic, Regime regime, int64_t steps) {
  return predictErrors({unitWithBias(regime.bias)}, arithmetic, {regime.memory},
                       {steps})
      .front()
      .relative;
}

/// Errors at step 4096 as simulated step by step, number by number: the table
/// that the precision ladder was designed by.
struct Simulated {
  const char *name;
  Arithmetic arithmetic;
  double error[4];
};

const Simulated kSimulated[] = {
    {"fp16", floats(kF16, kF16, kF16), {5.8e-4, 4.1e-3, 4.4e-2, 8.6e-2}},
    {"fp16 state alone",
     floats(kF16, {}, {}),
     {2.5e-4, 4.1e-3, 4.4e-2, 8.6e-2}},
    {"fp16-sr",
     stochastic(floats(kF16, kF16, kF16)),
     {6.2e-4, 5.8e-3, 6.9e-3, 9.7e-3}},
    {"paired state, f16 gates",
     floats(kPair, kF16, kF16),
     {3.5e-4, 1.6e-3, 5.4e-5, 1.8e-4}},
    {"fp16x2", floats(kPair, kPair, kF16), {8.0e-5, 1.6e-5, 4.0e-6, 4.7e-6}},
    {"int8 s16, exact activations",
     integers(0x1p-15, 0x1p-11, 0x1p-15),
     {1.8e-4, 6.8e-3, 1.3e-3, 1.4e-2}},
    {"int8 s32, exact activations",
     integers(0x1p-24, 0x1p-14, 0x1p-20),
     {2.2e-5, 1.2e-4, 7.9e-6, 3.7e-5}}};

TEST(ErrorBudget, IsWithinFourOfTheSimulation) {
  for (const Simulated &row : kSimulated)
    for (size_t i = 0; i < std::size(kRegimes); ++i) {
      double ratio = predict(row.arithmetic, kRegimes[i], 4096) / row.error[i];
      EXPECT_LT(ratio, 4) << row.name << ", regime " << char('A' + i);
      EXPECT_GT(ratio, 0.25) << row.name << ", regime " << char('A' + i);
    }
}

TEST(ErrorBudget, NearestRoundingGrowsWhereTheStateIsSlow) {
  Arithmetic nearest = floats(kF16, kF16, kF16);
  for (Regime slow : {kRegimes[2], kRegimes[3]}) {
    double early = predict(nearest, slow, 256);
    EXPECT_GT(predict(nearest, slow, 4096), 8 * early);
    EXPECT_LT(predict(stochastic(nearest), slow, 4096), 5 * early);
  }
  EXPECT_LT(predict(nearest, kRegimes[0], 16384),
            1.01 * predict(nearest, kRegimes[0], 256));
}

TEST(ErrorBudget, SaysWhatErrsMost) {
  auto at = predictErrors({unitWithBias(9)}, floats(kF16, kF16, kF16), {1000},
                          {1, 4096});
  ASSERT_EQ(at.size(), 2u);
  EXPECT_EQ(at[0].steps, 1);
  const Prediction &last = at[1];
  double sum = 0;
  for (double part : last.part)
    sum += part * part;
  EXPECT_NEAR(std::sqrt(sum), last.relative, 1e-12);
  EXPECT_GT(last.part[int(Source::State)], 0.99 * last.relative);
  EXPECT_GT(last.coherence[int(Source::State)], 10);
}

TEST(ErrorBudget, NothingRoundedIsNothingLost) {
  for (Regime regime : kRegimes)
    EXPECT_EQ(predict({}, regime, 1024), 0);
  EXPECT_LT(predict(floats(kF32, kF32, kF32), kRegimes[2], 4096), 1e-5);
}

// A leaky average of white numbers of variance v has variance v u / (2 - u).
TEST(ErrorBudget, StateIsThatOfALeakyAverage) {
  UnitClass unit;
  unit.gate = {-3, 1e-9};
  unit.candidate = {0, 0.5};
  double u = 1 / (1 + std::exp(3.0));
  double variance = tanhMoments(unit.candidate).square;
  auto at = predictErrors({unit}, {}, {0}, {1, 4096});
  EXPECT_NEAR(at[0].state, u * std::sqrt(variance), 1e-9);
  EXPECT_NEAR(at[1].state, std::sqrt(variance * u / (2 - u)), 1e-9);
}

// Where gates open with their candidates, the state has a mean.
TEST(ErrorBudget, GatesThatFollowCandidatesPullTheState) {
  UnitClass apart = unitWithBias(7), together = apart;
  together.covariance = 0.125;
  auto state = [](const UnitClass &unit, double memory) {
    return predictErrors({unit}, {}, {memory}, {4096}).front().state;
  };
  // Simulated: 0.090, for rows of 64 inputs drawn at random.
  EXPECT_NEAR(state(together, 0), 0.090, 0.025);
  EXPECT_LT(state(apart, 0), 0.04);
}

// tanh and gates of 1/2 pass on most of what the input errs by.
TEST(ErrorBudget, InputsBringTheirErrors) {
  UnitClass unit = unitWithBias(0);
  unit.gateInput = unit.candidateInput = 1;
  std::vector<Prediction> maker(2);
  maker[0].steps = 16;
  maker[0].relative = 1e-3;
  maker[1].steps = 64;
  maker[1].relative = 1e-2;
  auto at = predictErrors({unit}, {}, {0, &maker}, {16, 64, 256});
  EXPECT_GT(at[0].relative, 5e-4);
  EXPECT_LT(at[0].relative, 2e-3);
  EXPECT_NEAR(at[1].relative, 10 * at[0].relative, at[0].relative);
  EXPECT_NEAR(at[2].relative, at[1].relative, 1e-5);
  EXPECT_EQ(at[2].part[int(Source::Input)], at[2].relative);

  Arithmetic rounds;
  rounds.input = kF16;
  EXPECT_NEAR(predictErrors({unit}, rounds, {0}, {64})[0].relative, 2e-4, 1e-4);
}

TEST(ErrorBudget, GridsSpaceBySizeAndByFloor) {
  EXPECT_EQ(Grid().spacing(1), 0);
  EXPECT_EQ((Grid{0, 0.25}).spacing(100), 0.25);
  EXPECT_NEAR(kF16.spacing(1) / kF16.spacing(0.25), 4, 1e-12);
  EXPECT_EQ(kF16.spacing(1e-6), 0x1p-24);
}

TEST(ErrorBudget, MemoryIsOneOverTheShare) {
  UnitClass fast, slow;
  fast.gate = {0, 1e-9};
  slow.gate = {-9, 1e-9};
  slow.count = 3;
  Memory memory = memoryOf({fast, slow});
  double longest = 1 + std::exp(9.0);
  EXPECT_NEAR(memory.longest, longest, 1e-6 * longest);
  EXPECT_NEAR(std::log(memory.typical),
              (std::log(2) + 3 * std::log(longest)) / 4, 1e-6);
  EXPECT_EQ(memoryOf({}).typical, 0);
}

TEST(GaussianMoments, AreThoseOfTheDistribution) {
  Moments point = sigmoidMoments({1.5, 0});
  double f = 1 / (1 + std::exp(-1.5));
  EXPECT_NEAR(point.mean, f, 1e-12);
  EXPECT_NEAR(point.square, f * f, 1e-12);
  EXPECT_NEAR(point.slope, f * (1 - f), 1e-12);
  EXPECT_NEAR(point.variance(), 0, 1e-12);
  EXPECT_NEAR(sigmoidMoments({0, 2}).mean, 0.5, 1e-9);
  EXPECT_NEAR(tanhMoments({0, 2}).mean, 0, 1e-9);
  // Far below 0 the sigmoid is the exponential: E exp(a) = exp(m + s^2 / 2).
  EXPECT_NEAR(sigmoidMoments({-20, 1}).mean / std::exp(-19.5), 1, 1e-6);
  // tanh of narrow arguments is their line.
  EXPECT_NEAR(tanhMoments({0, 1e-3}).square, 1e-6, 1e-11);
}

} // namespace
