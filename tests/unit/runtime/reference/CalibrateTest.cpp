//===- CalibrateTest.cpp - what range each number of a model takes --------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Calibrate.h"

#include "tests/unit/runtime/reference/GruModel.h"
#include "tests/unit/runtime/reference/RunGraph.h"

#include <cmath>

using namespace rung;
using namespace rung::test;
using reference::Calibrator;
using reference::FunctionRanges;
using reference::Range;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

/// h' = tanh(sigmoid(2 x) + h) behind a linear layer of weight 2 and a norm.
ModelBuilder layers(int32_t width) {
  Type row = f32({width});
  GraphBuilder body;
  uint32_t x = body.input(row), h = body.input(row);
  uint32_t gate = body.op1("rnn.sigmoid", {x}, row);
  uint32_t sum = body.op1("arith.addf", {gate, h}, row);
  body.output(body.op1("math.tanh", {sum}, row));

  ModelBuilder model;
  std::vector<float> identity(static_cast<size_t>(width * width), 0.0f);
  for (int32_t i = 0; i < width; ++i)
    identity[static_cast<size_t>(i * width + i)] = 2;
  int64_t w = model.weight("w", {width, width}, identity);
  int64_t ones = model.weight(
      "ones", {width}, std::vector<float>(static_cast<size_t>(width), 1.0f));
  FunctionBuilder function("main");
  Type sequence = f32({T, B, width}), state = f32({B, width});
  uint32_t xs = function.input("x", sequence);
  uint32_t n = function.input("lengths", i32({B}));
  uint32_t h0 = function.state("h", state);
  uint32_t scaled =
      function.graph.op1("rnn.linear", {xs, model.load(function, w)}, sequence);
  uint32_t last = function.graph.op(
      "rnn.recurrence", {scaled, h0, n}, {state},
      attributes(
          attribute("operand_segments", std::vector<int64_t>{1, 0, 1, 1, 0}),
          attribute("direction", std::string("forward")),
          attribute("heads", int64_t(1))),
      body.take())[0];
  function.output("normed", state,
                  function.graph.op1("rnn.rms_norm",
                                     {last, model.load(function, ones)}, state,
                                     attributes(attribute("epsilon", 1e-5))));
  function.stateOutput("h", state, last);
  model.add(std::move(function));
  return model;
}

void expectRange(const Range &range, double low, double high) {
  EXPECT_DOUBLE_EQ(range.low, low);
  EXPECT_DOUBLE_EQ(range.high, high);
}

TEST(Calibrate, GathersRangesOverRunsAndSkipsWhatIsPastARow) {
  constexpr int32_t kWidth = 300; // several parts of columns
  auto reader = layers(kWidth).read();
  ASSERT_TRUE(reader.isOk()) << reader.status().message();
  Calibrator calibrator(*reader);
  FunctionRanges before = calibrator.ranges(0);
  ASSERT_EQ(before.linears.size(), 1u);
  EXPECT_TRUE(before.linears[0].empty());
  EXPECT_EQ(before.linears[0].magnitude(), 0);

  Tensor x = Tensor::zeros(ScalarType::F32, {2, 1, kWidth});
  x.row(0)[0] = -3;
  x.row(0)[kWidth - 1] = 2;
  x.row(1)[7] = 40; // past the row, which has one step
  Tensor h = reference::zeroInput(*reader->root().functions()->Get(0), 2, 2, 1);
  h.row(0)[5] = -0.25;
  auto one = tensor({1}, {1}, ScalarType::I32);
  ASSERT_TRUE(calibrator.run(0, {x, one, h}, 2, 1).isOk());
  FunctionRanges ranges = calibrator.ranges(0);
  expectRange(ranges.linears[0], -3, 40); // a linear layer takes all
  ASSERT_EQ(ranges.recurrences.size(), 1u);
  ASSERT_EQ(ranges.recurrences[0].activations.size(), 2u);
  double most = 1 / (1 + std::exp(-4.0)), least = 1 / (1 + std::exp(6.0));
  expectRange(ranges.recurrences[0].activations[0], -6, 4);
  expectRange(ranges.recurrences[0].activations[1], least, most);
  ASSERT_EQ(ranges.recurrences[0].states.size(), 1u);
  expectRange(ranges.recurrences[0].states[0], -0.25, float(std::tanh(most)));
  ASSERT_EQ(ranges.norms.size(), 1u);
  EXPECT_EQ(ranges.norms[0].high, float(std::tanh(most)));

  x.row(0)[0] = -5; // A second run widens what the first has seen.
  ASSERT_TRUE(calibrator.run(0, {x, one, h}, 2, 1).isOk());
  expectRange(calibrator.ranges(0).recurrences[0].activations[0], -10, 4);
}

} // namespace
