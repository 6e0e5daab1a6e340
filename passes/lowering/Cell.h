//===- Cell.h - a recurrence's body on the tiles of a kernel ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Maps the body of any rnn.recurrence to matrices: products become tile.mma,
// everything else one tile.map a stage. Knows nothing of the loop around it,
// nor of any cell by name.

#ifndef RUNG_PASSES_LOWERING_CELL_H
#define RUNG_PASSES_LOWERING_CELL_H

#include "passes/lowering/CellPlan.h"
#include "passes/lowering/KernelBuilder.h"

namespace rung {

/// Body value -> accumulator matrix that holds it, in the plan's carrier. An
/// f32 carrier holds narrower floats exactly.
using CellValues = llvm::DenseMap<mlir::Value, mlir::Value>;

/// What an element may ask for besides the cell's values. A member is null
/// where the body has no use for it.
struct CellContext {
  /// Of `rnn.random`: matrices of the carrier with each element's row and
  /// column in the tile, where the tile begins in the batch and in the row,
  /// [tile row][3] of the recurrence's random states in shared memory, and the
  /// iteration that is computed.
  mlir::Value rows, columns;
  mlir::Value firstRow, firstColumn;
  mlir::Value states;
  mlir::Value iteration;
  /// Of `rnn.lookup`: all tables, one behind the other.
  mlir::Value tables;
};

/// Emits one tile.map for \p targets from the leaves in \p values; returns
/// their matrices, of the carrier, before any final rounding to a narrower
/// format that is a target's own last operation.
llvm::SmallVector<mlir::Value>
emitPointwise(KernelBuilder &k, const CellPlan &plan, const CellValues &values,
              llvm::ArrayRef<mlir::Value> targets, const CellContext &context);

/// `condition is 1 ? yes : no`, element by element; conditions are 0 or 1.
mlir::Value emitSelect(KernelBuilder &k, mlir::Value condition, mlir::Value yes,
                       mlir::Value no);

/// \p rows of weights as one array [row][head][columns], of \p element.
mlir::FailureOr<mlir::Value> packRows(ProgramBuilder &p, const CellPlan &plan,
                                      llvm::ArrayRef<WeightRow> rows,
                                      int64_t columns, mlir::Type element);
/// All matrices as one array [matrix][head][columns][depth].
mlir::FailureOr<mlir::Value> packMatrices(ProgramBuilder &p,
                                          const CellPlan &plan, int64_t columns,
                                          int64_t depth);
/// All weights of sequences' rows as one array [matrix][head][columns][depth],
/// of \p element.
mlir::FailureOr<mlir::Value> packInputMatrices(ProgramBuilder &p,
                                               const CellPlan &plan,
                                               int64_t columns, int64_t depth,
                                               mlir::Type element);
/// All tables as one array, i32.
mlir::FailureOr<mlir::Value> packTables(ProgramBuilder &p,
                                        const CellPlan &plan);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_CELL_H
