//===- Cell.h - a recurrence's body on the tiles of a kernel ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Maps the body of any rnn.recurrence to matrices: products become tile.mma,
// everything else one tile.map a stage. Knows nothing of the loop around it,
// nor of any cell by name.

#ifndef RUNG_PASSES_LOWERING_CELL_H
#define RUNG_PASSES_LOWERING_CELL_H

#include "passes/lowering/KernelBuilder.h"
#include "passes/lowering/LoweringConfig.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace rung {

/// A row of a sequence that a step reads: `width` elements from `offset`.
struct SequenceSlice {
  unsigned sequence = 0;
  int64_t offset = 0;
  mlir::Value value; ///< In the body.
};

/// A row vector of a weight, of the body's width.
struct WeightRow {
  unsigned weight = 0;
  int64_t offset = 0;
  mlir::Value value;
};

/// The matrices of a product: `rows` per head from `offset` of each head.
struct WeightMatrix {
  unsigned weight = 0;
  int64_t firstRow = 0;
};

/// What a body consists of, in terms that kernels need.
class CellPlan {
public:
  /// Fails, with an error on the operation, on a body that kernels can't run.
  static mlir::FailureOr<CellPlan> create(rnn::RecurrenceOp op);

  rnn::RecurrenceOp op;
  int64_t heads = 1, headWidth = 0;
  unsigned phases = 0;
  llvm::SmallVector<SequenceSlice> slices;
  llvm::SmallVector<WeightRow> rows;
  llvm::MapVector<rnn::DotOp, WeightMatrix> dots;
  /// Distinct operands of products, in the order of the phase that needs them.
  llvm::SetVector<mlir::Value> operands;

  /// 1 for a product whose operand needs no product, and so on; 0 for what
  /// needs none.
  unsigned phase(mlir::Value value) const { return phase_.lookup(value); }
  llvm::SmallVector<mlir::Value> operandsOf(unsigned phase) const;
  llvm::SmallVector<rnn::DotOp> dotsOf(mlir::Value operand) const;
  llvm::SmallVector<rnn::DotOp> dotsOf(unsigned phase) const;
  /// The leaves - slices, rows, states, products - that \p targets come from.
  llvm::SetVector<mlir::Value>
  leavesOf(llvm::ArrayRef<mlir::Value> targets) const;
  bool isSlice(mlir::Value value) const;
  bool isState(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, unsigned> phase_;
};

/// Body value -> f32 accumulator matrix that holds it. Narrower formats are
/// held exactly.
using CellValues = llvm::DenseMap<mlir::Value, mlir::Value>;

/// Emits one tile.map for \p targets from the leaves in \p values; returns
/// their matrices, f32, before any final rounding to a narrower format that is
/// a target's own last operation (see roundsLast).
llvm::SmallVector<mlir::Value>
emitPointwise(KernelBuilder &k, const CellPlan &plan, const CellValues &values,
              llvm::ArrayRef<mlir::Value> targets);

/// `condition > 1/2 ? yes : no`, element by element.
mlir::Value emitSelect(KernelBuilder &k, mlir::Value condition, mlir::Value yes,
                       mlir::Value no);

/// All weight rows as one array [row][head][columns], f32.
mlir::FailureOr<mlir::Value> packRows(ProgramBuilder &p, const CellPlan &plan,
                                      int64_t columns);
/// All matrices as one array [dot][head][columns][depth].
mlir::FailureOr<mlir::Value> packMatrices(ProgramBuilder &p,
                                          const CellPlan &plan, int64_t columns,
                                          int64_t depth);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_CELL_H
