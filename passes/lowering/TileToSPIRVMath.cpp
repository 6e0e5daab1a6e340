//===- TileToSPIRVMath.cpp - functions of our own --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;

namespace {

/// 1 - 2 / (1 + exp(2 x)), right also where exp(2 x) is 0 or infinity. Vulkan
/// promises of GLSL's Tanh only what sinh / cosh give, and those overflow.
struct TanhPattern : OpConversionPattern<math::TanhOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::TanhOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<FloatType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a scalar");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](double value) -> Value {
      return b.create<arith::ConstantOp>(b.getFloatAttr(op.getType(), value));
    };
    Value doubled = b.create<arith::MulFOp>(op.getOperand(), constant(2.0));
    Value power = b.create<math::ExpOp>(doubled);
    Value below = b.create<arith::AddFOp>(power, constant(1.0));
    Value away = b.create<arith::DivFOp>(constant(2.0), below);
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, constant(1.0), away);
    return success();
  }
};

} // namespace

void rung::populateTileMathPatterns(SPIRVTypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<TanhPattern>(types, patterns.getContext(), /*benefit=*/10);
}
