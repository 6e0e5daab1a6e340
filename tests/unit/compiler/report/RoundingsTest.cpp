//===- RoundingsTest.cpp - what a step rounds -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/Roundings.h"
#include "tests/unit/support/ParsedModule.h"

using namespace rung;
using namespace rung::test;

namespace {

/// A step of 20 units in \p element, with a precision of \p formats.
std::string step(const std::string &element, const std::string &formats) {
  std::string row = "tensor<20x" + element + ">",
              matrix = "tensor<1x20x20x" + element + ">",
              state = "tensor<?x20x" + element + ">",
              sequence = "tensor<?x?x20x" + element + ">";
  return "func.func @f(%x: " + sequence + ", %u: " + matrix +
         ", %h0: " + state + ") -> " + state +
         " {\n %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) "
         "weights(%u) initial(%h0) precision(<" +
         formats + ">) {\n ^bb0(%px: " + row + ", %pu: " + matrix +
         ", %h: " + row + "):\n %d = rnn.dot %h, %pu : (" + row + ", " +
         matrix + ") -> " + row + "\n %n = arith.negf %d : " + row +
         "\n %a = arith.addf %n, %px : " + row +
         "\n %b = arith.addf %a, %h : " + row +
         "\n %t = math.tanh %b : " + row +
         "\n rnn.yield outputs() states(%t : " + row + ")\n } : (" + sequence +
         ", " + matrix + ", " + state + ") -> " + state +
         "\n return %hn : " + state + "\n}";
}

rnn::RecurrenceOp recurrenceOf(ParsedModule &module) {
  return *module.function().getOps<rnn::RecurrenceOp>().begin();
}

TEST(Roundings, AreCountedByOperationAndFormat) {
  ParsedModule module(step("f16", "operand = f16, accumulate = f16, "
                                  "state = f16, round = nearest"));
  std::vector<Rounding> roundings = roundingsOf(recurrenceOf(module));
  ASSERT_EQ(roundings.size(), 3u); // A sign is exact.
  EXPECT_EQ(roundings[0].op, "rnn.dot");
  EXPECT_EQ(roundings[0].perUnit, 2); // 16 terms and 4.
  EXPECT_EQ(roundings[1].op, "arith.addf");
  EXPECT_EQ(roundings[1].perUnit, 2);
  EXPECT_EQ(roundings[2].op, "math.tanh");
  for (const Rounding &rounding : roundings) {
    EXPECT_EQ(rounding.format, "f16");
    EXPECT_EQ(rounding.ulp, 0x1p-10);
  }
}

TEST(Roundings, GridsFollowThePrecision) {
  struct Case {
    const char *element, *formats;
    numerics::Grid state, operand, argument, input;
    bool stochastic;
  };
  const numerics::Grid none, f16 = {0x1p-10, 0x1p-24},
                             f32 = {0x1p-23, 0x1p-149};
  const Case cases[] = {
      {"f32", "operand = f32, accumulate = f32, state = f32, round = nearest",
       f32, none, f32, f32, false},
      {"f32", "operand = f16, accumulate = f32, state = f32, round = nearest",
       f32, f16, f32, f16, false},
      {"f16",
       "operand = f16, accumulate = f16, state = f16, round = stochastic", f16,
       none, f16, f16, true}};
  for (const Case &c : cases) {
    ParsedModule module(step(c.element, c.formats));
    numerics::Arithmetic a = arithmeticOf(recurrenceOf(module), {}, {}, true);
    EXPECT_EQ(a.state.relative, c.state.relative) << c.formats;
    EXPECT_EQ(a.state.absolute, c.state.absolute) << c.formats;
    EXPECT_EQ(a.operand.relative, c.operand.relative) << c.formats;
    EXPECT_EQ(a.argument.relative, c.argument.relative) << c.formats;
    EXPECT_EQ(a.stochastic, c.stochastic) << c.formats;
    EXPECT_EQ(a.accumulations, 2) << c.formats;
    EXPECT_EQ(a.input.relative, 0) << c.formats;
    a = arithmeticOf(recurrenceOf(module), {}, {}, false);
    EXPECT_EQ(a.input.relative, c.input.relative) << c.formats;
  }
}

TEST(Roundings, FitsAreMeasuredWhereTheGatesAre) {
  ParsedModule module(step("f32", "operand = s8, accumulate = s32, "
                                  "state = s32, round = nearest"));
  numerics::UnitClass slow;
  slow.gate = {-7, 1};
  slow.candidate = {0, 1};
  PrecisionOptions options;
  options.preset = "int8";
  auto fit = [&](int pieces, const char *activation) {
    options.pieces = pieces;
    options.activation = activation;
    return arithmeticOf(recurrenceOf(module), options, {slow}, true);
  };
  numerics::Arithmetic few = fit(8, "piecewise"), many = fit(64, "piecewise"),
                       table = fit(8, "table");
  EXPECT_GT(few.gateFit, 16 * many.gateFit);
  EXPECT_GT(few.gatePiece, 2 * many.gatePiece);
  EXPECT_LT(many.gateFit, 1e-3);
  EXPECT_GT(many.candidateFit, 0);
  // 256 cells for -16 .. 16: errors of up to half a cell times the gate.
  EXPECT_GE(table.gatePiece, 0.125);
  EXPECT_LE(table.gatePiece, 0.25);
  EXPECT_GT(table.gateFit, 0.01);
  EXPECT_LT(table.gateFit, 0.1);
}

} // namespace
