//===- CellKernelFlights.cpp - a recurrence's kernel on flights -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellKernel.h"

using namespace mlir;

namespace rung {

void CellKernel::dispatchOnce() {
  MLIRContext *context = k.b().getContext();
  k.dispatch({tile::ExtentAttr::get(context, plan.heads),
              tile::ExtentAttr::get(context, 1),
              tile::ExtentAttr::get(context, weights.columns / tiles.columns)});
}

void CellKernel::fetchRows(CellValues &values) {
  for (auto [i, row] : llvm::enumerate(plan.rows)) {
    Value base =
        k.add(k.mul(k.add(head, int64_t(i) * plan.heads), weights.columns),
              firstColumn);
    values[row.value] =
        emitFetch(k, k.buffer(*rows_), base, k.index(0), k.index(tiles.columns),
                  tiles.rows, tiles.columns, [&](Value) { return k.index(0); });
  }
}

Value CellKernel::loadSplit(unsigned index) {
  Value column =
      k.add(k.mul(k.add(head, int64_t(index) * plan.heads), weights.columns),
            firstColumn);
  auto type =
      tile::MatrixType::get(tiles.columns, tiles.depth,
                            plan.matrices[index].element, tile::MatrixUse::A);
  return tile::LoadSplitOp::create(k.b(), type, k.buffer(*matrices_),
                                   k.mul(column, weights.depth),
                                   k.index(weights.depth));
}

Value CellKernel::loadInputSplit(unsigned index) {
  Value column =
      k.add(k.mul(k.add(head, int64_t(index) * plan.heads), weights.columns),
            firstColumn);
  auto type = tile::MatrixType::get(tiles.columns, weights.inputDepth,
                                    plan.operandType, tile::MatrixUse::A);
  return tile::LoadSplitOp::create(k.b(), type, k.buffer(*inputMatrices_),
                                   k.mul(column, weights.inputDepth),
                                   k.index(weights.inputDepth));
}

void CellKernel::writeFlight(Value flight, unsigned buffer, RowOf rowOf) {
  OpBuilder::InsertionGuard guard(k.b());
  tile::DeliverOp::create(
      k.b(), flight, k.buffer(buffer), tileOffset(), k.index(op().getWidth()),
      k.sub(k.index(plan.headWidth), firstColumn), atBuilder(k, rowOf));
}

void CellKernel::writeState(Value flight, unsigned buffer) {
  writeFlight(flight, buffer, [&](Value r) { return batchRow(r); });
}

void CellKernel::writeOutput(unsigned output, Value flight, Value step) {
  Type element = getElementTypeOrSelf(op().getOutputs()[output]);
  writeFlight(emitConvertFlight(k, flight, element), outputs[output],
              [&](Value r) { return sequenceRow(step, r); });
}

} // namespace rung
