//===- TileOps.h - the ops of the tile dialect -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEOPS_H
#define RUNG_DIALECTS_TILE_TILEOPS_H

#include "dialects/tile/TileDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rung::tile {
/// Whether \p type is that of 16 bytes, as four words.
bool isUnit(mlir::Type type);
} // namespace rung::tile

#define GET_OP_CLASSES
#include "dialects/tile/TileOps.h.inc"

#endif // RUNG_DIALECTS_TILE_TILEOPS_H
