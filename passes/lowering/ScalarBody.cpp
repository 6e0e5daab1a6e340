//===- ScalarBody.cpp - a cell's body on one element ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ScalarBody.h"

#include "dialects/rnn/RnnActivations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

Value emitScalarSigmoid(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(type, 1.0));
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  return arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, power));
}

void emitScalar(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping,
                const ElementContext &element) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    auto value = cast<TypedAttr>(splat.getSplatValue<Attribute>());
    mapping.map(constant.getResult(), arith::ConstantOp::create(b, value));
    return;
  }
  if (auto sigmoid = dyn_cast<rnn::SigmoidOp>(op)) {
    mapping.map(sigmoid.getResult(),
                emitScalarSigmoid(b, mapping.lookup(sigmoid.getInput())));
    return;
  }
  assert(OpTrait::hasElementwiseMappableTraits(&op) &&
         "C7 of rnn.recurrence admits nothing else");
  OperationState state(op.getLoc(), op.getName());
  for (Value operand : op.getOperands())
    state.addOperands(mapping.lookup(operand));
  for (Type type : op.getResultTypes())
    state.addTypes(getElementTypeOrSelf(type));
  state.addAttributes(op.getAttrs());
  Operation *scalar = b.create(state);
  mapping.map(op.getResults(), scalar->getResults());
}

Value emitScalarActivation(ImplicitLocOpBuilder &b,
                           rnn::ActivationAttr function, Value x) {
  // Written as a row's operations once, then taken for the row's one element.
  Block body;
  Value row =
      body.addArgument(RankedTensorType::get({1}, x.getType()), b.getLoc());
  OpBuilder rows(b.getContext());
  rows.setInsertionPointToEnd(&body);
  Value result = rnn::buildActivation(rows, b.getLoc(), function, row);
  IRMapping mapping;
  mapping.map(row, x);
  for (Operation &op : body)
    emitScalar(b, op, mapping);
  return mapping.lookup(result);
}

} // namespace rung
