//===- TileDistributeLayout.cpp - positions as values ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;
using rung::tiling::LinearSpread;
using rung::tiling::Position;

TileDistributor::Element TileDistributor::elementOf(const LinearSpread &spread,
                                                    Value owner, int64_t e) {
  Element element;
  Value columns = index(spread.columns());
  Value flat = add(owner, e * spread.owners());
  if (!spread.isFull(e))
    element.valid = b_.create<arith::CmpIOp>(arith::CmpIPredicate::ult, flat,
                                             index(spread.size()));
  if (!spread.isSeparable()) {
    element.row = b_.create<arith::DivUIOp>(flat, columns);
    element.column = b_.create<arith::RemUIOp>(flat, columns);
    return element;
  }
  // The owner's part is the same for all elements and is computed once.
  Position part = spread.elementPart(e);
  if (spread.owners() <= spread.columns()) {
    element.row = index(part.row);
    element.column = add(owner, part.column);
    return element;
  }
  element.row = add(b_.create<arith::DivUIOp>(owner, columns), part.row);
  element.column = b_.create<arith::RemUIOp>(owner, columns);
  return element;
}

TileDistributor::Blocks TileDistributor::blocksOf(MatrixType type) const {
  int64_t m = layout_.getM(), n = layout_.getN(), k = layout_.getK();
  Blocks blocks;
  blocks.rows = type.getUse() == MatrixUse::B ? k : m;
  blocks.columns = type.getUse() == MatrixUse::A ? k : n;
  blocks.rowBlocks = type.getRows() / blocks.rows;
  blocks.columnBlocks = type.getColumns() / blocks.columns;
  if (type.getUse() != MatrixUse::A)
    blocks.columnBlocks =
        tiling::BlockSpread(blocks.columnBlocks, layout_.getSubgroupColumns())
            .perSubgroup();
  if (type.getUse() != MatrixUse::B)
    blocks.rowBlocks =
        tiling::BlockSpread(blocks.rowBlocks, layout_.getSubgroupRows())
            .perSubgroup();
  return blocks;
}

LinearSpread TileDistributor::laneSpread() const {
  return LinearSpread(layout_.getM(), layout_.getN(),
                      layout_.getSubgroupSize());
}

int64_t TileDistributor::lanesElements() const {
  return laneSpread().perOwner();
}

// Blocks are numbered row after row; a row's blocks are the subgroup's own.

Value TileDistributor::blockRow(MatrixType type, int64_t block) {
  Blocks blocks = blocksOf(type);
  int64_t local = block / blocks.columnBlocks;
  if (type.getUse() == MatrixUse::B || layout_.getSubgroupRows() == 1)
    return index(local * blocks.rows);
  return add(mul(subgroupRow_, blocks.rows),
             local * layout_.getSubgroupRows() * blocks.rows);
}

Value TileDistributor::blockColumn(MatrixType type, int64_t block,
                                   int64_t per) {
  Blocks blocks = blocksOf(type);
  int64_t local = block % blocks.columnBlocks;
  if (type.getUse() == MatrixUse::A)
    return index(local * blocks.columns / per);
  return add(mul(subgroupColumn_, blocks.columns / per),
             local * layout_.getSubgroupColumns() * blocks.columns / per);
}
