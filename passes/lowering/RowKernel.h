//===- RowKernel.h - a kernel that treats each row by itself ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_ROWKERNEL_H
#define RUNG_PASSES_LOWERING_ROWKERNEL_H

#include "passes/lowering/KernelBuilder.h"

#include <numeric>

namespace rung {

/// Builds a kernel whose threads share the columns of a few rows, as many
/// neighbours a thread at once as make 16 bytes of the widest format, where the
/// rows are multiples of that. Buffers are declared first, then `emit` or
/// `emitPointwise` makes the kernel.
class RowKernel {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// For the rows of \p rowsOf, of \p columns elements each.
  RowKernel(ProgramBuilder &program, mlir::Location loc, llvm::StringRef stem,
            mlir::Value rowsOf, int64_t columns);

  unsigned read(mlir::Value buffer) { return bind(buffer, tile::Access::Read); }
  unsigned write(mlir::Value buffer) {
    return bind(buffer, tile::Access::Write);
  }

  /// Emits \p body once, for the row it is given, all threads at a time, and
  /// the dispatch.
  void emit(llvm::function_ref<void(mlir::Value row)> body);
  /// Emits \p body once, for a group of neighbours from \p column on, and the
  /// dispatch; what a thread does to one group no other needs to know.
  void emitPointwise(
      llvm::function_ref<void(mlir::Value row, mlir::Value column)> body);

  /// Emits \p body for each group of neighbours of a row of \p columns columns.
  void forColumns(int64_t columns,
                  llvm::function_ref<void(mlir::Value column)> body);

  /// The reduction of \p next over the groups of a row, on all threads.
  mlir::Value
  reduce(tile::Reduction kind, mlir::Value initial,
         llvm::function_ref<mlir::Value(mlir::Value column, mlir::Value sum)>
             next);

  /// A group of neighbours, `width` of them.
  Values load(unsigned buffer, mlir::Value index);
  void store(mlir::ValueRange values, unsigned buffer, mlir::Value index);
  mlir::Value loadOne(unsigned buffer, mlir::Value index);
  /// For the thread that speaks for the workgroup.
  void once(llvm::function_ref<void()> body);

  /// Neighbours that a thread takes at once; known when all buffers are.
  int64_t width();
  /// Makes the groups' starts multiples of what divides \p columns, too.
  void align(int64_t columns) { divisor_ = std::gcd(divisor_, columns); }

  KernelBuilder k;

private:
  unsigned bind(mlir::Value buffer, tile::Access access);
  int64_t rowsPerGroup() const;
  void begin(mlir::Value &first, mlir::Value &end);
  void finish();

  tile::Symbol symbol_;
  unsigned rows_;
  int64_t columns_, divisor_;
  llvm::SmallVector<mlir::Type> elements_;
  mlir::Value thread_;
};

/// A weight as it is, in element type \p element; fails, with an error on
/// \p op, on a value that is none.
mlir::FailureOr<mlir::Value> packWhole(ProgramBuilder &p, mlir::Operation *op,
                                       mlir::Value weight, mlir::Type element);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_ROWKERNEL_H
