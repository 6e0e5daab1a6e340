//===- SingleRow.h - a second program for runs of one row -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A run with T and B 1 needs few operations and all weights. Its program is
// made of what a function computes, not of its operations: each kernel
// computes some rows of one width, element by element, from what it can reach
// without waiting for other workgroups, and all products of one depth of the
// graph are done together:
//
//   rung.single_row = {lanes = 32, units = 132, shared_bytes = 49152}

#ifndef RUNG_PASSES_LOWERING_SINGLEROW_H
#define RUNG_PASSES_LOWERING_SINGLEROW_H

#include "passes/lowering/ProgramBuilder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace rung {

/// On a function, what its kernels for a single row may use; on a program, the
/// name of the program for a single row.
inline constexpr llvm::StringLiteral kSingleRowAttr = "rung.single_row";

/// What the attribute on a function says.
struct SingleRowTarget {
  int64_t lanes = 0;       ///< Of a subgroup.
  int64_t units = 0;       ///< Workgroups that run at once.
  int64_t sharedBytes = 0; ///< Of a workgroup.
};
std::optional<SingleRowTarget> getSingleRow(mlir::func::FuncOp function);

/// Whether the kernels of such a program can compute \p function.
bool hasSingleRow(mlir::func::FuncOp function, const SingleRowTarget &target);

/// Makes the program for a single row of \p function, and names it in
/// \p program, the one for all runs.
mlir::LogicalResult lowerSingleRow(mlir::func::FuncOp function,
                                   tile::ProgramOp program,
                                   const SingleRowTarget &target);

#define GEN_PASS_DECL
#include "passes/lowering/SingleRow.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/lowering/SingleRow.h.inc"

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SINGLEROW_H
