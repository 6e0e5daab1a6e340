//===- Pointwise.cpp - one op on each element -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Pointwise.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Activation.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/ScalarFunctions.h"

#include <algorithm>

namespace rung::reference {
namespace {

Result<Pointwise> makeActivation(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(1, 1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"function", "alpha", "beta"}));
  RUNG_RETURN_IF_ERROR(expectFloat(node, 0));
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
  return Pointwise([function = *activation,
                    type = node.resultElement(0)](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] = function(row.operands[0][i]);
    roundResults(type, F32::Real, row.out, row.count);
  });
}

Result<Pointwise> makeCompare(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 2));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"predicate", "fastmath"}));
  RUNG_RETURN_IF_ERROR(expectFloat(node, 0));
  RUNG_RETURN_IF_ERROR(expectFloat(node, 1));
  RUNG_ASSIGN_OR_RETURN(std::string_view predicate, node.string("predicate"));
  Comparison compare = findComparison(predicate);
  if (!compare)
    return node.unsupported(
        concat("predicate ", quote(predicate), " is not one of arith.cmpf's"));
  return Pointwise([compare](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] = compare(row.operands[0][i], row.operands[1][i]);
  });
}

Result<Pointwise> makeConstant(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(0, 0));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"value"}));
  RUNG_ASSIGN_OR_RETURN(double value, node.real("value"));
  ScalarType type = node.resultElement(0);
  if (!isFloat(type) && value != wrapped(type, value))
    return node.invalid(concat("value ", value, " is no ", toString(type)));
  return Pointwise([value = roundResult(type, value)](const RowArgs &row) {
    std::fill_n(row.out, row.count, value);
  });
}

Result<Pointwise> makeSelect(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(3, 3));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({}));
  RUNG_RETURN_IF_ERROR(expectInteger(node, 0));
  for (uint32_t i : {1, 2})
    if (node.operandElement(i) != node.resultElement(0))
      return node.invalid(
          concat("operand ", i, " is of ", toString(node.operandElement(i)),
                 ", and the result of ", toString(node.resultElement(0))));
  return Pointwise([](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] =
          row.operands[0][i] != 0 ? row.operands[1][i] : row.operands[2][i];
  });
}

} // namespace

Status expectFloat(const NodeView &node, uint32_t i) {
  if (isFloat(node.operandElement(i)))
    return Status::ok();
  return node.invalid(concat("operand ", i, " is of ",
                             toString(node.operandElement(i)),
                             "; a float is needed"));
}

Status expectInteger(const NodeView &node, uint32_t i) {
  if (!isFloat(node.operandElement(i)))
    return Status::ok();
  return node.invalid(concat("operand ", i, " is of ",
                             toString(node.operandElement(i)),
                             "; an integer is needed"));
}

Result<Pointwise> makeFloatFunction(const NodeView &node, F32 f32) {
  if (node.op() == "rnn.activation")
    return makeActivation(node);
  if (node.op() == "arith.cmpf")
    return makeCompare(node);
  const ScalarFunction *function = findScalarFunction(node.op());
  bool ofIntegers = node.op() == "rnn.add" && node.operandCount() > 0 &&
                    !isFloat(node.operandElement(0));
  if (!function || ofIntegers)
    return Pointwise();
  RUNG_RETURN_IF_ERROR(node.expectOperands(function->arity, function->arity));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"fastmath", "roundingmode"}));
  for (uint32_t i = 0; i < function->arity; ++i)
    RUNG_RETURN_IF_ERROR(expectFloat(node, i));
  ScalarType type = node.resultElement(0);
  if (!isFloat(type) && !function->isTruth)
    return node.invalid(
        concat("the result is of ", toString(type), "; a float is needed"));
  bool rounds = type == ScalarType::F16 || type == ScalarType::BF16 ||
                (type == ScalarType::F32 && f32 == F32::Rounded);
  ScalarFunction::Loop loop = rounds && function->beforeRounding
                                  ? function->beforeRounding
                                  : function->loop;
  return Pointwise([loop, type, f32](const RowArgs &row) {
    loop(row);
    roundResults(type, f32, row.out, row.count);
  });
}

Result<Pointwise> Pointwise::make(const NodeView &node, F32 f32) {
  if (node.op() == "arith.constant")
    return makeConstant(node);
  if (node.op() == "arith.select")
    return makeSelect(node);
  RUNG_ASSIGN_OR_RETURN(Pointwise function, makeFloatFunction(node, f32));
  if (function)
    return function;
  for (auto *family :
       {makeIntegerFunction, makeConversion, makeFixedPoint, makeRandom}) {
    RUNG_ASSIGN_OR_RETURN(function, family(node));
    if (function)
      return function;
  }
  return Pointwise();
}

} // namespace rung::reference
