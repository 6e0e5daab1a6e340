//===- RecurrenceEdges.cpp - what a recurrence can take in ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/RecurrenceEdges.h"

#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProgramBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

/// Whether \p user takes a row of the body's width: all of it, or a slice.
static bool takesBodyRow(Operation *user, Value row, int64_t width) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
    return slice.getType().getShape() == ArrayRef<int64_t>{width};
  return cast<RankedTensorType>(row.getType()).getDimSize(0) == width &&
         !isa<rnn::DotOp>(user);
}

/// Whether a body of \p carrier can hold what \p op computes of rows: integers
/// hold no floats, f16 and f32 no integers.
static bool suits(Operation *op, Type carrier) {
  bool integers = carrier.isInteger(32);
  for (Type type : op->getResultTypes())
    if (isa<FloatType>(getElementTypeOrSelf(type)) == integers)
      return false;
  return true;
}

static bool canMove(rnn::MapOp map, Type carrier) {
  return llvm::all_of(map.getWeights(),
                      [](Value w) { return succeeded(findWeight(w)); }) &&
         llvm::all_of(map.getRow().without_terminator(), [&](Operation &op) {
           return !isa<rnn::LookupOp>(op) && suits(&op, carrier);
         });
}

/// Whether the body of \p op can multiply by the weights of \p linear itself.
static bool canMove(rnn::LinearOp linear, rnn::RecurrenceOp op, Type carrier) {
  Type operand = getElementTypeOrSelf(linear.getWeight());
  Type sum = getElementTypeOrSelf(linear.getResult());
  if (failed(findWeight(linear.getWeight())) ||
      (linear.getBias() && failed(findWeight(linear.getBias()))))
    return false;
  // Sums of the carrier's kind; of f32 where f16 is made of them.
  return (sum == carrier || (carrier.isF16() && sum.isF32())) &&
         llvm::all_of(op.getStep().getOps<rnn::DotOp>(), [&](rnn::DotOp dot) {
           return getElementTypeOrSelf(dot.getWeight()) == operand;
         });
}

/// Adds what makes \p value to \p edge.
static bool addMakers(rnn::RecurrenceOp op, Value value, Type carrier,
                      InputEdge &edge) {
  Operation *maker = value.getDefiningOp();
  if (!maker)
    return false;
  if (edge.operations.contains(maker))
    return true;
  if (auto linear = dyn_cast<rnn::LinearOp>(maker)) {
    if (!canMove(linear, op, carrier))
      return false;
  } else if (auto map = dyn_cast<rnn::MapOp>(maker)) {
    if (!canMove(map, carrier) ||
        !llvm::all_of(map.getInputs(), [&](Value input) {
          return addMakers(op, input, carrier, edge);
        }))
      return false;
  } else if (auto cast = dyn_cast<rnn::CastOp>(maker)) {
    if (!suits(cast, carrier) || !addMakers(op, cast.getInput(), carrier, edge))
      return false;
  } else {
    return false;
  }
  edge.operations.insert(maker);
  return true;
}

/// Whether \p use is one within \p edge, or asks for no more than the number of
/// steps.
static bool isInside(OpOperand &use, rnn::RecurrenceOp op,
                     const InputEdge &edge) {
  if (use.getOwner() == op)
    return llvm::is_contained(edge.sequences, use.getOperandNumber());
  return edge.operations.contains(use.getOwner()) ||
         isa<rnn::AdvanceRandomOp>(use.getOwner());
}

std::optional<InputEdge> InputEdge::find(rnn::RecurrenceOp op,
                                         ArrayRef<unsigned> sequences) {
  InputEdge edge;
  edge.sequences.assign(sequences.begin(), sequences.end());
  Type carrier = carrierOf(op);
  if (op.getStep().getOps<rnn::DotOp>().empty())
    return std::nullopt;
  for (unsigned i : sequences) {
    Value row = op.getSequenceArguments()[i];
    if (getElementTypeOrSelf(row) != carrier ||
        !llvm::all_of(row.getUsers(),
                      [&](Operation *user) {
                        return takesBodyRow(user, row, op.getWidth());
                      }) ||
        !addMakers(op, op.getSequences()[i], carrier, edge))
      return std::nullopt;
  }
  for (Operation *maker : edge.operations)
    for (OpOperand &use : maker->getUses())
      if (!isInside(use, op, edge))
        return std::nullopt;
  return edge;
}

std::optional<OutputEdge> OutputEdge::find(rnn::RecurrenceOp op) {
  OutputEdge edge;
  if (op.getOutputs().empty() || !op.getOutputs()[0].hasOneUse() ||
      carrierOf(op).isF32())
    return std::nullopt;
  edge.reader = *op.getOutputs()[0].user_begin();
  if (auto map = dyn_cast<rnn::MapOp>(edge.reader)) {
    if (!map.getWeights().empty() || map.getNumResults() != 1)
      return std::nullopt;
  } else if (!isa<rnn::CastOp>(edge.reader)) {
    return std::nullopt;
  }
  if (!getElementTypeOrSelf(edge.reader->getResult(0)).isF32())
    return std::nullopt;
  for (auto [i, output] : llvm::enumerate(op.getOutputs()))
    if (output.hasOneUse() && *output.user_begin() == edge.reader)
      edge.outputs.push_back(i);
  bool reads = llvm::all_of(edge.reader->getOperands(), [&](Value operand) {
    return llvm::any_of(edge.outputs, [&](unsigned i) {
      return op.getOutputs()[i] == operand;
    });
  });
  return reads ? std::optional(edge) : std::nullopt;
}

} // namespace rung
