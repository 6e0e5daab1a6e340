//===- TileBase.td - what all tile ops share ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEBASE_TD
#define RUNG_DIALECTS_TILE_TILEBASE_TD

include "dialects/tile/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // RUNG_DIALECTS_TILE_TILEBASE_TD
