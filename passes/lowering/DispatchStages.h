//===- DispatchStages.h - what of a program can run together ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_DISPATCHSTAGES_H
#define RUNG_PASSES_LOWERING_DISPATCHSTAGES_H

#include "dialects/tile/TileOps.h"

#include "mlir/IR/SymbolTable.h"

namespace rung::tile {

/// A dispatch and the kernel that it runs.
struct Part {
  DispatchOp dispatch;
  KernelOp kernel;
};

/// Parts that need nothing of each other.
using Level = llvm::SmallVector<Part>;

/// Dispatches and whole repeats that need nothing of each other. What a stage
/// needs is in the stages before it.
struct Stage {
  Level parts;
  /// Each repeat's body, level by level.
  llvm::SmallVector<llvm::SmallVector<Level>> repeats;
};

/// The commands of \p program in as few stages as their buffers allow: each
/// stands in the first one behind all commands that it has to wait for. Fails,
/// with an error, where a dispatch's kernel is none of the module's, or a
/// repeat does not count time steps.
mlir::FailureOr<llvm::SmallVector<Stage>>
scheduleStages(ProgramOp program, const mlir::SymbolTable &kernels);

} // namespace rung::tile

#endif // RUNG_PASSES_LOWERING_DISPATCHSTAGES_H
