//===- InsertCasts.cpp - roundings of operands as operations -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"
#include "passes/precision/GraphCasts.h"
#include "passes/precision/HalfRecurrence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_INSERTCASTS
#include "passes/Passes.h.inc"
} // namespace rung

namespace {
struct InsertCasts : rung::impl::InsertCastsBase<InsertCasts> {
  void runOnOperation() override;
};
} // namespace

static void castLinear(LinearOp op, FloatType operand, GraphCasts &casts) {
  op.getInputMutable().assign(casts.get(op.getInput(), operand));
  op.getWeightMutable().assign(casts.getWeight(op.getWeight(), operand));
}

/// Gives the matrices of \p op, and the slices of them, elements of
/// \p operand. A weight of rank 3 has no other use than products.
static void castMatrices(RecurrenceOp op, FloatType operand,
                         GraphCasts &casts) {
  for (auto [weight, argument] :
       llvm::zip(op.getWeightsMutable(), op.getWeightArguments())) {
    if (cast<RankedTensorType>(argument.getType()).getRank() != 3)
      continue;
    weight.assign(casts.getWeight(weight.get(), operand));
    argument.setType(weight.get().getType());
    for (Operation *user : argument.getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        slice.getResult().setType(withElement(slice.getResult(), operand));
  }
}

/// Rounds the rows given to products; a row that several take is rounded once.
static void castRows(RecurrenceOp op, FloatType operand) {
  llvm::DenseMap<Value, Value> rounded;
  for (DotOp dot : op.getStep().getOps<DotOp>()) {
    Value row = dot.getInput();
    if (hasElement(row, operand))
      continue;
    Value &result = rounded[row];
    if (!result) {
      OpBuilder builder(dot);
      result = arith::TruncFOp::create(builder, dot.getLoc(),
                                       withElement(row, operand), row);
    }
    dot.getInputMutable().assign(result);
  }
}

/// The format of the operands of \p layer; null if the pass leaves them.
template <typename Layer> static FloatType operandType(Layer layer) {
  std::optional<PrecisionAttr> precision = layer.getPrecision();
  if (!precision || precision->getOperand() == Format::F32 ||
      precision->isInteger())
    return {};
  return getFloatType(layer.getContext(), precision->getOperand());
}

static LogicalResult castRecurrence(RecurrenceOp op, GraphCasts &casts) {
  FloatType operand = operandType(op);
  if (!operand || op.getPrecision()->getState() == Format::F16x2)
    return success();
  if (op.getPrecision()->getState() == Format::F16)
    return computeInHalf(op, casts);
  castMatrices(op, operand, casts);
  castRows(op, operand);
  return success();
}

void InsertCasts::runOnOperation() {
  SmallVector<LinearOp> linears;
  SmallVector<RecurrenceOp> recurrences;
  WalkResult expanded = getOperation().walk([&](Operation *op) {
    if (auto gru = dyn_cast<GruOp>(op)) {
      gru.emitOpError("is not expanded; rnn-insert-casts needs "
                      "rnn-expand-cells before it");
      return WalkResult::interrupt();
    }
    if (auto linear = dyn_cast<LinearOp>(op))
      linears.push_back(linear);
    if (auto recurrence = dyn_cast<RecurrenceOp>(op))
      recurrences.push_back(recurrence);
    return WalkResult::advance();
  });
  if (expanded.wasInterrupted())
    return signalPassFailure();

  // Recurrences first: a linear that reads an f16 output takes it as it is.
  GraphCasts casts;
  for (RecurrenceOp recurrence : recurrences)
    if (failed(castRecurrence(recurrence, casts)))
      return signalPassFailure();
  for (LinearOp linear : linears)
    if (FloatType operand = operandType(linear))
      castLinear(linear, operand, casts);
  getOperation().walk([](CastOp cast) {
    if (cast->use_empty())
      cast.erase();
  });
}
