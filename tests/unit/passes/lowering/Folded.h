//===- Folded.h - emitted arithmetic on constants, worked out ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_PASSES_LOWERING_FOLDED_H
#define RUNG_TESTS_UNIT_PASSES_LOWERING_FOLDED_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

#include <gtest/gtest.h>

namespace rung::test {

/// Emitters that are given constants fold them at once, by upstream's folders:
/// an interpreter of what they emit.
class Folded {
public:
  Folded()
      : module_(mlir::ModuleOp::create(mlir::UnknownLoc::get(load(context_)))),
        b_(module_->getLoc(), &context_) {
    clear();
  }

  mlir::ImplicitLocOpBuilder &b() { return b_; }

  /// Drops what was emitted; values given before are gone.
  void clear() {
    module_->getBody()->clear();
    b_.setInsertionPointToStart(module_->getBody());
  }

  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantOp::create(
        b_, b_.getI32IntegerAttr(int32_t(value)));
  }
  mlir::Value f16(uint16_t bits) {
    llvm::APFloat number(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
    return mlir::arith::ConstantOp::create(
        b_, mlir::FloatAttr::get(b_.getF16Type(), number));
  }

  int32_t integer(mlir::Value value) {
    llvm::APInt number;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return int32_t(number.getSExtValue());
    ADD_FAILURE() << "not a constant";
    return 0;
  }
  uint16_t halfBits(mlir::Value value) {
    llvm::APFloat number(0.0);
    if (mlir::matchPattern(value, mlir::m_ConstantFloat(&number)))
      return uint16_t(number.bitcastToAPInt().getZExtValue());
    ADD_FAILURE() << "not a constant";
    return 0;
  }

private:
  static mlir::MLIRContext *load(mlir::MLIRContext &context) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect>();
    return &context;
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::ImplicitLocOpBuilder b_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_PASSES_LOWERING_FOLDED_H
