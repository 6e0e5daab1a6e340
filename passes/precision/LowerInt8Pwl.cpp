//===- LowerInt8Pwl.cpp - layers in integers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/Passes.h"
#include "passes/precision/LowerInt8PwlGraph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_LOWERINT8PWL
#include "passes/Passes.h.inc"
} // namespace rung

/// True if \p op, a linear or a recurrence, is to multiply bytes and does not
/// yet.
template <typename Layer> static bool wantsBytes(Layer op) {
  std::optional<PrecisionAttr> precision = op.getPrecision();
  return precision && precision->getOperand() == Format::S8 &&
         isa<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
}

/// True if \p op gives the sequence of a recurrence that multiplies bytes.
static bool feedsBytes(LinearOp op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto recurrence = dyn_cast<RecurrenceOp>(user);
    return recurrence && wantsBytes(recurrence) &&
           llvm::is_contained(recurrence.getSequences(), op.getResult());
  });
}

namespace {
struct LowerInt8Pwl : rung::impl::LowerInt8PwlBase<LowerInt8Pwl> {
  using LowerInt8PwlBase::LowerInt8PwlBase;

  void runOnOperation() override {
    FailureOr<rung::int8::Options> options = readOptions();
    if (failed(options))
      return signalPassFailure();
    rung::int8::IntegerWeights weights(getOperation());
    rung::int8::GraphLowering graph(weights, *options);
    SmallVector<Operation *> layers;
    getOperation().walk([&](Operation *op) {
      if (isa<GruOp, LinearOp, RecurrenceOp, EmbeddingOp, RmsNormOp, AddOp,
              ConcatOp>(op))
        layers.push_back(op);
    });
    for (Operation *op : layers)
      if (failed(lower(op, graph)))
        return signalPassFailure();
    eraseUnused();
  }

private:
  FailureOr<rung::int8::Options> readOptions();
  LogicalResult lower(Operation *op, rung::int8::GraphLowering &graph);
  void eraseUnused();
};
} // namespace

FailureOr<rung::int8::Options> LowerInt8Pwl::readOptions() {
  using rung::int8::ActivationForm;
  rung::int8::Options options;
  options.pieces = pieces;
  options.operandBytes = operandBytes;
  if (pieces < 2 || pieces > 64)
    return getOperation().emitError("pieces is ")
           << int(pieces) << "; there may be 2 to 64";
  if (operandBytes != 1 && operandBytes != 2)
    return getOperation().emitError("operand is ")
           << int(operandBytes) << "; products take 1 byte of the state or 2";
  if (!state.empty() && state != "s16" && state != "s32")
    return getOperation().emitError("state is '")
           << state << "'; it may be s16 or s32";
  if (activation == "table")
    options.form = ActivationForm::Table;
  else if (activation == "table-linear")
    options.form = ActivationForm::InterpolatedTable;
  else if (activation != "piecewise")
    return getOperation().emitError("activation is '")
           << activation << "'; it may be piecewise, table or table-linear";
  return options;
}

LogicalResult LowerInt8Pwl::lower(Operation *op,
                                  rung::int8::GraphLowering &graph) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<GruOp>([](GruOp gru) {
        return gru.emitOpError("is not expanded; rnn-lower-int8-pwl needs "
                               "rnn-expand-cells before it");
      })
      .Case<LinearOp>([&](LinearOp linear) -> LogicalResult {
        if (!wantsBytes(linear))
          return success();
        if (all || feedsBytes(linear))
          return graph.lower(linear);
        PrecisionAttr precision = *linear.getPrecision();
        linear.setPrecisionAttr(PrecisionAttr::get(&getContext(), Format::F32,
                                                   Format::F32, Format::F32,
                                                   precision.getRound()));
        return success();
      })
      .Case<RecurrenceOp>([&](RecurrenceOp recurrence) -> LogicalResult {
        if (!wantsBytes(recurrence))
          return success();
        PrecisionAttr precision = *recurrence.getPrecision();
        Format kept = precision.getState();
        if (!state.empty())
          kept = state == "s16" ? Format::S16 : Format::S32;
        recurrence.setPrecisionAttr(
            PrecisionAttr::get(&getContext(), Format::S8, Format::S32, kept,
                               precision.getRound()));
        return graph.lower(recurrence, kept == Format::S16);
      })
      .Case<EmbeddingOp, RmsNormOp>([&](auto layer) -> LogicalResult {
        return all ? graph.lower(layer) : success();
      })
      .Case<AddOp, ConcatOp>([&](auto layer) -> LogicalResult {
        if (all)
          graph.lower(layer);
        return success();
      })
      .Default([](Operation *) { return success(); });
}

/// Removes conversions to f32 that nothing takes, and loads of weights that
/// are now loaded as integers. The weights stay: they say what the numbers are
/// that the integers were made from.
void LowerInt8Pwl::eraseUnused() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if (isa<MapOp, LoadWeightOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}
