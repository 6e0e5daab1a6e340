//===- GruTest.cpp - what holds for every variant of the GRU --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/GruModel.h"
#include "tests/unit/runtime/reference/RunGraph.h"

#include <algorithm>

using namespace rung;
using namespace rung::test;
using reference::CarriedState;
using reference::Tensor;

namespace {

constexpr int64_t kSteps = 7, kBatch = 3;

std::vector<GruVariant> allVariants() {
  std::vector<GruVariant> variants;
  for (auto [hidden, heads] : {std::pair(1, 1), {20, 1}, {20, 5}, {154, 2}})
    for (const char *reset : {"before", "after"})
      for (const char *update : {"keep", "take"})
        for (const char *direction : {"forward", "reverse"})
          for (bool bias : {false, true}) {
            GruVariant v;
            v.hidden = hidden;
            v.heads = heads;
            v.reset = reset;
            v.update = update;
            v.direction = direction;
            v.inputBias = bias;
            v.recurrentBias = !bias || heads > 1;
            v.lengths = bias;
            variants.push_back(v);
          }
  return variants;
}

std::vector<Tensor> inputsFor(const GruVariant &v, int64_t steps,
                              int64_t batch) {
  std::vector<Tensor> inputs = {randomTensor({steps, batch, v.inputs}, 99)};
  for (uint32_t d = 0; d < v.directions(); ++d)
    inputs.push_back(randomTensor({batch, v.hidden}, 100 + d));
  if (v.lengths) {
    std::vector<double> lengths;
    for (int64_t b = 0; b < batch; ++b) // all, none, and some of the steps
      lengths.push_back(static_cast<double>(b == 0   ? steps
                                            : b == 1 ? 0
                                                     : steps / 2));
    inputs.push_back(tensor({batch}, lengths, ScalarType::I32));
  }
  return inputs;
}

/// Steps `begin` .. `end` of a [T, B, N] tensor.
Tensor slice(const Tensor &x, int64_t begin, int64_t end) {
  int64_t step = x.dims[1] * x.dims[2];
  return tensor(
      {end - begin, x.dims[1], x.dims[2]},
      {x.values.begin() + begin * step, x.values.begin() + end * step});
}

/// One row of a [T, B, N] or [B, N] tensor.
Tensor rowOf(const Tensor &x, int64_t b) {
  int64_t batch = x.dims[x.dims.size() - 2], width = x.dims.back();
  std::vector<int64_t> dims = x.dims;
  dims[dims.size() - 2] = 1;
  std::vector<double> values;
  for (int64_t i = b; i < x.rows(); i += batch)
    values.insert(values.end(), x.row(i), x.row(i) + width);
  return tensor(std::move(dims), std::move(values));
}

TEST(Gru, EqualsItsEquivalentBody) {
  for (const GruVariant &v : allVariants()) {
    SCOPED_TRACE(::testing::PrintToString(v));
    RunnableModel named(gruModel(v)), body(gruBodyModel(v));
    auto a = named.run(inputsFor(v, kSteps, kBatch), kSteps, kBatch);
    auto b = body.run(inputsFor(v, kSteps, kBatch), kSteps, kBatch);
    ASSERT_EQ(a.size(), 2u);
    ASSERT_EQ(b.size(), 2u);
    EXPECT_LT(largestDifference(a[0], b[0]), 1e-13);
    EXPECT_LT(largestDifference(a[1], b[1]), 1e-13);
  }
}

// The state goes through f32, as it does through a function's ports.
void expectStepsEqualRun(ModelBuilder model, const GruVariant &v) {
  RunnableModel program(std::move(model), CarriedState::AsDeclared);
  std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
  auto whole = program.run(inputs, kSteps, kBatch);
  ASSERT_EQ(whole.size(), 2u);
  Tensor state = inputs[1];
  for (int64_t t = 0; t < kSteps; ++t) {
    auto step = program.run({slice(inputs[0], t, t + 1), state}, 1, kBatch);
    ASSERT_EQ(step.size(), 2u);
    EXPECT_EQ(step[0].values, slice(whole[0], t, t + 1).values);
    for (double value : step[1].values)
      EXPECT_EQ(value, static_cast<float>(value));
    state = step[1];
  }
  EXPECT_EQ(state.values, whole[1].values);
}

TEST(Gru, OneStepAtATimeEqualsAllAtOnceToTheBit) {
  for (const GruVariant &v : allVariants()) {
    if (v.direction != "forward" || v.lengths)
      continue;
    SCOPED_TRACE(::testing::PrintToString(v));
    expectStepsEqualRun(gruModel(v), v);
    expectStepsEqualRun(gruBodyModel(v), v);
  }
}

TEST(Gru, AShortRowIsAShortSequence) {
  for (const GruVariant &v : allVariants()) {
    if (!v.lengths)
      continue;
    SCOPED_TRACE(::testing::PrintToString(v));
    RunnableModel model(gruModel(v));
    std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
    auto all = model.run(inputs, kSteps, kBatch);
    ASSERT_EQ(all.size(), 2u);
    for (int64_t b = 0; b < kBatch; ++b) {
      auto length = static_cast<int64_t>(inputs[2].values[b]);
      auto alone =
          model.run({slice(rowOf(inputs[0], b), 0, length), rowOf(inputs[1], b),
                     tensor({1}, {double(length)}, ScalarType::I32)},
                    length, 1);
      ASSERT_EQ(alone.size(), 2u);
      Tensor y = rowOf(all[0], b);
      EXPECT_EQ(alone[0].values, slice(y, 0, length).values);
      for (double value : slice(y, length, kSteps).values)
        EXPECT_EQ(value, 0);
      EXPECT_EQ(alone[1].values, rowOf(all[1], b).values);
      if (length == 0) {
        EXPECT_EQ(alone[1].values, rowOf(inputs[1], b).values);
      }
    }
  }
}

TEST(Gru, LengthsOutsideTheStepsActAsTheNearerEnd) {
  GruVariant v;
  v.lengths = true;
  RunnableModel model(gruModel(v));
  std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
  inputs[2].values = {-4, 1000, double(kSteps)};
  auto outside = model.run(inputs, kSteps, kBatch);
  inputs[2].values = {0, double(kSteps), double(kSteps)};
  auto inside = model.run(inputs, kSteps, kBatch);
  ASSERT_EQ(outside.size(), 2u);
  EXPECT_EQ(outside[0].values, inside[0].values);
  EXPECT_EQ(outside[1].values, inside[1].values);
}

Tensor reversed(const Tensor &x) {
  Tensor result = x;
  int64_t step = x.dims[1] * x.dims[2];
  for (int64_t t = 0; t < x.dims[0]; ++t)
    std::copy_n(x.values.begin() + t * step, step,
                result.values.begin() + (x.dims[0] - 1 - t) * step);
  return result;
}

TEST(Gru, AReversedRunIsAForwardRunOfReversedSteps) {
  GruVariant v;
  RunnableModel forward(gruModel(v));
  v.direction = "reverse";
  RunnableModel reverse(gruModel(v));
  std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
  auto a = reverse.run(inputs, kSteps, kBatch);
  auto b = forward.run({reversed(inputs[0]), inputs[1]}, kSteps, kBatch);
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(a[0].values, reversed(b[0]).values);
  EXPECT_EQ(a[1].values, b[1].values);
  // The final state is that after the first step of time.
  EXPECT_EQ(slice(a[0], 0, 1).values, a[1].values);
}

TEST(Gru, BidirectionalIsBothDirectionsSideBySide) {
  GruVariant v;
  RunnableModel forward(gruModel(v));
  v.direction = "bidirectional";
  v.lengths = true;
  RunnableModel both(gruModel(v));
  std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
  inputs[3].values.assign(kBatch, double(kSteps));
  auto all = both.run(inputs, kSteps, kBatch);
  auto one = forward.run({inputs[0], inputs[1]}, kSteps, kBatch);
  ASSERT_EQ(all.size(), 3u);
  ASSERT_EQ(one.size(), 2u);
  for (int64_t i = 0; i < kSteps * kBatch; ++i)
    for (int64_t j = 0; j < v.hidden; ++j)
      EXPECT_EQ(all[0].row(i)[j], one[0].row(i)[j]);
  EXPECT_EQ(all[1].values, one[1].values);
  // The reverse half at the first step is the reverse direction's final state.
  for (int64_t b = 0; b < kBatch; ++b)
    for (int64_t j = 0; j < v.hidden; ++j)
      EXPECT_EQ(all[0].row(b)[v.hidden + j], all[2].row(b)[j]);
}

TEST(Gru, NoStepsAndNoRowsAreRuns) {
  for (bool bidirectional : {false, true}) {
    GruVariant v;
    v.direction = bidirectional ? "bidirectional" : "forward";
    RunnableModel model(gruModel(v));
    std::vector<Tensor> inputs = inputsFor(v, 0, kBatch);
    auto none = model.run(inputs, 0, kBatch);
    ASSERT_EQ(none.size(), 1 + v.directions());
    EXPECT_TRUE(none[0].values.empty());
    EXPECT_EQ(none[1].values, inputs[1].values);
    EXPECT_EQ(model.run(inputsFor(v, 2, 0), 2, 0).size(), none.size());
  }
}

TEST(Gru, ClipsWhatActivationsSee) {
  GruVariant v;
  v.clip = 1e9; // limits nothing
  std::vector<Tensor> inputs = inputsFor(v, kSteps, kBatch);
  auto wide = RunnableModel(gruModel(v)).run(inputs, kSteps, kBatch);
  v.clip = 0;
  auto none = RunnableModel(gruModel(v)).run(inputs, kSteps, kBatch);
  v.clip = 0.1;
  auto narrow = RunnableModel(gruModel(v)).run(inputs, kSteps, kBatch);
  ASSERT_EQ(none.size(), 2u);
  EXPECT_EQ(wide[0].values, none[0].values);
  EXPECT_GT(largestDifference(narrow[0], none[0]), 1e-3);
}

} // namespace
