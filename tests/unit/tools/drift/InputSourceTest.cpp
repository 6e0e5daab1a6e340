//===- InputSourceTest.cpp - inputs that a seed makes ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/InputSource.h"

#include "runtime/base/Half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace rung;
using namespace rung::tools;

namespace {

/// x f32 [T, B, 3]; c f32 [B, 2]; ids i32 [T, B]; states h f32 [B, 2] and
/// random i32 [B, 3].
Function function() {
  Function f;
  f.name = "f";
  f.inputs = {{"x", ScalarType::F32, {RUNG_DIM_T, RUNG_DIM_B, 3}, RUNG_NONE},
              {"c", ScalarType::F32, {RUNG_DIM_B, 2}, RUNG_NONE},
              {"ids", ScalarType::I32, {RUNG_DIM_T, RUNG_DIM_B}, RUNG_NONE},
              {"h", ScalarType::F32, {RUNG_DIM_B, 2}, 0},
              {"r", ScalarType::I32, {RUNG_DIM_B, 3}, 1}};
  f.states = {{"h", 3, 0}, {"random", 4, 1}};
  return f;
}

std::vector<double> elements(const Tensor &tensor) {
  std::vector<double> values;
  for (uint64_t i = 0; i < tensor.elementCount(); ++i)
    values.push_back(toDouble(tensor, i));
  return values;
}

/// All elements of input `index` over `pieces`.
std::vector<double> drawn(const Function &f, const InputRecipe &recipe,
                          size_t index, std::vector<uint64_t> pieces) {
  auto source = InputSource::make(f, recipe, 0);
  EXPECT_TRUE(source.isOk()) << source.status().message();
  std::vector<double> all;
  for (uint64_t steps : pieces) {
    NamedTensors inputs = source->next(steps);
    std::vector<double> part = elements(inputs[index].second);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

InputRecipe recipe(InputKind kind) {
  InputRecipe recipe;
  recipe.kind = kind;
  recipe.seed = 5;
  recipe.batch = 2;
  recipe.tokens = 10;
  return recipe;
}

TEST(NormalSource, IsBoxAndMullersOfTheMersenneTwister) {
  // The first number of std::mt19937_64 with its default seed is
  // 14514284786278117030, the second 4620546740167642908.
  NormalSource source(5489);
  double u = 14514284786278117030ull >> 11, v = 4620546740167642908ull >> 11;
  double radius = std::sqrt(-2 * std::log(1 - u * 0x1p-53));
  EXPECT_DOUBLE_EQ(source.next(), radius * std::cos(2 * M_PI * v * 0x1p-53));
  EXPECT_DOUBLE_EQ(source.next(), radius * std::sin(2 * M_PI * v * 0x1p-53));
}

TEST(NormalSource, HasMeanZeroAndVarianceOne) {
  NormalSource source(1);
  double sum = 0, squares = 0, fourths = 0;
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i) {
    double x = source.next();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  // Within five standard errors.
  EXPECT_NEAR(sum / kCount, 0, 5 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourths / kCount, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST(InputSource, GivesTheSameInPieces) {
  Function f = function();
  for (InputKind kind : {InputKind::White, InputKind::Slow})
    for (size_t index : {0, 2})
      EXPECT_EQ(drawn(f, recipe(kind), index, {9}),
                drawn(f, recipe(kind), index, {1, 4, 3, 1}));
}

TEST(InputSource, DependsOnTheSeedAndThePort) {
  Function f = function();
  InputRecipe one = recipe(InputKind::White), other = one;
  other.seed = 6;
  EXPECT_NE(drawn(f, one, 0, {4}), drawn(f, other, 0, {4}));
  EXPECT_NE(drawn(f, one, 2, {4}), drawn(f, other, 2, {4}));
  f.inputs[2] = f.inputs[0];
  EXPECT_NE(drawn(f, one, 0, {4}), drawn(f, one, 2, {4}));
}

TEST(InputSource, RoundsToWhatAllFloatRungsHold) {
  Function f = function();
  for (double x : drawn(f, recipe(InputKind::Slow), 0, {50})) {
    EXPECT_EQ(x, fromHalf(toHalf(x)));
    EXPECT_EQ(x, fromBFloat16(toBFloat16(x)));
  }
}

TEST(InputSource, SlowInputsHaveTheirMemoryAndVarianceOne) {
  Function f = function();
  InputRecipe slow = recipe(InputKind::Slow);
  slow.memory = 0.9;
  slow.batch = 200;
  constexpr size_t kRow = 600;
  std::vector<double> x = drawn(f, slow, 0, {400});
  double variance = 0, covariance = 0;
  for (size_t i = kRow; i < x.size(); ++i) {
    variance += x[i] * x[i];
    covariance += x[i] * x[i - kRow];
  }
  EXPECT_NEAR(variance / (x.size() - kRow), 1, 0.03);
  EXPECT_NEAR(covariance / variance, 0.9, 0.01);
}

TEST(InputSource, TokensAreUniform) {
  Function f = function();
  std::vector<int> counts(10);
  for (double token : drawn(f, recipe(InputKind::White), 2, {5000}))
    ++counts.at(static_cast<size_t>(token));
  // 10000 draws: 1000 each, a standard deviation of 30.
  for (int count : counts)
    EXPECT_NEAR(count, 1000, 150);
}

TEST(InputSource, InputsWithoutStepsStayAsTheyAre) {
  Function f = function();
  std::vector<double> c = drawn(f, recipe(InputKind::White), 1, {3, 2});
  ASSERT_EQ(c.size(), 8u);
  EXPECT_TRUE(std::equal(c.begin(), c.begin() + 4, c.begin() + 4));
}

TEST(InputSource, StatesBeginWithTheSeed) {
  Function f = function();
  InputRecipe seeded = recipe(InputKind::White);
  auto source = InputSource::make(f, seeded, 1);
  ASSERT_TRUE(source.isOk());
  NamedTensors states = source->firstStates();
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].first, "r");
  EXPECT_EQ(elements(states[0].second),
            (std::vector<double>{0, 5, 0, 0, 5, 0}));
}

TEST(InputSource, GivenArraysGoBeforeAndMustSuffice) {
  Function f = function();
  InputRecipe given = recipe(InputKind::White);
  Tensor x = Tensor::zeros(ScalarType::F32, {3, 2, 3});
  std::iota(x.values<float>().begin(), x.values<float>().end(), 0.0f);
  given.given = {{"x", x}};
  EXPECT_EQ(drawn(f, given, 0, {1, 2}), elements(x));
  auto more = InputSource::make(f, given, 4);
  ASSERT_FALSE(more.isOk());
  EXPECT_EQ(more.status().message(), "input 'x' has 3 steps; --steps is 4");
  given.given = {{"x", Tensor::zeros(ScalarType::F32, {3, 2})}};
  auto flat = InputSource::make(f, given, 1);
  ASSERT_FALSE(flat.isOk());
  EXPECT_EQ(flat.status().message(),
            "input 'x' is f32[3, 2]; f32[T, B, 3] is needed");
}

TEST(InputSource, RefusesWhatASeedCannotMake) {
  Function f = function();
  InputRecipe unknown = recipe(InputKind::White);
  unknown.tokens = 0;
  auto tokens = InputSource::make(f, unknown, 1);
  ASSERT_FALSE(tokens.isOk());
  EXPECT_EQ(tokens.status().message(),
            "input 'ids' takes tokens, and the bundle does not say how many "
            "there are; --tokens does");
  f.inputs[2] = {"n", ScalarType::I32, {RUNG_DIM_B}, RUNG_NONE};
  auto lengths = InputSource::make(f, recipe(InputKind::White), 1);
  ASSERT_FALSE(lengths.isOk());
  EXPECT_EQ(lengths.status().message(),
            "input 'n' holds the rows' lengths; all rows must have all steps");
}

} // namespace
