//===- IntegerScalar.h - integer functions of one element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_INTEGERSCALAR_H
#define RUNG_PASSES_LOWERING_INTEGERSCALAR_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rung {

/// The low 32 bits of floor((value * factor + 2^(shift-1)) / 2^shift), the
/// product exact in 64 bits; 1 <= shift <= 62. From 33 on the product's low
/// word has no part in it.
mlir::Value emitRequantize(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                           mlir::Value factor, int64_t shift);

/// offsets[i] + requantize(x, slopes[i], shift), i being the number of
/// ascending \p knots that are <= x. Found by bisection on constants, so a
/// value waits for log2 of the number of pieces.
mlir::Value emitPiecewise(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                          llvm::ArrayRef<int32_t> knots,
                          llvm::ArrayRef<int32_t> slopes,
                          llvm::ArrayRef<int32_t> offsets, int64_t shift);

/// A table of `intervals << shift` places from `low`.
struct TablePlace {
  int64_t intervals;
  int64_t low;
  int64_t shift;
};

/// u = min(max(x - low, 0), (intervals << shift) - 1), the difference exact;
/// gives table[u >> shift], or with \p interpolate the point between it and the
/// next entry at the rest of u, rounded as emitRequantize does. \p load is
/// given indices of index type.
mlir::Value emitLookup(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                       const TablePlace &place, bool interpolate,
                       llvm::function_ref<mlir::Value(mlir::Value)> load);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_INTEGERSCALAR_H
