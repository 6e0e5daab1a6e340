//===- TileRowOps.cpp - products of single rows ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "dialects/tile/TileWidths.h"

using namespace mlir;
using namespace rung::tile;

bool rung::tile::isUnit(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && vector.getNumElements() == 4 &&
         vector.getElementType().isInteger(32);
}

/// The layout of the kernel around an op; null where there is none.
static LayoutAttr layoutAround(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? kernel.getLayout() : LayoutAttr();
}

LogicalResult PutOp::verify() {
  Type element = getMemory().getType().getElementType();
  int64_t width = getValues().size();
  if (!isWidth(width, element)) // C1
    return emitOpError("puts ")
           << width << " values of " << element << ", which is no width of it";
  for (Type type : getValues().getTypes())
    if (type != element) // C1
      return emitOpError("puts ") << type << " into memory of " << element;
  if (knownDivisor(getColumn()) % width != 0) // C2
    return emitOpError("has a column that is not known to be a multiple of ")
           << width;
  return success();
}

LogicalResult LaneRowOp::verify() {
  auto memory = cast<MemRefType>(getMemory().getType());
  int64_t depth = getDepth();
  if (!memory.getElementType().isInteger(8)) // C1
    return emitOpError("takes rows of ")
           << memory.getElementType() << ", not i8";
  bool shared = memory.getRank() == 2;
  if (depth <= 0 || depth % 16 != 0 ||
      (!shared && knownDivisor(getIndex()) % 16 != 0)) // C2
    return emitOpError("takes a row of ")
           << depth << " elements that is not known to be whole units of 16";
  LayoutAttr layout = layoutAround(*this);
  if (!layout)
    return success();
  int64_t units = unitsOf(depth, layout.getSubgroupSize());
  if (!layout.getCooperative() || getNumResults() != units) // C3
    return emitOpError("gives ")
           << getNumResults() << " units; a lane of a cooperative layout has "
           << units;
  return success();
}

LogicalResult SubgroupSumOp::verify() {
  LayoutAttr layout = layoutAround(*this);
  if (layout && !layout.getCooperative()) // C1
    return emitOpError("sums over a subgroup in a layout that is not "
                       "cooperative");
  return success();
}
