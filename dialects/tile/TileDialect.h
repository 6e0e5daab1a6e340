//===- TileDialect.h - the tile dialect, its attributes and types -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEDIALECT_H
#define RUNG_DIALECTS_TILE_TILEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tile/TileDialect.h.inc"
#include "dialects/tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.h.inc"

namespace rung::tile {

/// A push constant without its brackets: T, B, TB, step, or a number.
PushAttr parsePush(mlir::AsmParser &parser);
void printPush(mlir::AsmPrinter &printer, PushAttr push);

} // namespace rung::tile

#endif // RUNG_DIALECTS_TILE_TILEDIALECT_H
