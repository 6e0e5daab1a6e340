//===- ResidentSums.h - products of a resident head -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_RESIDENTSUMS_H
#define RUNG_PASSES_LOWERING_RESIDENTSUMS_H

#include "passes/lowering/CellKernel.h"
#include "passes/lowering/ResidentBuffers.h"

namespace rung {

/// The plan's sums in a kernel that keeps its weights in registers: first the
/// rows in them, once; then products with sequences' rows, a step ahead; then
/// products with states.
class ResidentSums {
public:
  ResidentSums(CellKernel &cell, const CellPlan &plan, const TileSizes &tiles)
      : cell(cell), plan(plan), tiles(tiles) {}

  void loadWeights();
  /// Adds up the rows of sums, which are in \p values, those of wide sums in
  /// \p edge.
  void start(const CellValues &values, const CellValues &edge);
  /// Sums with products of rows of sequences, as far as those go: of the rows
  /// that lie from \p row on. Wide ones are narrowed, with what is in \p edge.
  llvm::SmallVector<mlir::Value> multiplyInputs(const ResidentBuffers &buffers,
                                                mlir::Value row,
                                                const CellValues &edge);
  /// Puts what multiplyInputs gave, and what other sums start from, into
  /// \p values.
  void bind(mlir::ValueRange parts, CellValues &values);
  /// Adds the products of \p phase to sums in \p values, with the operands that
  /// lie from \p row on.
  void multiply(unsigned phase, const ResidentBuffers &buffers, mlir::Value row,
                CellValues &values);

private:
  CellKernel &cell;
  const CellPlan &plan;
  const TileSizes &tiles;
  llvm::SmallVector<mlir::Value> matrices, inputMatrices;
  llvm::SmallVector<mlir::Value> starts; ///< Of the plan's sums.
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_RESIDENTSUMS_H
