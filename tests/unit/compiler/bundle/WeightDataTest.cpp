//===- WeightDataTest.cpp - weights as kernels read them ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/WeightData.h"

#include "compiler/Compiler.h"
#include "runtime/base/Half.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

using namespace rung;

namespace {

/// A module of weights and one packed array.
class Packing {
public:
  explicit Packing(const std::string &weights, const std::string &element,
                   int64_t count, const std::string &weight,
                   const std::string &sizes)
      : handler_(&context_, [this](mlir::Diagnostic &diagnostic) {
          said_ += diagnostic.str() + "\n";
        }) {
    registerCompilerDialects(context_);
    std::string text = "module {\n" + weights + "\ntile.program @f {\n" +
                       "%0 = tile.packed count " + std::to_string(count) +
                       " [#tile.piece<weight = @" + weight + ", offset = 0, " +
                       sizes + ">] : !tile.buffer<" + element + ">\n}\n}";
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    EXPECT_TRUE(module_) << said_ << text;
  }

  template <typename T> std::vector<T> pack() {
    std::vector<T> values;
    if (!module_)
      return values;
    auto weights = WeightData::read(*module_);
    EXPECT_TRUE(mlir::succeeded(weights)) << said_;
    tile::PackedOp op;
    module_->walk([&](tile::PackedOp packed) { op = packed; });
    auto bytes = packBytes(op, *weights);
    if (mlir::failed(bytes))
      return values;
    values.resize(bytes->size() / sizeof(T));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
  }
  const std::string &said() const { return said_; }

private:
  mlir::MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler handler_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

TEST(WeightData, PacksIntegersExactly) {
  Packing wide("rnn.weight @w : tensor<4xi32> = "
               "dense<[-2147483648, 2147483647, 16777217, -1]>",
               "i32", 5, "w",
               "sizes = [4], source_strides = [1], target_offset = 1, "
               "target_strides = [1]");
  // A float has no 16777217.
  EXPECT_EQ(wide.pack<int32_t>(),
            (std::vector<int32_t>{0, std::numeric_limits<int32_t>::min(),
                                  std::numeric_limits<int32_t>::max(), 16777217,
                                  -1}));
  Packing narrow("rnn.weight @w : tensor<2x3xi8> = "
                 "dense<[[-128, -1, 0], [1, 100, 127]]>",
                 "i8", 8, "w",
                 "sizes = [2, 3], source_strides = [3, 1], target_offset = 0, "
                 "target_strides = [4, 1]");
  EXPECT_EQ(narrow.pack<int8_t>(),
            (std::vector<int8_t>{-128, -1, 0, 0, 1, 100, 127, 0}));
}

TEST(WeightData, ReadsIntegerResources) {
  // Four bytes that say how values are aligned, then the values.
  const std::string resources =
      "\n{-# dialect_resources: { builtin: { "
      "bytes: \"0x01000000FF7F80\", words: \"0x04000000FFFFFFFF00000080\" } } "
      "#-}";
  mlir::MLIRContext context;
  registerCompilerDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "rnn.weight @b : tensor<3xi8> = dense_resource<bytes>\n"
      "rnn.weight @w : tensor<2xi32> = dense_resource<words>" +
          resources,
      &context);
  ASSERT_TRUE(module);
  auto weights = WeightData::read(*module);
  ASSERT_TRUE(mlir::succeeded(weights));
  EXPECT_EQ(weights->integers("b").vec(),
            (std::vector<int32_t>{-1, 127, -128}));
  EXPECT_EQ(weights->integers("w").vec(),
            (std::vector<int32_t>{-1, std::numeric_limits<int32_t>::min()}));
  EXPECT_TRUE((*weights)["w"].empty());
}

TEST(WeightData, PacksAnI32WeightAsBytesWhereTheyFit) {
  const std::string sizes = "sizes = [2], source_strides = [1], "
                            "target_offset = 0, target_strides = [1]";
  Packing fits("rnn.weight @w : tensor<2xi32> = dense<[-128, 127]>", "i8", 2,
               "w", sizes);
  EXPECT_EQ(fits.pack<int8_t>(), (std::vector<int8_t>{-128, 127}));
  Packing wide("rnn.weight @w : tensor<2xi32> = dense<[-128, 128]>", "i8", 2,
               "w", sizes);
  EXPECT_TRUE(wide.pack<int8_t>().empty());
  EXPECT_NE(wide.said().find("packs 128 of weight 'w' as i8"),
            std::string::npos)
      << wide.said();
}

TEST(WeightData, RefusesToTurnFloatsIntoIntegersAndBack) {
  const std::string sizes = "sizes = [1], source_strides = [1], "
                            "target_offset = 0, target_strides = [1]";
  Packing floats("rnn.weight @w : tensor<1xf32> = dense<1.0>", "i8", 1, "w",
                 sizes);
  EXPECT_TRUE(floats.pack<int8_t>().empty());
  EXPECT_NE(floats.said().find("packs weight 'w' of floats as 'i8'"),
            std::string::npos)
      << floats.said();
  Packing integers("rnn.weight @w : tensor<1xi32> = dense<1>", "f16", 1, "w",
                   sizes);
  EXPECT_TRUE(integers.pack<uint16_t>().empty());
  EXPECT_NE(integers.said().find("packs weight 'w' of integers as 'f16'"),
            std::string::npos)
      << integers.said();
}

TEST(WeightData, RoundsFloatsToNearest) {
  Packing packing("rnn.weight @w : tensor<2xf32> = dense<[1.00048828125, "
                  "65520.0]>",
                  "f16", 2, "w",
                  "sizes = [2], source_strides = [1], target_offset = 0, "
                  "target_strides = [1]");
  EXPECT_EQ(packing.pack<uint16_t>(),
            (std::vector<uint16_t>{toHalf(1.0), 0x7c00}));
}

} // namespace
