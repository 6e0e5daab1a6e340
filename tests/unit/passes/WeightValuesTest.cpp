//===- WeightValuesTest.cpp - numbers of weights, read and made -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/WeightValues.h"
#include "tests/unit/support/ParsedModule.h"

#include "mlir/IR/Verifier.h"

using namespace rung;
using namespace rung::test;

namespace {

using Floats = std::vector<float>;

rnn::WeightOp weightOf(ParsedModule &module, llvm::StringRef name) {
  return module.module().lookupSymbol<rnn::WeightOp>(name);
}

TEST(WeightValues, ReadsDenseOfAnyFloat) {
  ParsedModule module(R"(
    rnn.weight @f : tensor<2x2xf32> = dense<[[1.0, 2.0], [3.0, -0.5]]>
    rnn.weight @h : tensor<2xf16> = dense<[0.1, 65504.0]>
    rnn.weight @s : tensor<3xbf16> = dense<1.5>
  )");
  EXPECT_EQ(*readWeight(weightOf(module, "f")), (Floats{1, 2, 3, -0.5}));
  EXPECT_EQ(*readWeight(weightOf(module, "h")), (Floats{0x1.998p-4f, 65504}));
  EXPECT_EQ(*readWeight(weightOf(module, "s")), (Floats{1.5, 1.5, 1.5}));
}

TEST(WeightValues, RefusesWhatIsNotThere) {
  ParsedModule module(R"(
    rnn.weight @gone : tensor<2xf32> = dense_resource<nowhere>
  )");
  EXPECT_TRUE(failed(readWeight(weightOf(module, "gone"))));
  EXPECT_NE(module.said().find("has no values at hand"), std::string::npos);
}

TEST(WeightValues, MakesWhatItReads) {
  ParsedModule module("rnn.weight @w : tensor<1xf32> = dense<1.0>");
  mlir::Location location = module.module().getLoc();
  Floats few = {1, 2, 3, 4, 5, 6}, many(1000);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = 0.25f * i;
  auto small = createWeight(module.module(), location, "w", {2, 3}, few);
  auto large = createWeight(module.module(), location, "w", {10, 100}, many);
  EXPECT_EQ(small.getSymName(), "w.1"); // The name was taken.
  EXPECT_EQ(large.getSymName(), "w.2");
  EXPECT_EQ(large.getType().getShape(), (llvm::ArrayRef<int64_t>{10, 100}));
  EXPECT_EQ(*readWeight(small), few);
  EXPECT_EQ(*readWeight(large), many);
  EXPECT_TRUE(succeeded(mlir::verify(module.module()))) << module.said();
}

TEST(WeightValues, FindsAndSweeps) {
  ParsedModule module(R"(
    rnn.weight @used : tensor<2xf32> = dense<1.0>
    rnn.weight @named : tensor<2xf32> = dense<1.0>
    rnn.weight @idle : tensor<2xf32> = dense<1.0>
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %w = rnn.load_weight @used {rung.own = @named} : tensor<2xf32>
      return %w, %x : tensor<2xf32>, tensor<2xf32>
    }
  )");
  mlir::Operation *end = module.function().front().getTerminator();
  EXPECT_EQ(loadedWeight(end->getOperand(0)), weightOf(module, "used"));
  EXPECT_FALSE(loadedWeight(end->getOperand(1)));

  mlir::OpBuilder builder(end);
  mlir::Value loaded = loadWeight(builder, weightOf(module, "idle"));
  EXPECT_EQ(loadedWeight(loaded), weightOf(module, "idle"));

  eraseUnusedWeights(module.module());
  EXPECT_TRUE(weightOf(module, "used"));
  EXPECT_TRUE(weightOf(module, "named"));
  EXPECT_FALSE(weightOf(module, "idle"));
}

} // namespace
