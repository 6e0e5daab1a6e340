//===- RowKernel.h - a kernel that treats each row by itself ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_ROWKERNEL_H
#define RUNG_PASSES_LOWERING_ROWKERNEL_H

#include "passes/lowering/KernelBuilder.h"

namespace rung {

/// Builds a kernel whose workgroups of 64 threads take 16 rows, one after the
/// other; threads share a row's columns. Buffers are declared first, then
/// `emit` makes the kernel.
class RowKernel {
public:
  /// For the rows of \p rowsOf.
  RowKernel(ProgramBuilder &program, mlir::Location loc, llvm::StringRef stem,
            mlir::Value rowsOf);

  unsigned read(mlir::Value buffer) {
    return k.bind(buffer, tile::Access::Read);
  }
  unsigned write(mlir::Value buffer) {
    return k.bind(buffer, tile::Access::Write);
  }

  /// Emits \p body once, for the row it is given, and the dispatch.
  void emit(llvm::function_ref<void(mlir::Value row)> body);

  /// Emits \p body for each of \p columns columns.
  void forColumns(int64_t columns,
                  llvm::function_ref<void(mlir::Value column)> body);

  /// The reduction of \p next over a row's columns, on all threads.
  mlir::Value
  reduce(int64_t columns, tile::Reduction kind, mlir::Value initial,
         llvm::function_ref<mlir::Value(mlir::Value column, mlir::Value sum)>
             next);

  mlir::Value load(unsigned buffer, mlir::Value index);
  void store(mlir::Value value, unsigned buffer, mlir::Value index);
  /// For the thread that speaks for the workgroup.
  void once(llvm::function_ref<void()> body);

  KernelBuilder k;

private:
  tile::Symbol symbol_;
  unsigned rows_;
  mlir::Value thread_;
};

/// A weight as it is, in element type \p element; fails, with an error on
/// \p op, on a value that is none.
mlir::FailureOr<mlir::Value> packWhole(ProgramBuilder &p, mlir::Operation *op,
                                       mlir::Value weight, mlir::Type element);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_ROWKERNEL_H
