//===- CellTest.cpp - cells that no code knows by name --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"

#include "runtime/base/Half.h"

#include <cmath>

using namespace rung;
using namespace rung::test;
using reference::CarriedState;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

Attributes recurrenceAttributes(std::vector<int64_t> segments,
                                std::string direction = "forward") {
  return attributes(attribute("operand_segments", std::move(segments)),
                    attribute("direction", std::move(direction)),
                    attribute("heads", int64_t(1)));
}

/// y, c, h = LSTM(x): x is the input product, blocks i, f, g, o.
ModelBuilder lstm(int32_t hidden) {
  GraphBuilder body;
  Type row = f32({hidden});
  uint32_t x = body.input(f32({4 * hidden}));
  uint32_t u = body.input(f32({1, 4 * hidden, hidden}));
  uint32_t h = body.input(row), c = body.input(row);
  uint32_t product = body.op1("rnn.dot", {h, u}, f32({4 * hidden}));
  uint32_t sum = body.op1("arith.addf", {x, product}, f32({4 * hidden}));
  auto gate = [&](int64_t block, const char *function) {
    uint32_t a = body.op1(
        "tensor.extract_slice", {sum}, row,
        attributes(attribute("offsets", std::vector<int64_t>{block * hidden}),
                   attribute("sizes", std::vector<int64_t>{hidden}),
                   attribute("strides", std::vector<int64_t>{1})));
    return body.op1(function, {a}, row);
  };
  auto multiply = [&](uint32_t a, uint32_t b) {
    return body.op1("arith.mulf", {a, b}, row);
  };
  uint32_t input = gate(0, "rnn.sigmoid"), forget = gate(1, "rnn.sigmoid");
  uint32_t candidate = gate(2, "math.tanh"),
           outputGate = gate(3, "rnn.sigmoid");
  uint32_t nextC = body.op1(
      "arith.addf", {multiply(forget, c), multiply(input, candidate)}, row);
  uint32_t nextH = multiply(outputGate, body.op1("math.tanh", {nextC}, row));
  for (uint32_t value : {nextH, nextC, nextH, nextC}) // y, cells; h, c
    body.output(value);

  ModelBuilder model;
  int64_t weight = model.weight("u", {1, 4 * hidden, hidden},
                                randomNumbers(4 * hidden * hidden, 5));
  FunctionBuilder function("main");
  uint32_t xs = function.input("x", f32({T, B, 4 * hidden}));
  uint32_t h0 = function.state("h", f32({B, hidden}));
  uint32_t c0 = function.state("c", f32({B, hidden}));
  auto results = function.graph.op(
      "rnn.recurrence", {xs, model.load(function, weight), h0, c0},
      {f32({T, B, hidden}), f32({T, B, hidden}), f32({B, hidden}),
       f32({B, hidden})},
      recurrenceAttributes({1, 1, 2, 0, 0}), body.take());
  function.output("y", f32({T, B, hidden}), results[0]);
  function.output("cells", f32({T, B, hidden}), results[1]);
  function.stateOutput("h", f32({B, hidden}), results[2]);
  function.stateOutput("c", f32({B, hidden}), results[3]);
  model.add(std::move(function));
  return model;
}

double sigma(double a) { return 1 / (1 + std::exp(-a)); }

TEST(Cell, RunsAnLstmWithTwoStatesAndTwoOutputs) {
  constexpr int64_t kHidden = 5, kSteps = 4, kBatch = 2;
  RunnableModel model(lstm(kHidden));
  Tensor x = randomTensor({kSteps, kBatch, 4 * kHidden}, 1);
  Tensor h = randomTensor({kBatch, kHidden}, 2);
  Tensor c = randomTensor({kBatch, kHidden}, 3);
  auto outputs = model.run({x, h, c}, kSteps, kBatch);
  ASSERT_EQ(outputs.size(), 4u);
  std::vector<float> u = randomNumbers(4 * kHidden * kHidden, 5);
  for (int64_t t = 0; t < kSteps; ++t)
    for (int64_t b = 0; b < kBatch; ++b) {
      std::vector<double> a(x.row(t * kBatch + b),
                            x.row(t * kBatch + b) + 4 * kHidden);
      for (int64_t o = 0; o < 4 * kHidden; ++o)
        for (int64_t k = 0; k < kHidden; ++k)
          a[o] += u[o * kHidden + k] * h.row(b)[k];
      for (int64_t j = 0; j < kHidden; ++j) {
        double &cell = c.row(b)[j];
        cell = sigma(a[kHidden + j]) * cell +
               sigma(a[j]) * std::tanh(a[2 * kHidden + j]);
        h.row(b)[j] = sigma(a[3 * kHidden + j]) * std::tanh(cell);
        EXPECT_NEAR(outputs[0].row(t * kBatch + b)[j], h.row(b)[j], 1e-13);
        EXPECT_NEAR(outputs[1].row(t * kBatch + b)[j], cell, 1e-13);
      }
    }
  EXPECT_LT(largestDifference(outputs[2], h), 1e-13);
  EXPECT_LT(largestDifference(outputs[3], c), 1e-13);
}

/// A function of x and two states around a body of width 1.
ModelBuilder twoStates(GraphBuilder body, std::string direction = "forward") {
  ModelBuilder model;
  FunctionBuilder function("main");
  uint32_t x = function.input("x", f32({T, B, 1}));
  uint32_t p = function.state("p", f32({B, 1}));
  uint32_t q = function.state("q", f32({B, 1}));
  auto results = function.graph.op(
      "rnn.recurrence", {x, p, q}, {f32({T, B, 1}), f32({B, 1}), f32({B, 1})},
      recurrenceAttributes({1, 0, 2, 0, 0}, std::move(direction)), body.take());
  function.output("y", f32({T, B, 1}), results[0]);
  function.stateOutput("p", f32({B, 1}), results[1]);
  function.stateOutput("q", f32({B, 1}), results[2]);
  model.add(std::move(function));
  return model;
}

TEST(Cell, MaySwapItsStates) {
  GraphBuilder body;
  body.input(f32({1}));
  uint32_t p = body.input(f32({1})), q = body.input(f32({1}));
  for (uint32_t value : {p, q, p})
    body.output(value);
  RunnableModel model(twoStates(std::move(body)));
  auto outputs = model.run(
      {tensor({3, 1, 1}, {0, 0, 0}), tensor({1, 1}, {7}), tensor({1, 1}, {8})},
      3, 1);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].values, (std::vector<double>{7, 8, 7}));
  EXPECT_EQ(outputs[1].values, std::vector<double>{8});
  EXPECT_EQ(outputs[2].values, std::vector<double>{7});
}

// p counts x above 0.5; q is the largest so far; in reverse order of time.
TEST(Cell, ComparesSelectsAndRunsBackwards) {
  GraphBuilder body;
  Type row = f32({1});
  uint32_t x = body.input(row), p = body.input(row), q = body.input(row);
  auto constant = [&](double value) {
    return body.op1("arith.constant", {}, row,
                    attributes(attribute("value", value)));
  };
  uint32_t above =
      body.op1("arith.cmpf", {x, constant(0.5)}, {ScalarType::U8, {1}},
               attributes(attribute("predicate", std::string("ogt"))));
  uint32_t more = body.op1("arith.addf", {p, constant(1)}, row);
  uint32_t count = body.op1("arith.select", {above, more, p}, row);
  uint32_t largest = body.op1("arith.maximumf", {q, x}, row);
  for (uint32_t value : {largest, count, largest})
    body.output(value);
  RunnableModel model(twoStates(std::move(body), "reverse"));
  auto outputs = model.run({tensor({4, 1, 1}, {0.9, 0.1, 0.6, 0.5}),
                            tensor({1, 1}, {0}), tensor({1, 1}, {-1})},
                           4, 1);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].values, (std::vector<double>{0.9, 0.6, 0.6, 0.5}));
  EXPECT_EQ(outputs[1].values, std::vector<double>{2});
}

// y = p + extf(truncf(x)): what a conversion to f16 loses is lost, and what is
// not converted is not.
TEST(Cell, RoundsWhereItConverts) {
  GraphBuilder body;
  Type row = f32({1});
  uint32_t x = body.input(row), p = body.input(row), q = body.input(row);
  uint32_t narrow = body.op1("arith.truncf", {x}, {ScalarType::F16, {1}});
  uint32_t wide = body.op1("arith.extf", {narrow}, row);
  uint32_t sum = body.op1("arith.addf", {p, wide}, row);
  for (uint32_t value : {sum, sum, q})
    body.output(value);
  ModelBuilder built = twoStates(std::move(body));
  RunnableModel model(std::move(built));
  double xValue = 0.1, pValue = 1e-12;
  auto outputs = model.run({tensor({1, 1, 1}, {xValue}),
                            tensor({1, 1}, {pValue}), tensor({1, 1}, {0})},
                           1, 1);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].values[0], pValue + fromHalf(toHalf(xValue)));
}

TEST(Cell, CarriesAStateAsDeclaredOrExactly) {
  auto accumulate = [] {
    GraphBuilder body;
    Type row = f32({1});
    uint32_t x = body.input(row), p = body.input(row), q = body.input(row);
    uint32_t sum = body.op1("arith.addf", {p, x}, row);
    for (uint32_t value : {sum, sum, q})
      body.output(value);
    return twoStates(std::move(body));
  };
  std::vector<Tensor> inputs = {tensor({2, 1, 1}, {1e-9, 1e-9}),
                                tensor({1, 1}, {1}), tensor({1, 1}, {0})};
  RunnableModel exact(accumulate(), CarriedState::Exact);
  RunnableModel declared(accumulate(), CarriedState::AsDeclared);
  auto a = exact.run(inputs, 2, 1), b = declared.run(inputs, 2, 1);
  ASSERT_EQ(a.size(), 3u);
  ASSERT_EQ(b.size(), 3u);
  EXPECT_EQ(a[1].values[0], (1 + 1e-9) + 1e-9);
  EXPECT_EQ(b[1].values[0], 1); // f32 has nothing between 1 and 1 + 1.2e-7
}

} // namespace
