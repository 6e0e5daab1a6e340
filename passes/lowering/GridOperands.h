//===- GridOperands.h - operands that workgroups exchange -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_GRIDOPERANDS_H
#define RUNG_PASSES_LOWERING_GRIDOPERANDS_H

#include "passes/lowering/CellPlan.h"
#include "passes/lowering/KernelBuilder.h"

namespace rung {

/// Operands of one phase that share words: side by side in their low 16 bits,
/// the first one lowest.
struct OperandWords {
  unsigned phase = 0;
  llvm::SmallVector<mlir::Value> operands;
  mlir::Value buffer; ///< [halves][batch][width], of the program.
};

/// How the operands of a recurrence's products are exchanged.
struct GridOperands {
  /// Makes the buffers. Fails, with an error on the recurrence, on operands of
  /// more than 16 bits.
  static mlir::FailureOr<GridOperands> create(ProgramBuilder &p,
                                              const CellPlan &plan);

  llvm::SmallVector<OperandWords> groups;
  mlir::Value progress; ///< One word.
};

/// Operands, computed as \p values, as the words of \p group: a flight of i32.
mlir::Value emitPack(KernelBuilder &k, const OperandWords &group,
                     mlir::ValueRange values);
/// The operands of \p group from a flight of words.
llvm::SmallVector<mlir::Value>
emitUnpack(KernelBuilder &k, const OperandWords &group, mlir::Value words);

/// The sum of flights, as a tree.
mlir::Value emitSum(KernelBuilder &k, llvm::ArrayRef<mlir::Value> flights);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_GRIDOPERANDS_H
