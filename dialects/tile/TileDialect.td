//===- TileDialect.td - the tile dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_TILE_TILEDIALECT_TD
#define RUNG_DIALECTS_TILE_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::rung::tile";
  let summary = "one workgroup's work, and the schedule that runs it";
  let description = [{
    A `tile.kernel` is what one workgroup does, written on values that are
    spread over the workgroup: matrices in the registers of its subgroups,
    flights of elements on their way from global memory, shared memory, and
    scalars of upstream's dialects. How a value is spread is a matter of the
    kernel's `#tile.layout` alone; `tile-distribute` carries it out.

    A `tile.program` is the schedule of one model function: buffers, packed
    weights, dispatches of kernels, and loops over time. It maps to a bundle's
    schedule one to one.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // RUNG_DIALECTS_TILE_TILEDIALECT_TD
