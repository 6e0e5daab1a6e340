//===- ScalarBody.cpp - a cell's body on one element ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ScalarBody.h"

#include "dialects/rnn/RnnActivations.h"
#include "passes/lowering/HalfActivations.h"
#include "passes/lowering/IntegerScalar.h"
#include "passes/lowering/Philox.h"
#include "passes/lowering/StochasticScalar.h"
#include "passes/lowering/TabulatePieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rung {

Value emitScalarSigmoid(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  if (type.isF16())
    return emitHalfSigmoid(b, x);
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(type, 1.0));
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  return arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, power));
}

namespace {

Value emitConstant(ImplicitLocOpBuilder &b, arith::ConstantOp op) {
  auto splat = cast<SplatElementsAttr>(op.getValue());
  return arith::ConstantOp::create(
      b, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

Value emitRandom(ImplicitLocOpBuilder &b, rnn::RandomOp op,
                 const ElementContext &element) {
  assert(element.step && "the kernel gives rnn.random its counter and key");
  Value layer =
      arith::ConstantOp::create(b, b.getI32IntegerAttr(op.getLayer()));
  auto words = emitPhilox(b, {element.step, layer, element.row, element.column},
                          {element.seedLow, element.seedHigh});
  return words[op.getWord()];
}

Value emitTable(ImplicitLocOpBuilder &b, rnn::LookupOp op, Value x,
                const ElementContext &element) {
  assert(element.loadTable && "the kernel gives rnn.lookup its table");
  if (op->hasAttr(kInTableAttr))
    return element.loadTable(
        op.getTable(), arith::IndexCastOp::create(b, b.getIndexType(), x));
  TablePlace place{op.getNumIntervals(), op.getLow(), op.getShift()};
  return emitLookup(b, x, place, op.getInterpolate(), [&](Value index) {
    return element.loadTable(op.getTable(), index);
  });
}

/// The same operation on the elements of its rows.
void emitSame(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping) {
  assert(OpTrait::hasElementwiseMappableTraits(&op) &&
         "C7 of rnn.recurrence admits nothing else");
  OperationState state(op.getLoc(), op.getName());
  for (Value operand : op.getOperands())
    state.addOperands(mapping.lookup(operand));
  for (Type type : op.getResultTypes())
    state.addTypes(getElementTypeOrSelf(type));
  state.addAttributes(op.getAttrs());
  mapping.map(op.getResults(), b.create(state)->getResults());
}

} // namespace

void emitScalar(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping,
                const ElementContext &element) {
  auto at = [&](Value row) { return mapping.lookup(row); };
  Value result =
      llvm::TypeSwitch<Operation *, Value>(&op)
          .Case([&](arith::ConstantOp o) { return emitConstant(b, o); })
          .Case([&](rnn::SigmoidOp o) {
            return emitScalarSigmoid(b, at(o.getInput()));
          })
          .Case([&](math::TanhOp o) {
            // Of another format, the device's own.
            Value x = at(o.getOperand());
            return x.getType().isF16() ? emitHalfTanh(b, x) : Value();
          })
          .Case([&](rnn::RequantizeOp o) {
            return emitRequantize(b, at(o.getInput()), at(o.getFactor()),
                                  o.getShift());
          })
          .Case([&](rnn::PiecewiseOp o) {
            return emitPiecewise(b, at(o.getInput()), o.getKnots(),
                                 o.getSlopes(), o.getOffsets(), o.getShift());
          })
          .Case([&](rnn::LookupOp o) {
            return emitTable(b, o, at(o.getInput()), element);
          })
          .Case([&](rnn::RandomOp o) { return emitRandom(b, o, element); })
          .Case([&](rnn::AddStochasticOp o) {
            return emitAddStochastic(b, at(o.getLhs()), at(o.getRhs()),
                                     at(o.getBits()));
          })
          .Default([](Operation *) { return Value(); });
  if (result)
    mapping.map(op.getResult(0), result);
  else
    emitSame(b, op, mapping);
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
