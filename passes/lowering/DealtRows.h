//===- DealtRows.h - which rows threads take --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_DEALTROWS_H
#define RUNG_PASSES_LOWERING_DEALTROWS_H

#include "compiler/tiling/Layout.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung::tile {

/// The row of a group of `width` neighbours, dealt out anew within its eight
/// rows, so that accesses to shared memory fall on different banks. It depends
/// on the spread alone: flights of one shape and width agree.
mlir::Value dealtRow(mlir::ImplicitLocOpBuilder &b,
                     const tiling::LinearSpread &spread, int64_t width,
                     mlir::Value row);

} // namespace rung::tile

#endif // RUNG_PASSES_LOWERING_DEALTROWS_H
