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
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <string>

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
      std::vector<float> values;
      for (float value : weight.getValue().getValues<float>())
        values.push_back(value);
      indices[weight.getSymName()] = static_cast<uint32_t>(
          model.weight(weight.getSymName().str(), dims, values));
    }
    auto exported = exportFunction(function(), indices);
    EXPECT_TRUE(mlir::succeeded(exported)) << said_;
    if (mlir::succeeded(exported))
      model.bundle().functions.push_back(
          std::make_unique<fb::FunctionT>(std::move(*exported)));
    return model;
  }

private:
  mlir::MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler handler_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_PARSEDMODULE_H
