//===- IntegerModel.cpp - a small model in integers -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/IntegerModel.h"

#include <array>

namespace rung::test {

namespace {

constexpr int32_t T = kDimT, B = kDimB, kWidth = 4;
const Type kReal = f32({kWidth}), kWords = i32({kWidth}),
           kBytes{ScalarType::S8, {kWidth}};

Type sequence(Type row) {
  row.dims.insert(row.dims.begin(), {T, B});
  return row;
}

uint32_t constant(GraphBuilder &body, const Type &type, double value) {
  return body.op1("arith.constant", {}, type,
                  attributes(attribute("value", value)));
}

/// i8 of 8 x, and the same through pieces and a table.
std::unique_ptr<fb::GraphT> quantize() {
  GraphBuilder body;
  uint32_t x = body.input(kReal), table = body.input(i32({5}));
  uint32_t scaled =
      body.op1("arith.mulf", {x, constant(body, kReal, 8)}, kReal);
  uint32_t whole = body.op1("math.roundeven", {scaled}, kReal);
  uint32_t words = body.op1("arith.fptosi", {whole}, kWords);
  uint32_t pieces =
      body.op1("rnn.piecewise", {words}, kWords,
               attributes(attribute("knots", std::vector<int64_t>{-3, 5}),
                          attribute("slopes", std::vector<int64_t>{1, 2, 3}),
                          attribute("offsets", std::vector<int64_t>{4, 5, 6}),
                          attribute("shift", int64_t(1))));
  uint32_t found = body.op1("rnn.lookup", {pieces, table}, kWords,
                            attributes(attribute("low", int64_t(-4)),
                                       attribute("shift", int64_t(2)),
                                       attribute("interpolate", int64_t(1))));
  body.output(body.op1("arith.trunci", {words}, kBytes));
  body.output(found);
  return body.take();
}

/// h' = limited(x + (u h >> 3) + a random bit).
std::unique_ptr<fb::GraphT> step() {
  GraphBuilder body;
  uint32_t x = body.input(kWords);
  uint32_t u = body.input({ScalarType::S8, {2, 2, 2}});
  uint32_t h = body.input(kWords);
  uint32_t operand = body.op1("arith.trunci", {h}, kBytes);
  uint32_t sum = body.op1("rnn.dot", {operand, u}, kWords);
  uint32_t shifted =
      body.op1("arith.shrsi", {sum, constant(body, kWords, 3)}, kWords);
  uint32_t bits = body.op1("rnn.random", {}, kWords,
                           attributes(attribute("layer", int64_t(0)),
                                      attribute("word", int64_t(3))));
  uint32_t bit =
      body.op1("arith.andi", {bits, constant(body, kWords, 1)}, kWords);
  uint32_t next =
      body.op1("arith.addi",
               {x, body.op1("arith.addi", {shifted, bit}, kWords)}, kWords);
  uint32_t most = constant(body, kWords, 100);
  uint32_t above =
      body.op1("arith.cmpi", {next, most}, {ScalarType::U8, {kWidth}},
               attributes(attribute("predicate", std::string("sgt"))));
  uint32_t limited = body.op1("arith.select", {above, most, next}, kWords);
  body.output(limited);
  body.output(limited);
  return body.take();
}

} // namespace

ModelBuilder integerModel() {
  ModelBuilder model;
  const std::array<int8_t, 16> matrix = {1, -2, 3, -4, 5, -6, 7, -8,
                                         9, 8,  7, 6,  5, 4,  3, 2};
  const std::array<int32_t, 5> entries = {-9, 3, 14, 15, 92};
  int64_t w = model.weight("w", {kWidth, kWidth}, ScalarType::S8,
                           std::as_bytes(std::span(matrix)));
  int64_t u = model.weight("u", {2, 2, 2}, ScalarType::S8,
                           std::as_bytes(std::span(matrix).first(8)));
  int64_t table = model.weight("table", {5}, ScalarType::I32,
                               std::as_bytes(std::span(entries)));
  int64_t factors = model.weight("factors", {kWidth}, ScalarType::I32,
                                 std::as_bytes(std::span(entries).first(4)));

  FunctionBuilder function("main");
  GraphBuilder &graph = function.graph;
  Type state = i32({B, kWidth}), random = i32({B, 3});
  uint32_t x = function.input("x", sequence(kReal));
  uint32_t h = function.state("h", state);
  uint32_t r = function.state("random", random);
  auto quantized = graph.op(
      "rnn.map", {x, model.load(function, table)},
      {sequence(kBytes), sequence(kWords)},
      attributes(attribute("operand_segments", std::vector<int64_t>{1, 1})),
      quantize());
  uint32_t product = graph.op1(
      "rnn.linear", {quantized[0], model.load(function, w)}, sequence(kWords));
  uint32_t sum =
      graph.op1("rnn.add", {product, quantized[1]}, sequence(kWords));
  auto results =
      graph.op("rnn.recurrence", {sum, model.load(function, u), h, r},
               {sequence(kWords), state},
               attributes(attribute("operand_segments",
                                    std::vector<int64_t>{1, 1, 1, 0, 1}),
                          attribute("direction", std::string("forward")),
                          attribute("heads", int64_t(2))),
               step());
  function.output("y", sequence(kWords),
                  graph.op1("rnn.integer_rms_norm",
                            {results[0], model.load(function, factors)},
                            sequence(kWords),
                            attributes(attribute("epsilon", int64_t(1)),
                                       attribute("shift", int64_t(3)))));
  function.stateOutput("h", state, results[1]);
  function.stateOutput("random", random,
                       graph.op1("rnn.advance_random", {r, x}, random));
  model.add(std::move(function));
  return model;
}

} // namespace rung::test
