//===- TileWidths.h - how much a thread moves at once ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEWIDTHS_H
#define RUNG_DIALECTS_TILE_TILEWIDTHS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace rung::tile {

/// The most bytes that one access moves.
constexpr int64_t kAccessBytes = 16;

/// A number that divides \p index for certain, as far as the arithmetic tells
/// that it comes from; 0 for an index that is 0. Nothing is known of push
/// constants, ids and what is read from memory: they give 1.
int64_t knownDivisor(mlir::Value index);

/// Whether a thread can move \p width neighbours of \p element at once: one
/// element, or a power of two that makes 4 or 8 bytes, or accesses of 16.
bool isWidth(int64_t width, mlir::Type element);

/// The width that makes one access of the narrower of two formats, or the next
/// smaller one that suits both and divides \p divisor (0: any will do).
int64_t widestWidth(mlir::Type from, mlir::Type to, int64_t divisor);

/// Bytes of the units, at most one access each, that a transfer of \p width
/// neighbours is made of; 0 where that is one element.
int64_t unitOf(int64_t width, mlir::Type element);

/// The type of a unit of 4, 8 or 16 bytes: one, two or four i32.
mlir::Type unitType(mlir::MLIRContext *context, int64_t bytes);

/// Bytes of one element.
int64_t elementBytes(mlir::Type element);

} // namespace rung::tile

#endif // RUNG_DIALECTS_TILE_TILEWIDTHS_H
