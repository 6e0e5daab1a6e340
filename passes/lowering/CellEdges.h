//===- CellEdges.h - what lies at the edge of a body ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Wide values of a body (see CellPlan) on whole matrices: which element an
// invocation holds differs between formats, so that an operation that changes
// the format is done on a matrix, and others are maps of matrices of f32.

#ifndef RUNG_PASSES_LOWERING_CELLEDGES_H
#define RUNG_PASSES_LOWERING_CELLEDGES_H

#include "passes/lowering/Cell.h"

namespace rung {

/// The matrix of \p value, from those in \p values, which gets all that is made
/// on the way.
mlir::Value emitEdge(KernelBuilder &k, const CellPlan &plan, mlir::Value value,
                     CellValues &values);

/// emitPointwise for \p targets that may be wide, from \p values and, of the
/// body's edge, \p edge.
llvm::SmallVector<mlir::Value>
emitWithEdges(KernelBuilder &k, const CellPlan &plan, const CellValues &values,
              const CellValues &edge, llvm::ArrayRef<mlir::Value> targets,
              const CellContext &context);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_CELLEDGES_H
