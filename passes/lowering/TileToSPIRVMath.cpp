//===- TileToSPIRVMath.cpp - functions of our own --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;

namespace {

/// sign(x) * (1 - e) / (1 + e) with e = exp(-2 |x|), which can't overflow.
/// Vulkan promises of GLSL's Tanh only what sinh / cosh give, and those do.
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
    Value x = op.getOperand();
    Value magnitude = b.create<math::AbsFOp>(x);
    Value power = b.create<arith::MulFOp>(magnitude, constant(-2.0));
    Value e = b.create<math::ExpOp>(power);
    Value above = b.create<arith::SubFOp>(constant(1.0), e);
    Value below = b.create<arith::AddFOp>(constant(1.0), e);
    Value ratio = b.create<arith::DivFOp>(above, below);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, ratio, x);
    return success();
  }
};

} // namespace

void rung::populateTileMathPatterns(SPIRVTypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<TanhPattern>(types, patterns.getContext(), /*benefit=*/10);
}
