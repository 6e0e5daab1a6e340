//===- TileOps.td - every op of the tile dialect -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEOPS_TD
#define RUNG_DIALECTS_TILE_TILEOPS_TD

include "dialects/tile/TileKernelOps.td"
include "dialects/tile/TileMemoryOps.td"
include "dialects/tile/TileMatrixOps.td"
include "dialects/tile/TileBlockOps.td"
include "dialects/tile/TileGridOps.td"
include "dialects/tile/TileProgramOps.td"
include "dialects/tile/TileRowOps.td"

#endif // RUNG_DIALECTS_TILE_TILEOPS_TD
