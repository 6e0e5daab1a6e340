//===- Pointwise.cpp - one op on each element -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Pointwise.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Rounding.h"

namespace rung::reference {

Result<Pointwise> Pointwise::makeActivation(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(1, 1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"function", "alpha", "beta"}));
  RUNG_ASSIGN_OR_RETURN(std::string_view name, node.string("function"));
  std::optional<double> alpha, beta;
  if (node.has("alpha")) {
    RUNG_ASSIGN_OR_RETURN(alpha, node.real("alpha"));
  }
  if (node.has("beta")) {
    RUNG_ASSIGN_OR_RETURN(beta, node.real("beta"));
  }
  Result<Activation> activation = Activation::make(name, alpha, beta);
  if (!activation.isOk())
    return node.from(activation.status());
  Pointwise result;
  result.kind_ = Kind::Activation;
  result.activation_ = *activation;
  return result;
}

Result<Pointwise> Pointwise::makeCompare(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 2));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"predicate", "fastmath"}));
  RUNG_ASSIGN_OR_RETURN(std::string_view predicate, node.string("predicate"));
  Pointwise result;
  result.kind_ = Kind::Compare;
  result.comparison_ = findComparison(predicate);
  if (!result.comparison_)
    return node.unsupported(
        concat("predicate ", quote(predicate), " is not one of arith.cmpf's"));
  return result;
}

Result<Pointwise> Pointwise::makeConstant(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(0, 0));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"value"}));
  Pointwise result;
  result.kind_ = Kind::Constant;
  RUNG_ASSIGN_OR_RETURN(result.constant_, node.real("value"));
  return result;
}

Result<Pointwise> Pointwise::make(const NodeView &node) {
  if (node.op() == "rnn.activation")
    return makeActivation(node);
  if (node.op() == "arith.cmpf")
    return makeCompare(node);
  if (node.op() == "arith.constant")
    return makeConstant(node);
  Pointwise result;
  result.scalar_ = findScalarFunction(node.op());
  if (!result.scalar_)
    return result;
  result.kind_ = Kind::Scalar;
  result.converts_ = node.op() == "arith.truncf" || node.op() == "arith.extf";
  RUNG_RETURN_IF_ERROR(
      node.expectOperands(result.scalar_->arity, result.scalar_->arity));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"fastmath", "roundingmode"}));
  if (node.has("roundingmode")) {
    RUNG_ASSIGN_OR_RETURN(size_t nearestEven,
                          node.choice("roundingmode", {"to_nearest_even"}));
    (void)nearestEven; // the one mode there is
  }
  return result;
}

double Pointwise::element(const double *const *operands, int64_t i) const {
  switch (kind_) {
  case Kind::Compare:
    return comparison_(operands[0][i], operands[1][i]);
  case Kind::Constant:
    return constant_;
  case Kind::Activation:
    return (*activation_)(operands[0][i]);
  case Kind::Scalar:
    if (scalar_->arity == 1)
      return scalar_->unary(operands[0][i]);
    if (scalar_->arity == 2)
      return scalar_->binary(operands[0][i], operands[1][i]);
    return scalar_->ternary(operands[0][i], operands[1][i], operands[2][i]);
  case Kind::None:
    break;
  }
  return 0;
}

void Pointwise::apply(ScalarType type, const double *const *operands,
                      double *out, int64_t count) const {
  for (int64_t i = 0; i < count; ++i) {
    double value = element(operands, i);
    out[i] = converts_ ? roundTo(type, value) : roundResult(type, value);
  }
}

} // namespace rung::reference
