//===- TimeFaultTest.cpp - whether functions run in segments ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/TimeSegments.h"
#include "tests/unit/support/ModelBuilder.h"

#include <gtest/gtest.h>

#include <functional>

namespace rung::test {

namespace {

constexpr int32_t T = kDimT, B = kDimB;
const Type kRows = f32({T, B, 8});
const Type kState = f32({B, 8});

std::string faultOf(FunctionBuilder &function) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Function::Pack(builder, function.take().get()));
  return findTimeFault(
      *flatbuffers::GetRoot<fb::Function>(builder.GetBufferPointer()));
}

/// A recurrence of one sequence and one state; its rows and its last state.
std::vector<uint32_t> recurrence(FunctionBuilder &function, uint32_t sequence,
                                 uint32_t initial,
                                 std::vector<uint32_t> lengths = {},
                                 std::string direction = "forward") {
  std::vector<uint32_t> operands = {sequence, initial};
  operands.insert(operands.end(), lengths.begin(), lengths.end());
  return function.graph.op(
      "rnn.recurrence", operands, {kRows, kState},
      attributes(
          attribute("operand_segments",
                    std::vector<int64_t>{1, 0, 1, int64_t(lengths.size()), 0}),
          attribute("direction", std::move(direction))));
}

TEST(TimeFaultTest, FindsNoneInLayersWithStates) {
  FunctionBuilder function("f");
  uint32_t rows = function.input("x", kRows);
  const uint32_t states[] = {function.state("g", kState),
                             function.state("h", kState)};
  std::vector<uint32_t> last;
  for (uint32_t state : states) {
    rows = function.graph.op1("rnn.linear", {rows}, kRows);
    // As pairs and narrow states are: converted on both sides.
    const uint32_t narrow = function.graph.op1("rnn.map", {state}, kState);
    auto results = recurrence(function, rows, narrow);
    rows = results[0];
    last.push_back(function.graph.op1("rnn.map", {results[1]}, kState));
  }
  function.output("y", kRows, rows);
  function.stateOutput("g", kState, last[0]);
  function.stateOutput("h", kState, last[1]);
  EXPECT_EQ(faultOf(function), "");
}

/// One layer with something changed.
std::string faultOfLayer(
    const std::function<std::vector<uint32_t>(FunctionBuilder &, uint32_t x,
                                              uint32_t h)> &layer) {
  FunctionBuilder function("f");
  const uint32_t x = function.input("x", kRows);
  const uint32_t h = function.state("h", kState);
  std::vector<uint32_t> results = layer(function, x, h);
  function.output("y", kRows, results[0]);
  function.stateOutput("h", kState, results[1]);
  return faultOf(function);
}

TEST(TimeFaultTest, FindsReversedRecurrences) {
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              return recurrence(f, x, h, {}, "reverse");
            }),
            "a recurrence does not go forward");
}

TEST(TimeFaultTest, FindsLengths) {
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              return recurrence(f, x, h, {f.input("lengths", i32({B}))});
            }),
            "a recurrence has lengths");
}

TEST(TimeFaultTest, FindsRecurrencesThatStartFromNoState) {
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t) {
              return recurrence(f, x, f.input("start", kState));
            }),
            "a recurrence starts from what is no state");
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              const uint32_t encoded = recurrence(f, x, h)[1];
              return recurrence(f, x, encoded);
            }),
            "a recurrence starts from what is no state");
}

TEST(TimeFaultTest, FindsStatesThatAreNotHandedOn) {
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              return std::vector<uint32_t>{recurrence(f, x, h)[0], h};
            }),
            "state 'h' starts a recurrence that does not end in it");
}

TEST(TimeFaultTest, FindsWhatLooksAtAllSteps) {
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              const uint32_t y = f.graph.op1("rnn.attention", {x}, kRows);
              return std::vector<uint32_t>{y, h};
            }),
            "'rnn.attention' is not known to work on each step alone");
  EXPECT_EQ(faultOfLayer([](FunctionBuilder &f, uint32_t x, uint32_t h) {
              const uint32_t y = f.graph.op1("rnn.add", {x, h}, kRows);
              return std::vector<uint32_t>{y, h};
            }),
            "'rnn.add' spreads a state over all steps");
}

TEST(TimeFaultTest, FindsPortsThatCannotBeCut) {
  FunctionBuilder swapped("f");
  swapped.output("y", f32({B, T}), swapped.input("x", f32({B, T})));
  EXPECT_EQ(faultOf(swapped), "time is axis 1 of port 'x'");
  FunctionBuilder last("f");
  const uint32_t x = last.input("x", kRows);
  const uint32_t h = last.input("h", kState);
  last.output("y", kRows, x);
  last.output("end", kState, h);
  EXPECT_EQ(faultOf(last), "output 'end' has neither time nor a state");
}

} // namespace

} // namespace rung::test
