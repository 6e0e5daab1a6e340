//===- PresetsTest.cpp - precisions as users write them ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/Presets.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace rung;
using rung::rnn::PrecisionAttr;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<PrecisionOptions> options = parsePrecision(text);
  return options ? "" : llvm::toString(options.takeError());
}

PrecisionOptions parsed(llvm::StringRef text) {
  llvm::Expected<PrecisionOptions> options = parsePrecision(text);
  EXPECT_TRUE(bool(options)) << errorOf(text);
  return options ? *options : PrecisionOptions();
}

TEST(Presets, Int8HasDefaults) {
  PrecisionOptions options = parsed("int8");
  EXPECT_EQ(options.preset, "int8");
  EXPECT_EQ(options.state, "s32");
  EXPECT_EQ(options.pieces, 32);
  EXPECT_EQ(options.operandBytes, 2);
  EXPECT_EQ(options.activation, "piecewise");
  EXPECT_FALSE(options.all);
}

TEST(Presets, ReadsEveryOption) {
  PrecisionOptions options =
      parsed("int8,state=s16,pieces=16,operand=1,activation=table-linear,all");
  EXPECT_EQ(options.state, "s16");
  EXPECT_EQ(options.pieces, 16);
  EXPECT_EQ(options.operandBytes, 1);
  EXPECT_EQ(options.activation, "table-linear");
  EXPECT_TRUE(options.all);
  EXPECT_EQ(parsed("int8,pieces=2").pieces, 2);
  EXPECT_EQ(parsed("int8,pieces=64").pieces, 64);
}

TEST(Presets, RefusesUnknownNamesWithTheList) {
  EXPECT_EQ(errorOf("fp12"),
            "precision 'fp12' is unknown; presets are fp32, fp16-mixed, "
            "bf16-mixed, fp16, fp16-sr, fp16x2, fp16x2-sr, int8");
  EXPECT_NE(errorOf("").find("precision '' is unknown"), std::string::npos);
  EXPECT_NE(errorOf("tf32").find("no tf32 component type"), std::string::npos);
}

TEST(Presets, RefusesUnknownOptionsWithTheList) {
  EXPECT_EQ(errorOf("int8,bits=7"),
            "precision 'int8' has no option 'bits=7'; options are "
            "state=s16|s32, pieces=2..64, operand=1|2, "
            "activation=piecewise|table|table-linear, all");
  for (llvm::StringRef item :
       {"state=s8", "state", "pieces=1", "pieces=65", "pieces=many",
        "pieces=-3", "operand=3", "activation=spline", "all=no", "", "all "})
    EXPECT_NE(errorOf(("int8," + item).str())
                  .find(("has no option '" + item + "'").str()),
              std::string::npos)
        << item.str();
}

TEST(Presets, OptionsAreGivenOnce) {
  EXPECT_EQ(errorOf("int8,pieces=8,pieces=16"),
            "precision 'int8' has option 'pieces' twice");
  EXPECT_EQ(errorOf("int8,all,all"), "precision 'int8' has option 'all' twice");
}

TEST(Presets, OnlyInt8HasOptions) {
  EXPECT_EQ(errorOf("fp16,pieces=16"), "precision 'fp16' has no option "
                                       "'pieces=16'; 'int8' alone has options");
}

std::string attributeOf(llvm::StringRef text) {
  mlir::MLIRContext context;
  context.loadDialect<rung::rnn::RnnDialect>();
  llvm::Expected<PrecisionAttr> attribute = getPrecisionPreset(&context, text);
  if (!attribute)
    return llvm::toString(attribute.takeError());
  std::string result;
  llvm::raw_string_ostream out(result);
  out << *attribute;
  return result;
}

std::string attribute(const char *operand, const char *accumulate,
                      const char *state, const char *round) {
  return std::string("#rnn.precision<operand = ") + operand +
         ", accumulate = " + accumulate + ", state = " + state +
         ", round = " + round + ">";
}

TEST(Presets, StandForAttributes) {
  EXPECT_EQ(attributeOf("fp32"), attribute("f32", "f32", "f32", "nearest"));
  EXPECT_EQ(attributeOf("fp16"), attribute("f16", "f16", "f16", "nearest"));
  EXPECT_EQ(attributeOf("fp16-sr"),
            attribute("f16", "f16", "f16", "stochastic"));
  EXPECT_EQ(attributeOf("fp16x2"), attribute("f16", "f16", "f16x2", "nearest"));
  EXPECT_EQ(attributeOf("fp16x2-sr"),
            attribute("f16", "f16", "f16x2", "stochastic"));
  EXPECT_EQ(attributeOf("int8,pieces=16"),
            attribute("s8", "s32", "s32", "nearest"));
  EXPECT_EQ(attributeOf("int8,state=s16"),
            attribute("s8", "s32", "s16", "nearest"));
}

} // namespace
