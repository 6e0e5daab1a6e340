//===- AttachCalibration.cpp - seen ranges as attributes ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/AttachCalibration.h"

#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace rung::rnn;

namespace rung {

static void setOnce(Operation *op, StringRef name, Attribute value) {
  if (!op->hasAttr(name))
    op->setAttr(name, value);
}

static void attach(LinearOp op, const SeenRange &input) {
  if (!input.isEmpty())
    setOnce(op, "rung.input_range",
            DenseF64ArrayAttr::get(op.getContext(), {input.low, input.high}));
}

static void attach(RecurrenceOp op, const RecurrenceCalibration &seen) {
  Builder builder(op.getContext());
  // An activation that never ran has the empty range, which says nothing.
  SmallVector<Attribute> activations;
  for (const SeenRange &range : seen.activations)
    activations.push_back(builder.getDenseF64ArrayAttr(
        range.isEmpty() ? ArrayRef<double>()
                        : ArrayRef<double>{range.low, range.high}));
  SmallVector<double> states;
  for (const SeenRange &range : seen.states)
    states.push_back(std::max(std::abs(range.low), std::abs(range.high)));
  setOnce(op, "rung.activation_ranges", builder.getArrayAttr(activations));
  // Nor does a state that never was, or was never finite.
  if (llvm::none_of(seen.states,
                    [](const SeenRange &range) { return range.isEmpty(); }))
    setOnce(op, "rung.state_range", builder.getDenseF64ArrayAttr(states));
}

static LogicalResult attach(func::FuncOp function,
                            const FunctionCalibration &seen) {
  SmallVector<LinearOp> linears;
  SmallVector<RecurrenceOp> recurrences;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto linear = dyn_cast<LinearOp>(op))
      linears.push_back(linear);
    else if (auto recurrence = dyn_cast<RecurrenceOp>(op))
      recurrences.push_back(recurrence);
  });
  if (linears.size() != seen.linears.size() ||
      recurrences.size() != seen.recurrences.size())
    return function.emitError("function '")
           << function.getName() << "' has " << linears.size()
           << " linears and " << recurrences.size()
           << " recurrences; its calibration has " << seen.linears.size()
           << " and " << seen.recurrences.size();
  for (auto [op, input] : llvm::zip(linears, seen.linears))
    attach(op, input);
  for (auto [op, ranges] : llvm::zip(recurrences, seen.recurrences))
    attach(op, ranges);
  return success();
}

LogicalResult attachCalibration(ModuleOp module,
                                const Calibration &calibration) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto seen = calibration.functions.find(function.getName().str());
    if (seen != calibration.functions.end() &&
        failed(attach(function, seen->second)))
      return failure();
  }
  return success();
}

} // namespace rung
