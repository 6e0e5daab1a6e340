//===- EmitTiles.h - short ways to emit tiles -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_EMITTILES_H
#define RUNG_PASSES_LOWERING_EMITTILES_H

#include "passes/lowering/KernelBuilder.h"

#include <functional>

namespace rung {

/// The global row of a tile's row; -1 where there is none.
using RowOf = llvm::function_ref<mlir::Value(mlir::Value row)>;
/// The global row, and whether the value there is kept or zero.
using RowAndKeepOf =
    llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::Value row)>;

/// The same for an operation's builder: what \p rowOf emits through the
/// kernel's builder goes where that builder stands. \p rowOf must outlive the
/// result.
std::function<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value)>
atBuilder(KernelBuilder &k, RowOf rowOf);

/// rows x columns elements from `memory[base + row * pitch + column]`. Threads
/// take as many neighbours at once as base, pitch, limit and columns are known
/// to be multiples of: 16 bytes of the memory's format, or of the narrower
/// format \p lands that the flight is converted to.
mlir::Value emitFetch(KernelBuilder &k, mlir::Value memory, mlir::Value base,
                      mlir::Value pitch, mlir::Value limit, int64_t rows,
                      int64_t columns, RowOf rowOf, mlir::Type lands = {});

/// A flight in another format, of the same kind - float or integer, which keeps
/// its low bits - but another size; itself if it has that format. Its groups of
/// neighbours must suit both.
mlir::Value emitConvertFlight(KernelBuilder &k, mlir::Value flight,
                              mlir::Type element);

/// A matrix of rows x columns elements of shared memory, from `[row, column]`.
mlir::Value emitLoad(KernelBuilder &k, mlir::Value shared, mlir::Value row,
                     mlir::Value column, int64_t rows, int64_t columns,
                     tile::MatrixUse use);

/// Packed weights [columns][depth], `pitch` apart, from `base`.
mlir::Value emitLoadPacked(KernelBuilder &k, mlir::Value memory,
                           mlir::Value base, int64_t pitch, int64_t depth,
                           int64_t columns);

/// Stores \p matrix from row \p at on, rounded to the memory's format.
void emitStoreAs(KernelBuilder &k, mlir::Value matrix, mlir::Value shared,
                 mlir::Value at);

/// A matrix of zeros.
mlir::Value emitZero(KernelBuilder &k, tile::MatrixType type);
/// The sum of two accumulators of floats.
mlir::Value emitAdd(KernelBuilder &k, mlir::Value a, mlir::Value b);

/// Copies rows x columns elements from `source[sourceRow, 0]` to
/// `target[targetRow, 0]`, in the target's format.
void emitConvertShared(KernelBuilder &k, mlir::Value source,
                       mlir::Value sourceRow, mlir::Value target,
                       mlir::Value targetRow, int64_t rows, int64_t columns);

/// Writes rows x columns elements of shared memory, from `row`, to
/// `memory[base + row * pitch + column]`, as many at once as in `emitFetch`.
void emitDrain(KernelBuilder &k, mlir::Value shared, mlir::Value row,
               mlir::Value memory, mlir::Value base, mlir::Value pitch,
               mlir::Value limit, int64_t rows, int64_t columns, RowOf rowOf);
/// The same, with zeros in the rows that `rowOf` does not keep.
void emitDrainOrZero(KernelBuilder &k, mlir::Value shared, mlir::Value row,
                     mlir::Value memory, mlir::Value base, mlir::Value pitch,
                     mlir::Value limit, int64_t rows, int64_t columns,
                     RowAndKeepOf rowOf);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_EMITTILES_H
