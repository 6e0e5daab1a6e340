//===- HalfRecurrence.cpp - a recurrence computed in f16 -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/HalfRecurrence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {

static bool isFloatTensor(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

/// Checks that \p op can be computed in f16 as it is written.
static LogicalResult verifyBody(RecurrenceOp op) {
  Type half = Float16Type::get(op.getContext());
  for (Operation &inner : op.getStep()) {
    for (Value value : inner.getResults()) {
      Type element = getElementTypeOrSelf(value);
      if (isa<FloatType>(element) && !element.isF32() && element != half)
        return inner.emitOpError("gives ")
               << value.getType() << " in a body to be computed in f16";
    }
    auto bitcast = dyn_cast<arith::BitcastOp>(inner);
    if (bitcast &&
        (hasElement(bitcast.getIn(), Float32Type::get(op.getContext())) ||
         hasElement(bitcast.getOut(), Float32Type::get(op.getContext()))))
      return bitcast.emitOpError("takes the bits of an f32 in a body to be "
                                 "computed in f16");
  }
  return success();
}

/// \p value as an f16, finite if it is.
static APFloat toHalf(APFloat value) {
  APFloat result = value;
  bool lost;
  result.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  if (value.isFinite() && !result.isFinite())
    result = APFloat::getLargest(APFloat::IEEEhalf(), value.isNegative());
  return result;
}

static void halveOperands(RecurrenceOp op, FloatType half, GraphCasts &casts) {
  for (OpOperand &sequence : op.getSequencesMutable())
    if (isFloatTensor(sequence.get()))
      sequence.set(casts.get(sequence.get(), half));
  for (OpOperand &weight : op.getWeightsMutable())
    if (isFloatTensor(weight.get()))
      weight.set(casts.getWeight(weight.get(), half));
  for (OpOperand &state : op.getInitialMutable())
    if (isFloatTensor(state.get()))
      state.set(casts.get(state.get(), half));
}

static void halveBody(RecurrenceOp op, FloatType half) {
  for (BlockArgument argument : op.getStep().getArguments())
    if (isFloatTensor(argument))
      argument.setType(withElement(argument, half));
  for (Operation &inner : llvm::make_early_inc_range(op.getStep())) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      if (isFloatTensor(constant))
        constant.setValueAttr(DenseElementsAttr::get(
            withElement(constant, half),
            toHalf(cast<SplatElementsAttr>(constant.getValue())
                       .getSplatValue<APFloat>())));
    }
    for (Value result : inner.getResults())
      if (isFloatTensor(result))
        result.setType(withElement(result, half));
    // What changed the format of a float changes nothing.
    if (isa<arith::TruncFOp, arith::ExtFOp>(inner)) {
      inner.getResult(0).replaceAllUsesWith(inner.getOperand(0));
      inner.erase();
    }
  }
}

/// Users of \p op see the type they saw before.
static void widenResults(RecurrenceOp op, FloatType half) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  for (Value result : op.getResults()) {
    if (!isFloatTensor(result) || hasElement(result, half))
      continue;
    Type before = result.getType();
    result.setType(withElement(result, half));
    auto widened = CastOp::create(builder, op.getLoc(), before, result);
    result.replaceAllUsesExcept(widened, widened);
  }
}

LogicalResult computeInHalf(RecurrenceOp op, GraphCasts &casts) {
  if (failed(verifyBody(op)))
    return failure();
  FloatType half = Float16Type::get(op.getContext());
  halveOperands(op, half, casts);
  halveBody(op, half);
  widenResults(op, half);
  return success();
}

} // namespace rung
