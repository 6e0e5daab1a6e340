//===- LayerUnitsTest.cpp - the units of a GRU, by their weights ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/LayerUnits.h"
#include "tests/unit/support/ParsedModule.h"

#include <cmath>

using namespace rung;
using namespace rung::test;

namespace {

/// 2 heads of 1 unit, 2 inputs. Rows of w and u are those of the gates z, r, n.
std::string cell(const std::string &update, const std::string &input = "%x") {
  return R"(
    rnn.weight @w : tensor<6x2xf32> = dense<
        [[3.0, 4.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.6, 0.8], [0.0, 2.0]]>
    rnn.weight @u : tensor<2x3x1xf32> = dense<
        [[[0.5], [0.0], [1.0]], [[0.25], [0.0], [-2.0]]]>
    rnn.weight @bw : tensor<6xf32> = dense<[7.0, 1.0, 0.0, 0.0, 0.5, -0.5]>
    rnn.weight @bu : tensor<6xf32> = dense<[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]>
    rnn.weight @scale : tensor<2xf32> = dense<[3.0, 4.0]>
    func.func @f(%x: tensor<?x?x2xf32>, %h: tensor<?x2xf32>)
        -> tensor<?x?x2xf32> {
      %w = rnn.load_weight @w : tensor<6x2xf32>
      %u = rnn.load_weight @u : tensor<2x3x1xf32>
      %bw = rnn.load_weight @bw : tensor<6xf32>
      %bu = rnn.load_weight @bu : tensor<6xf32>
      %s = rnn.load_weight @scale : tensor<2xf32>
      %norm = rnn.rms_norm %x, %s : tensor<?x?x2xf32>, tensor<2xf32>
      %y, %hn = rnn.gru )" +
         input + R"( weights(%w) recurrent(%u) input_bias(%bw)
          recurrent_bias(%bu) initial(%h) reset(after) update()" +
         update + R"() direction(forward)
          activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
          : (tensor<?x?x2xf32>, tensor<6x2xf32>, tensor<2x3x1xf32>,
             tensor<6xf32>, tensor<6xf32>, tensor<?x2xf32>)
          -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
      return %y : tensor<?x?x2xf32>
    })";
}

rnn::GruOp gruOf(ParsedModule &module) {
  return *module.function().getOps<rnn::GruOp>().begin();
}

TEST(LayerUnits, AreOfTheSmallGate) {
  ParsedModule keep(cell("keep")), take(cell("take"));
  auto kept = unitClasses(gruOf(keep), 0, 1, 0);
  ASSERT_TRUE(succeeded(kept));
  ASSERT_EQ(kept->size(), 2u); // Sorted by the gate: the slowest first.
  EXPECT_EQ((*kept)[0].gate.mean, -8);
  EXPECT_EQ((*kept)[1].gate.mean, -2);
  auto taken = unitClasses(gruOf(take), 0, 1, 0);
  ASSERT_TRUE(succeeded(taken));
  EXPECT_EQ((*taken)[0].gate.mean, 2);
  EXPECT_EQ((*taken)[1].gate.mean, 8);
}

TEST(LayerUnits, VaryWithInputAndState) {
  ParsedModule module(cell("keep"));
  auto units = unitClasses(gruOf(module), 0, 2, 4);
  ASSERT_TRUE(succeeded(units));
  const numerics::UnitClass &slow = (*units)[0], &fast = (*units)[1];
  EXPECT_NEAR(slow.gate.deviation, std::hypot(2 * 5, 4 * 0.5), 1e-9);
  EXPECT_NEAR(fast.gate.deviation, 4 * 0.25, 1e-9);
  // (3, 4) . (0.6, 0.8), against the update gate that keeps.
  EXPECT_NEAR(std::fabs(slow.covariance), 2 * 2 * 5, 1e-5);
  EXPECT_EQ(fast.covariance, 0);
  EXPECT_EQ(slow.gateGain, 0.5);
  // The reset gate of unit 0 is at 0: half of the product passes.
  EXPECT_NEAR(slow.candidateGain, 0.5, 1e-9);
  EXPECT_NEAR(slow.candidate.deviation, std::hypot(2 * 1, 0.5 * 4), 1e-6);
  EXPECT_EQ(slow.candidate.mean, 0.5);
  EXPECT_NEAR(fast.candidateGain, 1, 1e-6);
  EXPECT_NEAR(fast.candidate.deviation, std::hypot(2 * 2, 0.5 * 2 * 4), 1e-6);
}

TEST(LayerUnits, KnowInputsByTheirMakers) {
  ParsedModule plain(cell("keep")), normed(cell("keep", "%norm"));
  KnownSize assumed = sizeOf(gruOf(plain).getInput());
  EXPECT_EQ(assumed.rms, 1);
  EXPECT_STREQ(assumed.from, "assumed");
  KnownSize known = sizeOf(gruOf(normed).getInput());
  EXPECT_NEAR(known.rms, 5 / std::sqrt(2), 1e-6);
  EXPECT_STREQ(known.from, "rms_norm");
}

TEST(LayerUnits, NeedConstants) {
  std::string text = cell("keep");
  std::string load = "%u = rnn.load_weight @u : tensor<2x3x1xf32>";
  text.replace(text.find(load), load.size(), "");
  std::string argument = "%h: tensor<?x2xf32>";
  text.replace(text.find(argument), argument.size(),
               argument + ", %u: tensor<2x3x1xf32>");
  ParsedModule module(text);
  EXPECT_TRUE(failed(unitClasses(gruOf(module), 0, 1, 0)));
}

} // namespace
