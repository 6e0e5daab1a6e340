//===- MapTest.cpp - functions of each element of a tensor ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"

#include <cmath>

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

/// A function of x [T, B, N] of `from` and a weight around a map.
ModelBuilder mapModel(GraphBuilder body, Type from, Type to, Type weight,
                      std::vector<float> values) {
  ModelBuilder model;
  int64_t index = model.weight("w", weight.dims, values);
  FunctionBuilder function("main");
  auto sequence = [](Type row) {
    row.dims.insert(row.dims.begin(), {T, B});
    return row;
  };
  uint32_t x = function.input("x", sequence(from));
  uint32_t w = model.load(function, index);
  if (weight.element == ScalarType::I32) {
    // Weights of the builder are floats; a map makes integers of them.
    GraphBuilder convert;
    uint32_t value = convert.input(f32(weight.dims));
    convert.output(convert.op1("arith.fptosi", {value}, weight));
    w = function.graph.op(
        "rnn.map", {w}, {weight},
        attributes(attribute("operand_segments", std::vector<int64_t>{1, 0})),
        convert.take())[0];
  }
  uint32_t y = function.graph.op(
      "rnn.map", {x, w}, {sequence(to)},
      attributes(attribute("operand_segments", std::vector<int64_t>{1, 1})),
      body.take())[0];
  function.output("y", sequence(to), y);
  model.add(std::move(function));
  return model;
}

// x * w, rounded and limited, as inputs of integer products are made.
TEST(Map, QuantizesByRowsOfFactors) {
  Type row = f32({3}), words = i32({3});
  GraphBuilder body;
  uint32_t x = body.input(row), w = body.input(row);
  uint32_t scaled = body.op1("arith.mulf", {x, w}, row);
  uint32_t whole = body.op1("math.roundeven", {scaled}, row);
  body.output(body.op1("arith.fptosi", {whole}, words));
  RunnableModel model(mapModel(std::move(body), row, words, row, {10, 1, 0.5}));
  auto outputs =
      model.run({tensor({2, 1, 3}, {0.25, 0.5, 5, -0.35, 1.5, 1e20})}, 2, 1);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].element, ScalarType::I32);
  EXPECT_EQ(outputs[0].values,
            (std::vector<double>{2, 0, 2, -4, 2, 2147483647}));
}

// 0.1 * 10 is 1 in f32, as a device computes it, and more than 1 in double of
// the f32 0.1: what a map computes is rounded.
TEST(Map, RoundsEachResultOfF32) {
  Type row = f32({1});
  GraphBuilder body;
  uint32_t x = body.input(row), w = body.input(row);
  body.output(body.op1("arith.mulf", {x, w}, row));
  RunnableModel model(mapModel(std::move(body), row, row, row, {10}));
  auto outputs = model.run({tensor({1, 1, 1}, {0.1f})}, 1, 1);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_NE(0.1f * 10.0, 1);
  EXPECT_EQ(outputs[0].values[0], 1);
}

// A table as wide as the rows are is still whole, wherever a part of a row is
// computed.
TEST(Map, LooksUpInAWholeTable) {
  constexpr int32_t kWidth = 300;
  Type words = i32({kWidth});
  GraphBuilder body;
  uint32_t x = body.input(words), table = body.input(words);
  body.output(body.op1("rnn.lookup", {x, table}, words,
                       attributes(attribute("low", int64_t(-7)),
                                  attribute("shift", int64_t(0)),
                                  attribute("interpolate", int64_t(0)))));
  std::vector<float> entries;
  for (int32_t i = 0; i < kWidth; ++i)
    entries.push_back(float(i * i));
  RunnableModel model(mapModel(std::move(body), words, words, words, entries));
  std::vector<double> ids;
  for (int32_t i = 0; i < 4 * kWidth; ++i)
    ids.push_back((i * 37) % 320 - 15);
  auto outputs =
      model.run({tensor({2, 2, kWidth}, ids, ScalarType::I32)}, 2, 2);
  ASSERT_EQ(outputs.size(), 1u);
  for (size_t i = 0; i < ids.size(); ++i) {
    double entry = std::clamp(ids[i] + 7, 0.0, double(kWidth - 1));
    ASSERT_EQ(outputs[0].values[i], entry * entry) << i;
  }
}

TEST(Map, RefusesRandomBits) {
  Type row = f32({1});
  GraphBuilder body;
  body.input(row), body.input(row);
  uint32_t bits = body.op1("rnn.random", {}, i32({1}),
                           attributes(attribute("layer", int64_t(0)),
                                      attribute("word", int64_t(0))));
  body.output(bits);
  RunnableModel model(mapModel(std::move(body), row, i32({1}), row, {1}));
  EXPECT_NE(model.error().find("has a body that draws random bits"),
            std::string::npos)
      << model.error();
}

TEST(Map, RefusesInputsOfAnotherType) {
  Type row = f32({1}), half = {ScalarType::F16, {1}};
  GraphBuilder body;
  uint32_t x = body.input(half);
  body.input(row);
  body.output(x);
  RunnableModel model(mapModel(std::move(body), row, half, row, {1}));
  EXPECT_NE(model.error({tensor({1, 1, 1}, {1})})
                .find("operand 0 is of f32 instead of f16"),
            std::string::npos)
      << model.error();
}

} // namespace
