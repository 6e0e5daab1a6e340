//===- RnnActivations.cpp - activations as operations of a body ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnActivations.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace rung::rnn;

namespace {
/// Elementwise arithmetic on rows of one type, written as formulas.
struct Row {
  OpBuilder &builder;
  Location location;
  RankedTensorType type;

  Value splat(APFloat value) {
    bool lost;
    value.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &lost);
    return arith::ConstantOp::create(builder, location,
                                     DenseElementsAttr::get(type, value));
  }
  Value splat(double value) { return splat(APFloat(value)); }
  Value add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<arith::DivFOp>(a, b); }
  Value max(Value a, Value b) { return make<arith::MaximumFOp>(a, b); }
  Value min(Value a, Value b) { return make<arith::MinimumFOp>(a, b); }
  Value neg(Value a) { return make<arith::NegFOp>(a); }
  Value abs(Value a) { return make<math::AbsFOp>(a); }
  Value exp(Value a) { return make<math::ExpOp>(a); }
  Value log(Value a) { return make<math::LogOp>(a); }
  Value tanh(Value a) { return make<math::TanhOp>(a); }
  Value sigmoid(Value a) { return make<SigmoidOp>(a); }

  /// a < b ? x : y; NaN in a or b gives y.
  Value ifLess(Value a, Value b, Value x, Value y) {
    Value less = arith::CmpFOp::create(builder, location,
                                       arith::CmpFPredicate::OLT, a, b);
    return make<arith::SelectOp>(less, x, y);
  }
  /// from - a.
  Value reverse(double from, Value a) { return sub(splat(from), a); }
  Value scale(double factor, Value a) {
    return factor == 1 ? a : mul(a, splat(factor));
  }
  Value shift(Value a, double term) {
    return term == 0 ? a : add(a, splat(term));
  }
  Value clamp(Value a, APFloat low, APFloat high) {
    Value raised = max(a, splat(low));
    return min(raised, splat(high));
  }
  Value clamp(Value a, double low, double high) {
    return clamp(a, APFloat(low), APFloat(high));
  }
  Value clampFinite(Value a) {
    APFloat largest = APFloat::getLargest(
        cast<FloatType>(type.getElementType()).getFloatSemantics());
    return clamp(a, -largest, largest);
  }

private:
  template <typename Op, typename... Operands>
  Value make(Operands... operands) {
    return Op::create(builder, location, operands...);
  }
};
} // namespace

static Row rowOf(OpBuilder &builder, Location location, Value x) {
  return {builder, location, cast<RankedTensorType>(x.getType())};
}

Value rung::rnn::buildActivation(OpBuilder &builder, Location location,
                                 ActivationAttr activation, Value x) {
  Row row = rowOf(builder, location, x);
  double alpha = activation.getAlpha(), beta = activation.getBeta();
  switch (activation.getFunction()) {
  case Function::Sigmoid:
    return row.sigmoid(x);
  case Function::Tanh:
    return row.tanh(x);
  case Function::Relu:
    return row.max(x, row.splat(0.0));
  case Function::Affine:
    return row.shift(row.scale(alpha, x), beta);
  case Function::LeakyRelu: {
    Value scaled = row.scale(alpha, x);
    return row.ifLess(x, row.splat(0.0), scaled, x);
  }
  case Function::ThresholdedRelu: {
    Value zero = row.splat(0.0);
    return row.ifLess(x, row.splat(alpha), zero, x);
  }
  case Function::ScaledTanh:
    return row.scale(alpha, row.tanh(row.scale(beta, x)));
  case Function::HardSigmoid:
    return row.clamp(row.shift(row.scale(alpha, x), beta), 0.0, 1.0);
  case Function::Elu: {
    // The exponent is kept from overflowing where x itself is the value.
    Value zero = row.splat(0.0);
    Value power = row.exp(row.min(x, zero));
    Value less = row.scale(alpha, row.sub(power, row.splat(1.0)));
    return row.ifLess(x, zero, less, x);
  }
  case Function::Softsign: {
    // An infinite x would give inf / inf.
    Value finite = row.clampFinite(x);
    Value magnitude = row.abs(finite);
    return row.div(finite, row.add(magnitude, row.splat(1.0)));
  }
  case Function::Softplus: {
    Value tail = row.exp(row.neg(row.abs(x)));
    Value rest = row.log(row.add(tail, row.splat(1.0)));
    return row.add(row.max(x, row.splat(0.0)), rest);
  }
  case Function::Identity:
    return x;
  }
  llvm_unreachable("every function has a form");
}

Value rung::rnn::buildComplement(OpBuilder &builder, Location location,
                                 ActivationAttr activation, Value x) {
  Row row = rowOf(builder, location, x);
  switch (activation.getFunction()) {
  case Function::Sigmoid:
    return row.sigmoid(row.neg(x));
  case Function::HardSigmoid:
    return buildActivation(
        builder, location,
        ActivationAttr::get(builder.getContext(), Function::HardSigmoid,
                            -activation.getAlpha(), 1.0 - activation.getBeta()),
        x);
  default:
    return row.reverse(1.0, buildActivation(builder, location, activation, x));
  }
}

Value rung::rnn::buildClip(OpBuilder &builder, Location location, double limit,
                           Value x) {
  return rowOf(builder, location, x).clamp(x, -limit, limit);
}
