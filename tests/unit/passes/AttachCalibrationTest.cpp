//===- AttachCalibrationTest.cpp - seen ranges as attributes --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/AttachCalibration.h"

#include "dialects/rnn/RnnOps.h"
#include "tests/unit/support/ParsedModule.h"

using namespace mlir;
using namespace rung;
using namespace rung::test;

namespace {

constexpr const char *kModule = R"(
  rnn.weight @w : tensor<4x2xf32> = dense<0.5>
  func.func @run(%x: tensor<?x?x2xf32>, %h0: tensor<?x4xf32>)
      -> (tensor<?x?x4xf32>, tensor<?x4xf32>) {
    %w = rnn.load_weight @w : tensor<4x2xf32>
    %xp = rnn.linear %x, %w
        : (tensor<?x?x2xf32>, tensor<4x2xf32>) -> tensor<?x?x4xf32>
    %y, %hn = rnn.recurrence direction(forward) heads(1)
        sequences(%xp) weights() initial(%h0) {
    ^bb0(%p: tensor<4xf32>, %h: tensor<4xf32>):
      %u = rnn.sigmoid %p : tensor<4xf32>
      %n = math.tanh %p : tensor<4xf32>
      %d = arith.subf %n, %h : tensor<4xf32>
      %s = arith.mulf %u, %d : tensor<4xf32>
      %next = arith.addf %h, %s : tensor<4xf32>
      rnn.yield outputs(%next : tensor<4xf32>) states(%next : tensor<4xf32>)
    } : (tensor<?x?x4xf32>, tensor<?x4xf32>)
        -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
    return %y, %hn : tensor<?x?x4xf32>, tensor<?x4xf32>
  }
)";

template <typename Op> Op only(ModuleOp module) {
  Op found;
  module.walk([&](Op op) { found = op; });
  return found;
}

Calibration calibrated() {
  Calibration calibration;
  FunctionCalibration &function = calibration.functions["run"];
  function.linears = {{-3, 2}};
  function.recurrences = {{{{-9, -1}, {}}, {{-0.75, 0.5}}}};
  return calibration;
}

TEST(AttachCalibration, WritesWhatTheLoweringReads) {
  ParsedModule module(kModule);
  ASSERT_TRUE(succeeded(attachCalibration(module.module(), calibrated())));
  auto linear = only<rnn::LinearOp>(module.module());
  EXPECT_EQ(
      linear->getAttrOfType<DenseF64ArrayAttr>("rung.input_range").asArrayRef(),
      (llvm::ArrayRef<double>{-3, 2}));
  auto recurrence = only<rnn::RecurrenceOp>(module.module());
  auto activations =
      recurrence->getAttrOfType<ArrayAttr>("rung.activation_ranges");
  ASSERT_EQ(activations.size(), 2u);
  EXPECT_EQ(cast<DenseF64ArrayAttr>(activations[0]).asArrayRef(),
            (llvm::ArrayRef<double>{-9, -1}));
  EXPECT_TRUE(cast<DenseF64ArrayAttr>(activations[1]).empty());
  EXPECT_EQ(recurrence->getAttrOfType<DenseF64ArrayAttr>("rung.state_range")
                .asArrayRef(),
            (llvm::ArrayRef<double>{0.75}));
}

TEST(AttachCalibration, KeepsWhatAnAuthorWrote) {
  ParsedModule module(kModule);
  auto linear = only<rnn::LinearOp>(module.module());
  Builder builder(linear.getContext());
  linear->setAttr("rung.input_range", builder.getDenseF64ArrayAttr({-8, 8}));
  ASSERT_TRUE(succeeded(attachCalibration(module.module(), calibrated())));
  EXPECT_EQ(
      linear->getAttrOfType<DenseF64ArrayAttr>("rung.input_range").asArrayRef(),
      (llvm::ArrayRef<double>{-8, 8}));
}

TEST(AttachCalibration, RefusesThatOfAnotherModel) {
  ParsedModule module(kModule);
  Calibration calibration = calibrated();
  calibration.functions["run"].linears.push_back({0, 1});
  EXPECT_TRUE(failed(attachCalibration(module.module(), calibration)));
  EXPECT_NE(module.said().find("has 1 linears and 1 recurrences; its "
                               "calibration has 2 and 1"),
            std::string::npos)
      << module.said();
}

} // namespace
