//===- RandomTest.cpp - random bits of a recurrence -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Philox.h"
#include "runtime/reference/Stochastic.h"
#include "tests/unit/runtime/reference/IntegerModel.h"
#include "tests/unit/runtime/reference/RunGraph.h"

#include <algorithm>

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;
constexpr int32_t kWidth = 300; // more than one part of columns
constexpr int64_t kLayer = 5, kWord = 2;

/// h' = add_stochastic(h, x, bits), y = bits, and the random state after it.
ModelBuilder randomModel(const char *direction = "forward") {
  Type half{ScalarType::F16, {kWidth}}, words = i32({kWidth});
  GraphBuilder body;
  uint32_t x = body.input(half), h = body.input(half);
  uint32_t bits = body.op1(
      "rnn.random", {}, words,
      attributes(attribute("layer", kLayer), attribute("word", kWord)));
  body.output(bits);
  body.output(body.op1("rnn.add_stochastic", {h, x, bits}, half));

  ModelBuilder model;
  FunctionBuilder function("main");
  Type sequence{ScalarType::F16, {T, B, kWidth}};
  Type state{ScalarType::F16, {B, kWidth}}, random = i32({B, 3});
  uint32_t xs = function.input("x", sequence);
  uint32_t lengths = function.input("lengths", i32({B}));
  uint32_t h0 = function.state("h", state);
  uint32_t r = function.state("random", random);
  auto results = function.graph.op(
      "rnn.recurrence", {xs, h0, lengths, r}, {i32({T, B, kWidth}), state},
      attributes(
          attribute("operand_segments", std::vector<int64_t>{1, 0, 1, 1, 1}),
          attribute("direction", std::string(direction)),
          attribute("heads", int64_t(1))),
      body.take());
  function.output("bits", i32({T, B, kWidth}), results[0]);
  function.stateOutput("h", state, results[1]);
  function.stateOutput(
      "random", random,
      function.graph.op1("rnn.advance_random", {r, xs, lengths}, random));
  model.add(std::move(function));
  return model;
}

double bitsAt(uint32_t step, uint32_t row, uint32_t column, uint32_t low,
              uint32_t high) {
  return static_cast<int32_t>(reference::philox(
      {step, uint32_t(kLayer), row, column}, {low, high})[kWord]);
}

/// x of [steps, 2, kWidth], all of one value.
Tensor steady(int64_t steps, double value) {
  return tensor(
      {steps, 2, kWidth},
      std::vector<double>(static_cast<size_t>(steps * 2 * kWidth), value),
      ScalarType::F16);
}
Tensor zeroState() { return Tensor::zeros(ScalarType::F16, {2, kWidth}); }
Tensor randomState(std::vector<double> values) {
  return tensor({2, 3}, std::move(values), ScalarType::I32);
}
Tensor lengths(double a, double b) {
  return tensor({2}, {a, b}, ScalarType::I32);
}

TEST(Random, CountsStepLayerRowAndColumn) {
  RunnableModel model(randomModel());
  auto outputs = model.run({steady(3, 1), lengths(3, 2), zeroState(),
                            randomState({7, 11, -12, -1, 13, 14})},
                           3, 2);
  ASSERT_EQ(outputs.size(), 3u);
  for (uint32_t t = 0; t < 3; ++t)
    for (uint32_t j = 0; j < kWidth; ++j) {
      ASSERT_EQ(outputs[0].row(t * 2)[j],
                bitsAt(7 + t, 0, j, 11, uint32_t(-12)));
      // Steps wrap; row 1 has two of them.
      ASSERT_EQ(outputs[0].row(t * 2 + 1)[j],
                t < 2 ? bitsAt(uint32_t(-1) + t, 1, j, 13, 14) : 0);
    }
  EXPECT_EQ(outputs[2].values, (std::vector<double>{10, 11, -12, 1, 13, 14}));
}

TEST(Random, CountsStepsInTheOrderTheyAreTaken) {
  RunnableModel model(randomModel("reverse"));
  auto outputs = model.run({steady(3, 1), lengths(3, 2), zeroState(),
                            randomState({0, 1, 2, 0, 1, 2})},
                           3, 2);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].row(4)[0], bitsAt(0, 0, 0, 1, 2));
  EXPECT_EQ(outputs[0].row(0)[0], bitsAt(2, 0, 0, 1, 2));
  EXPECT_EQ(outputs[0].row(3)[0], bitsAt(0, 1, 0, 1, 2)); // of two steps
}

TEST(Random, IsTheSameInOneRunAndInParts) {
  RunnableModel model(randomModel());
  Tensor random = randomState({0, 3, 4, 100, 5, 6});
  auto whole =
      model.run({steady(9, 0.3), lengths(9, 9), zeroState(), random}, 9, 2);
  Tensor h = zeroState();
  std::vector<double> bits;
  for (int64_t part : {1, 3, 5}) {
    auto now =
        model.run({steady(part, 0.3), lengths(9, 9), h, random}, part, 2);
    ASSERT_EQ(now.size(), 3u);
    bits.insert(bits.end(), now[0].values.begin(), now[0].values.end());
    h = now[1];
    random = now[2];
  }
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_EQ(bits, whole[0].values);
  EXPECT_EQ(h.values, whole[1].values);
  EXPECT_EQ(random.values, whole[2].values);
}

// A model of every integer operation keeps to its limit and to its bits.
TEST(IntegerModel, GivesTheSameInOneRunAndInParts) {
  RunnableModel model(integerModel(), reference::CarriedState::AsDeclared);
  Tensor x = randomTensor({6, 2, 4}, 8);
  Tensor h = Tensor::zeros(ScalarType::I32, {2, 4});
  Tensor random = randomState({0, 3, 4, 0, 5, 6});
  auto whole = model.run({x, h, random}, 6, 2);
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_LE(*std::ranges::max_element(whole[1].values), 100);
  EXPECT_NE(whole[1].values, h.values);
  for (int64_t t = 0; t < 6; ++t) {
    Tensor part = tensor({1, 2, 4}, {x.row(2 * t), x.row(2 * t) + 8});
    auto now = model.run({part, h, random}, 1, 2);
    ASSERT_EQ(now.size(), 3u);
    h = now[1];
    random = now[2];
  }
  EXPECT_EQ(h.values, whole[1].values);
  EXPECT_EQ(random.values, whole[2].values);
}

TEST(Random, NeedsARandomState) {
  ModelBuilder model = randomModel();
  fb::GraphT &graph = *model.bundle().functions[0]->graph;
  graph.nodes[0]->operands.pop_back();
  graph.nodes[0]->attributes[0]->ints[4] = 0;
  EXPECT_NE(RunnableModel(std::move(model))
                .error()
                .find("draws random bits, and no random state"),
            std::string::npos);
}

} // namespace
