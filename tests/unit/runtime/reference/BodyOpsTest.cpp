//===- BodyOpsTest.cpp - integers and conversions of a body ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"

#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr double kLeast = -2147483648.0, kMost = 2147483647.0;

/// The results of one op on elements; operand i has type `types[i]`.
std::vector<double> apply(const std::string &op,
                          std::vector<std::vector<double>> operands,
                          std::vector<ScalarType> types, ScalarType result,
                          Attributes attributes = {}) {
  auto width = static_cast<int32_t>(operands[0].size());
  ModelBuilder model;
  FunctionBuilder function("main");
  std::vector<uint32_t> values;
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    values.push_back(
        function.input("x" + std::to_string(i), {types[i], {width}}));
    inputs.push_back(tensor({width}, operands[i], types[i]));
  }
  Type type{result, {width}};
  uint32_t y = function.graph.op1(op, values, type, std::move(attributes));
  function.output("y", type, y);
  model.add(std::move(function));
  auto outputs = RunnableModel(std::move(model)).run(inputs, 1, 1);
  return outputs.empty() ? std::vector<double>() : outputs[0].values;
}

using Values = std::vector<double>;

Values words(const std::string &op, Values a, Values b) {
  return apply(op, {std::move(a), std::move(b)},
               {ScalarType::I32, ScalarType::I32}, ScalarType::I32);
}

TEST(IntegerOps, WrapTo32Bits) {
  EXPECT_EQ(words("arith.addi", {1, kMost, kLeast}, {2, 1, -1}),
            (Values{3, kLeast, kMost}));
  EXPECT_EQ(words("arith.subi", {1, kLeast}, {2, 1}), (Values{-1, kMost}));
  EXPECT_EQ(words("arith.muli", {3, 65536, -7}, {-2, 65537, kLeast}),
            (Values{-6, 65536, kLeast}));
  EXPECT_EQ(words("rnn.add", {kMost}, {1}), (Values{kLeast}));
}

TEST(IntegerOps, ShiftAndCombineBits) {
  EXPECT_EQ(words("arith.shli", {1, 3, -1}, {31, 1, 4}),
            (Values{kLeast, 6, -16}));
  EXPECT_EQ(words("arith.shrsi", {-5, kLeast, 7}, {1, 31, 1}),
            (Values{-3, -1, 3}));
  EXPECT_EQ(words("arith.shrui", {-1, kLeast, 7}, {28, 31, 1}),
            (Values{15, 1, 3}));
  EXPECT_EQ(words("arith.andi", {-1, 12}, {255, 10}), (Values{255, 8}));
  EXPECT_EQ(words("arith.ori", {kLeast, 12}, {1, 10}),
            (Values{kLeast + 1, 14}));
  EXPECT_EQ(words("arith.xori", {-1, 12}, {-1, 10}), (Values{0, 6}));
}

TEST(IntegerOps, CompareSignedAndUnsigned) {
  EXPECT_EQ(words("arith.maxsi", {-1, 2}, {1, 1}), (Values{1, 2}));
  EXPECT_EQ(words("arith.minsi", {-1, 2}, {1, 1}), (Values{-1, 1}));
  EXPECT_EQ(words("arith.maxui", {-1, 2}, {1, 1}), (Values{-1, 2}));
  EXPECT_EQ(words("arith.minui", {-1, 2}, {1, 1}), (Values{1, 1}));
  auto compare = [](const char *predicate) {
    return apply("arith.cmpi", {{-1, 1, 2}, {1, 1, 1}},
                 {ScalarType::I32, ScalarType::I32}, ScalarType::U8,
                 attributes(attribute("predicate", std::string(predicate))));
  };
  EXPECT_EQ(compare("eq"), (Values{0, 1, 0}));
  EXPECT_EQ(compare("ne"), (Values{1, 0, 1}));
  EXPECT_EQ(compare("slt"), (Values{1, 0, 0}));
  EXPECT_EQ(compare("sle"), (Values{1, 1, 0}));
  EXPECT_EQ(compare("sgt"), (Values{0, 0, 1}));
  EXPECT_EQ(compare("sge"), (Values{0, 1, 1}));
  EXPECT_EQ(compare("ult"), (Values{0, 0, 0}));
  EXPECT_EQ(compare("ule"), (Values{0, 1, 0}));
  EXPECT_EQ(compare("ugt"), (Values{1, 0, 1}));
  EXPECT_EQ(compare("uge"), (Values{1, 1, 1}));
}

TEST(IntegerOps, HaveAResultForEveryOperand) {
  EXPECT_EQ(words("arith.divsi", {7, -7, 1, kLeast}, {2, 2, 0, -1}),
            (Values{3, -3, 0, kLeast}));
  EXPECT_EQ(words("arith.remsi", {7, -7, 1, kLeast}, {2, 2, 0, -1}),
            (Values{1, -1, 0, 0}));
  EXPECT_EQ(words("arith.divui", {-1, 7}, {2, 0}), (Values{kMost, 0}));
  EXPECT_EQ(words("arith.shli", {1, 1}, {32, -1}), (Values{0, 0}));
  EXPECT_EQ(words("arith.shrsi", {-8, 8}, {40, 40}), (Values{-1, 0}));
}

TEST(IntegerOps, KnowTruthValues) {
  auto truth = [](const char *op, Values a, Values b) {
    return apply(op, {std::move(a), std::move(b)},
                 {ScalarType::U8, ScalarType::U8}, ScalarType::U8);
  };
  EXPECT_EQ(truth("arith.andi", {0, 1, 1}, {1, 0, 1}), (Values{0, 0, 1}));
  EXPECT_EQ(truth("arith.ori", {0, 1, 0}, {1, 1, 0}), (Values{1, 1, 0}));
  EXPECT_EQ(truth("arith.xori", {0, 1, 0}, {1, 1, 0}), (Values{1, 0, 0}));
  EXPECT_EQ(apply("arith.select", {{0, 1}, {5, 6}, {7, 8}},
                  {ScalarType::U8, ScalarType::I32, ScalarType::I32},
                  ScalarType::I32),
            (Values{7, 6}));
}

Values convert(const char *op, ScalarType from, ScalarType to, Values values) {
  return apply(op, {std::move(values)}, {from}, to);
}

TEST(Conversions, KeepTheLowBitsOrTheValue) {
  using enum ScalarType;
  EXPECT_EQ(convert("arith.trunci", I32, S8, {127, 128, -129, 256}),
            (Values{127, -128, 127, 0}));
  EXPECT_EQ(convert("arith.trunci", I32, I16, {32768, -1}),
            (Values{-32768, -1}));
  EXPECT_EQ(convert("arith.trunci", I32, U8, {3, 2}), (Values{1, 0}));
  EXPECT_EQ(convert("arith.extsi", S8, I32, {-128, 127}), (Values{-128, 127}));
  EXPECT_EQ(convert("arith.extui", S8, I32, {-128, 127}), (Values{128, 127}));
  EXPECT_EQ(convert("arith.extsi", U8, I32, {0, 1}), (Values{0, -1}));
  EXPECT_EQ(convert("arith.extui", U8, I32, {0, 1}), (Values{0, 1}));
}

TEST(Conversions, BetweenIntegersAndFloatsRoundOnce) {
  using enum ScalarType;
  EXPECT_EQ(convert("arith.sitofp", I32, F32, {16777217, -3}),
            (Values{16777216, -3}));
  EXPECT_EQ(convert("arith.sitofp", I32, F16, {2049, 65520}),
            (Values{2048, INFINITY}));
  EXPECT_EQ(convert("arith.uitofp", I32, F32, {-1, 5}), (Values{0x1p32, 5}));
  EXPECT_EQ(convert("arith.sitofp", U8, F32, {0, 1}), (Values{0, -1}));
  EXPECT_EQ(convert("arith.uitofp", U8, F32, {0, 1}), (Values{0, 1}));
  EXPECT_EQ(convert("arith.fptosi", F32, I32, {-2.9, 2.9, 1e20, -1e20, NAN}),
            (Values{-2, 2, kMost, kLeast, kLeast}));
  EXPECT_EQ(convert("arith.fptoui", F32, I32, {2.9, 4294967295.0, -1, NAN}),
            (Values{2, -1, 0, 0}));
}

TEST(Conversions, OfBitsGoBothWays) {
  using enum ScalarType;
  EXPECT_EQ(convert("arith.bitcast", F32, I32, {1, -0.0}),
            (Values{0x3f800000, kLeast}));
  EXPECT_EQ(convert("arith.bitcast", I32, F32, {0x40490fdb}),
            (Values{3.14159265f}));
  EXPECT_EQ(convert("arith.bitcast", F16, I16, {1, -2}),
            (Values{0x3c00, -0x4000}));
  EXPECT_EQ(convert("arith.bitcast", I16, F16, {1, 0x3c00}),
            (Values{0x1p-24, 1}));
  EXPECT_EQ(convert("arith.bitcast", BF16, I16, {1}), (Values{0x3f80}));
}

TEST(HalfOps, RoundEachResultOnce) {
  using enum ScalarType;
  auto half = [](const char *op, double a, double b) {
    return apply(op, {{a}, {b}}, {F16, F16}, F16)[0];
  };
  EXPECT_EQ(half("arith.addf", 2048, 1), 2048);
  EXPECT_EQ(half("arith.addf", 2048, 3), 2052);
  EXPECT_EQ(half("arith.mulf", 1 + 0x1p-10, 1 + 0x1p-10), 1 + 0x1p-9);
  EXPECT_EQ(half("arith.mulf", 0x1p-14, 0x1p-11), 0);
  EXPECT_EQ(half("arith.mulf", 0x1p-14, 0x1.8p-11), 0x1p-24);
  EXPECT_EQ(half("arith.divf", 1, 3), 0.333251953125);
  EXPECT_EQ(half("arith.subf", -65504, 65504), -INFINITY);
  // The product is not rounded before the sum: 2^-20 is what is left of it.
  EXPECT_EQ(apply("math.fma", {{1 + 0x1p-10}, {1 + 0x1p-10}, {-1 - 0x1p-9}},
                  {F16, F16, F16}, F16)[0],
            0x1p-20);
}

TEST(Operations, RefuseTypesThatTheyDoNotTake) {
  auto error = [](const char *op, ScalarType type, ScalarType result) {
    ModelBuilder model;
    FunctionBuilder function("main");
    uint32_t x = function.input("x", {type, {1}});
    function.output("y", {result, {1}},
                    function.graph.op1(op, {x, x}, {result, {1}}));
    model.add(std::move(function));
    return RunnableModel(std::move(model)).error();
  };
  EXPECT_EQ(error("arith.addi", ScalarType::F32, ScalarType::I32),
            "node 0 'arith.addi': operand 0 is of f32; an integer is needed");
  EXPECT_EQ(error("arith.addf", ScalarType::I32, ScalarType::F32),
            "node 0 'arith.addf': operand 0 is of i32; a float is needed");
  EXPECT_EQ(error("arith.addf", ScalarType::F32, ScalarType::I32),
            "node 0 'arith.addf': the result is of i32; a float is needed");
  EXPECT_EQ(error("rnn.requantize", ScalarType::S8, ScalarType::I32),
            "node 0 'rnn.requantize': operand 0 is of s8; i32 is needed");
}

} // namespace
