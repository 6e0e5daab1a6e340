//===- InsertCasts.cpp - roundings of operands as operations -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_INSERTCASTS
#include "passes/Passes.h.inc"
} // namespace rung

static Type withElement(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

static bool hasElement(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).getElementType() == element;
}

namespace {

/// Casts of graph values, one for each value and format.
class GraphCasts {
public:
  Value get(Value value, FloatType element) {
    if (hasElement(value, element))
      return value;
    Value &result = casts_[{value, element}];
    if (!result) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      result = CastOp::create(builder, value.getLoc(),
                              withElement(value, element), value);
    }
    return result;
  }

private:
  llvm::DenseMap<std::pair<Value, Type>, Value> casts_;
};

struct InsertCasts : rung::impl::InsertCastsBase<InsertCasts> {
  void runOnOperation() override;
};

} // namespace

static void castLinear(LinearOp op, FloatType operand, GraphCasts &casts) {
  op.getInputMutable().assign(casts.get(op.getInput(), operand));
  op.getWeightMutable().assign(casts.get(op.getWeight(), operand));
}

/// Gives the matrices of \p op, and the slices of them, elements of
/// \p operand. A weight of rank 3 has no other use than products.
static void castMatrices(RecurrenceOp op, FloatType operand,
                         GraphCasts &casts) {
  for (auto [weight, argument] :
       llvm::zip(op.getWeightsMutable(), op.getWeightArguments())) {
    if (cast<RankedTensorType>(argument.getType()).getRank() != 3)
      continue;
    weight.assign(casts.get(weight.get(), operand));
    argument.setType(weight.get().getType());
    for (Operation *user : argument.getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        slice.getResult().setType(
            cast<RankedTensorType>(withElement(slice.getResult(), operand)));
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

/// Checks what the pass requires of a layer.
template <typename Layer> static LogicalResult verifyPrecision(Layer layer) {
  std::optional<PrecisionAttr> precision = layer.getPrecision();
  if (precision && (precision->getAccumulate() != Format::F32 ||
                    precision->getState() != Format::F32))
    return layer.emitOpError("accumulates in ")
           << stringifyFormat(precision->getAccumulate())
           << " and keeps its state in "
           << stringifyFormat(precision->getState())
           << "; rnn-insert-casts knows f32 for both";
  return success();
}

/// The format of the operands of \p layer; null if they stay f32.
template <typename Layer> static FloatType operandType(Layer layer) {
  std::optional<PrecisionAttr> precision = layer.getPrecision();
  if (!precision || precision->getOperand() == Format::F32)
    return {};
  return getFloatType(layer.getContext(), precision->getOperand());
}

void InsertCasts::runOnOperation() {
  SmallVector<LinearOp> linears;
  SmallVector<RecurrenceOp> recurrences;
  WalkResult checked = getOperation().walk([&](Operation *op) {
    if (auto gru = dyn_cast<GruOp>(op)) {
      gru.emitOpError("is not expanded; rnn-insert-casts needs "
                      "rnn-expand-cells before it");
      return WalkResult::interrupt();
    }
    LogicalResult valid = success();
    if (auto linear = dyn_cast<LinearOp>(op)) {
      valid = verifyPrecision(linear);
      linears.push_back(linear);
    } else if (auto recurrence = dyn_cast<RecurrenceOp>(op)) {
      valid = verifyPrecision(recurrence);
      recurrences.push_back(recurrence);
    }
    return failed(valid) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return signalPassFailure();

  GraphCasts casts;
  for (LinearOp linear : linears)
    if (FloatType operand = operandType(linear))
      castLinear(linear, operand, casts);
  for (RecurrenceOp recurrence : recurrences)
    if (FloatType operand = operandType(recurrence)) {
      castMatrices(recurrence, operand, casts);
      castRows(recurrence, operand);
    }
}
