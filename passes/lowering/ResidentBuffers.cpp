//===- ResidentBuffers.cpp - shared memory of a resident head -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ResidentBuffers.h"

using namespace mlir;

namespace rung {

bool roundsAsMatrix(const CellPlan &plan, Value operand) {
  return tiling::roundsAsMatrix(*toScalarType(getElementTypeOrSelf(operand)),
                                *toScalarType(plan.carrier));
}

/// A buffer for states on their way: that of an output, where all accesses of
/// it are of whole rows, or one of its own.
static Value borrowStage(CellKernel &cell, const CellPlan &plan,
                         const TileSizes &tiles, ArrayRef<Value> outputs) {
  bool whole = !cell.isPadded() && !cell.op().getRandom();
  for (auto [output, shared] : llvm::zip(cell.op().getOutputs(), outputs))
    if (whole && getElementTypeOrSelf(output) == plan.carrier)
      return shared;
  return cell.k.shared(tiles.rows, tiles.columns, plan.carrier);
}

/// The most operands that one phase narrows in shared memory.
static size_t mostNarrowed(const CellPlan &plan) {
  size_t narrowed = 0;
  for (unsigned phase = 1; phase <= plan.phases; ++phase)
    narrowed = std::max<size_t>(
        narrowed, llvm::count_if(plan.operandsOf(phase), [&](Value operand) {
          return !roundsAsMatrix(plan, operand);
        }));
  return narrowed;
}

ResidentBuffers ResidentBuffers::allocate(CellKernel &cell,
                                          const CellPlan &plan,
                                          const TileSizes &tiles) {
  ResidentBuffers buffers;
  KernelBuilder &k = cell.k;
  int64_t rows = tiles.stages * tiles.rows, group = tiles.group * tiles.rows;
  for (size_t i = 0; i < plan.slices.size(); ++i)
    buffers.slices.push_back(k.shared(group, tiles.columns, plan.carrier));
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    buffers.inputs.push_back(
        k.shared(group, cell.weights.inputDepth, plan.operandType));
  for (Value operand : plan.operands)
    buffers.operands[operand] =
        k.shared(rows, tiles.columns, getElementTypeOrSelf(operand));
  for (Value output : cell.op().getOutputs())
    buffers.outputs.push_back(
        k.shared(rows, tiles.columns, getElementTypeOrSelf(output)));
  for (size_t i = 0, count = mostNarrowed(plan); i < count; ++i)
    buffers.stages.push_back(k.shared(tiles.rows, tiles.columns, plan.carrier));
  if (buffers.stages.empty())
    buffers.stages.push_back(borrowStage(cell, plan, tiles, buffers.outputs));
  return buffers;
}

} // namespace rung
