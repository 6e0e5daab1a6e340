//===- ShareReciprocals.cpp - one for a sigmoid and a tanh -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;

namespace {

bool isOne(Value value) { return matchPattern(value, m_OneFloat()); }

/// 1 + exp(x), where \p value is its reciprocal and has one use; else null.
Value denominatorOfSigmoid(Value value) {
  auto quotient = value.getDefiningOp<arith::DivFOp>();
  if (!quotient || !value.hasOneUse() || !isOne(quotient.getLhs()))
    return {};
  auto sum = quotient.getRhs().getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  bool matches =
      (sum.getLhs().getDefiningOp<math::ExpOp>() && isOne(sum.getRhs())) ||
      (isOne(sum.getLhs()) && sum.getRhs().getDefiningOp<math::ExpOp>());
  return matches ? sum.getResult() : Value();
}

/// 1 / d times tanh(x) or times its distance from h, with e = exp(2 x):
///
///     1       e - 1         e - 1 - h (e + 1)
///     - * ( --------- - h ) = -----------------
///     d       e + 1              d (e + 1)
///
/// From 2 x = 20 on tanh is 1 in f32, and e stays what it is there: with d,
/// which may be infinite, it never makes a difference or a product NaN. NaN
/// stays NaN.
class GatedTanh {
public:
  explicit GatedTanh(arith::MulFOp op) : op(op) {
    if (!op.getType().isF32())
      return;
    for (auto [sigmoid, other] : {std::pair(op.getLhs(), op.getRhs()),
                                  std::pair(op.getRhs(), op.getLhs())})
      if (!tanh && (denominator = denominatorOfSigmoid(sigmoid)))
        matchTanh(other);
  }

  void rewrite() {
    if (!tanh)
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto constant = [&](double value) -> Value {
      return b.create<arith::ConstantOp>(b.getF32FloatAttr(float(value)));
    };
    Value one = constant(1), most = constant(20);
    Value doubled = b.create<arith::MulFOp>(tanh.getOperand(), constant(2));
    Value large =
        b.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, doubled, most);
    Value power =
        b.create<math::ExpOp>(b.create<arith::SelectOp>(large, most, doubled));
    Value sum = b.create<arith::AddFOp>(power, one);
    Value above = b.create<arith::SubFOp>(power, one);
    if (distance)
      above = b.create<arith::SubFOp>(
          above, b.create<arith::MulFOp>(distance.getRhs(), sum));
    Value below = b.create<arith::MulFOp>(denominator, sum);
    Value reciprocal = b.create<arith::DivFOp>(one, below);
    Operation *operands[] = {op.getLhs().getDefiningOp(),
                             op.getRhs().getDefiningOp()};
    op.replaceAllUsesWith(
        b.create<arith::MulFOp>(reciprocal, above).getResult());
    op.erase();
    for (Operation *operand : operands)
      operand->erase();
    if (distance)
      tanh.erase();
  }

private:
  void matchTanh(Value value) {
    distance = value.getDefiningOp<arith::SubFOp>();
    Value inner = distance ? distance.getLhs() : value;
    if (value.hasOneUse() && inner.hasOneUse())
      tanh = inner.getDefiningOp<math::TanhOp>();
  }

  arith::MulFOp op;
  Value denominator;
  arith::SubFOp distance;
  math::TanhOp tanh;
};

} // namespace

void rung::shareReciprocals(Operation *kernel) {
  SmallVector<arith::MulFOp> products;
  kernel->walk([&](arith::MulFOp op) { products.push_back(op); });
  for (arith::MulFOp op : products)
    GatedTanh(op).rewrite();
}
