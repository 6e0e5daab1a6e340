//===- TileDialect.cpp - registration of the tile dialect ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileDialect.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace rung::tile;

#include "dialects/tile/TileDialect.cpp.inc"
#include "dialects/tile/TileEnums.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/tile/TileOps.cpp.inc"
      >();
}
