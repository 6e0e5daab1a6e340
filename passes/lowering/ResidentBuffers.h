//===- ResidentBuffers.h - shared memory of a resident head -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_RESIDENTBUFFERS_H
#define RUNG_PASSES_LOWERING_RESIDENTBUFFERS_H

#include "passes/lowering/CellKernel.h"

namespace rung {

/// Whether a whole matrix of sums can be rounded to \p operand's format.
bool roundsAsMatrix(const CellPlan &plan, mlir::Value operand);

/// What the subgroups of a workgroup that runs a whole recurrence hand to each
/// other. Memory is counted by `tiling::sharedBytes`.
struct ResidentBuffers {
  /// Rows of sequences, of a group of steps: slices, in the carrier, and whole
  /// rows, as operands.
  llvm::SmallVector<mlir::Value> slices, inputs;
  /// Of even and odd steps, if there are two stages.
  llvm::DenseMap<mlir::Value, mlir::Value> operands; ///< By the body's value.
  llvm::SmallVector<mlir::Value> outputs;
  /// One tile in the carrier each, for what is on its way; at least one.
  llvm::SmallVector<mlir::Value> stages;

  /// In the kernel that \p cell builds, at its insertion point.
  static ResidentBuffers allocate(CellKernel &cell, const CellPlan &plan,
                                  const TileSizes &tiles);
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_RESIDENTBUFFERS_H
