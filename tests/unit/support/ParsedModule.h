//===- ParsedModule.h - a module from text, and its bundle ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_SUPPORT_PARSEDMODULE_H
#define RUNG_TESTS_UNIT_SUPPORT_PARSEDMODULE_H

#include "compiler/graph/GraphExport.h"
#include "dialects/rnn/RnnOps.h"
#include "tests/unit/support/ModelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rung::test {

/// A module of the rnn dialect with its context, and what was said about it.
class ParsedModule {
public:
  explicit ParsedModule(const std::string &text)
      : handler_(&context_, [this](mlir::Diagnostic &diagnostic) {
          said_ += diagnostic.str() + "\n";
        }) {
    context_.loadDialect<rnn::RnnDialect, mlir::arith::ArithDialect,
                         mlir::func::FuncDialect, mlir::math::MathDialect,
                         mlir::tensor::TensorDialect>();
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    EXPECT_TRUE(module_) << said_ << text;
  }

  mlir::MLIRContext *context() { return &context_; }
  mlir::ModuleOp module() { return *module_; }
  mlir::func::FuncOp function() {
    return *module_->getOps<mlir::func::FuncOp>().begin();
  }
  const std::string &said() const { return said_; }

  /// A bundle of the first function and the module's weights.
  ModelBuilder toModel() {
    ModelBuilder model;
    WeightIndices indices;
    for (auto weight : module_->getOps<rnn::WeightOp>()) {
      std::vector<int32_t> dims(weight.getType().getShape().begin(),
                                weight.getType().getShape().end());
      indices[weight.getSymName()] = static_cast<uint32_t>(
          add(model, weight.getSymName().str(), dims, weight.getValue()));
    }
    auto exported = exportFunction(function(), indices);
    EXPECT_TRUE(mlir::succeeded(exported)) << said_;
    if (mlir::succeeded(exported))
      model.bundle().functions.push_back(
          std::make_unique<fb::FunctionT>(std::move(*exported)));
    return model;
  }

private:
  /// A weight of f32, i8 or i32, dense or a resource.
  static int64_t add(ModelBuilder &model, const std::string &name,
                     std::vector<int32_t> dims, mlir::ElementsAttr value) {
    ScalarType element = value.getElementType().isF32() ? ScalarType::F32
                         : value.getElementType().isInteger(8)
                             ? ScalarType::S8
                             : ScalarType::I32;
    if (auto resource =
            mlir::dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
      llvm::ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
      return model.weight(name, dims, element,
                          std::as_bytes(std::span(data.data(), data.size())));
    }
    auto addAs = [&](auto zero) {
      auto range = value.getValues<decltype(zero)>();
      std::vector<decltype(zero)> values(range.begin(), range.end());
      return model.weight(name, dims, element,
                          std::as_bytes(std::span(values)));
    };
    return element == ScalarType::F32  ? addAs(float())
           : element == ScalarType::S8 ? addAs(int8_t())
                                       : addAs(int32_t());
  }

  mlir::MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler handler_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_PARSEDMODULE_H
