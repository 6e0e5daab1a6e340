//===- TileDistributeMatrix.cpp - matrices from and to memory --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

static int64_t pitchOf(Value shared) {
  return cast<MemRefType>(shared.getType()).getDimSize(1);
}

/// Elements of \p memory in a unit of \p bytes; 1 where that is 0.
static int64_t perUnit(Value memory, int64_t bytes) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return bytes == 0 ? 1 : bytes / elementBytes(element);
}

/// A block whose rows (`columnMajor`: columns) lie \p pitch apart.
Value TileDistributor::loadBlock(MatrixType type, Value memory, ValueRange at,
                                 Value pitch, bool columnMajor) {
  return b_.create<BlockLoadOp>(blockType(type), memory, at, pitch,
                                columnMajor != layout_.getTransposed());
}

void TileDistributor::storeBlock(Value block, Value memory, ValueRange at,
                                 Value pitch) {
  b_.create<BlockStoreOp>(block, memory, at, pitch,
                          /*columnMajor=*/layout_.getTransposed());
}

LogicalResult TileDistributor::emitOp(LoadOp op) {
  MatrixType type = op.getMatrix().getType();
  Value memory = mapped(op.getMemory());
  Values values;
  if (cooperative()) {
    Value pitch = index(pitchOf(memory));
    int64_t per = perUnit(op.getMemory(), sharedUnits_.lookup(op.getMemory()));
    for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
      Value r = blockRow(type, i);
      Value c =
          op.getTransposed() ? blockColumn(type, i) : blockColumn(type, i, per);
      if (op.getTransposed())
        std::tie(r, c) = std::pair(c, toUnits(r, per));
      Value row = add(mapped(op.getRow()), r);
      Value column = add(toUnits(mapped(op.getColumn()), per), c);
      values.push_back(loadBlock(type, memory, ValueRange{row, column}, pitch,
                                 op.getTransposed()));
    }
  } else if (type.getUse() == MatrixUse::Acc) {
    for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i)
      for (int64_t j = 0; j < lanesElements(); ++j) {
        Element element = elementOf(laneSpread(), lane_, j);
        Value row =
            add(add(mapped(op.getRow()), blockRow(type, i)), element.row);
        Value column = add(add(mapped(op.getColumn()), blockColumn(type, i)),
                           element.column);
        values.push_back(
            b_.create<memref::LoadOp>(memory, ValueRange{row, column}));
      }
  }
  expand(op.getMatrix(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(StoreOp op) {
  MatrixType type = op.getMatrix().getType();
  Value memory = mapped(op.getMemory());
  ArrayRef<Value> values = expansions_[op.getMatrix()];
  int64_t per = perUnit(op.getMemory(), sharedUnits_.lookup(op.getMemory()));
  for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
    Value row = add(mapped(op.getRow()), blockRow(type, i));
    Value column =
        add(toUnits(mapped(op.getColumn()), per), blockColumn(type, i, per));
    if (cooperative()) {
      storeBlock(values[i], memory, ValueRange{row, column},
                 index(pitchOf(memory)));
      continue;
    }
    for (int64_t j = 0; j < lanesElements(); ++j) {
      Element element = elementOf(laneSpread(), lane_, j);
      b_.create<memref::StoreOp>(
          values[i * lanesElements() + j], memory,
          ValueRange{add(row, element.row), add(column, element.column)});
    }
  }
  return success();
}

LogicalResult TileDistributor::emitOp(StoreGlobalOp op) {
  MatrixType type = op.getMatrix().getType();
  Value memory = mapped(op.getMemory()), pitch = mapped(op.getPitch());
  ArrayRef<Value> values = expansions_[op.getMatrix()];
  for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
    Value start = add(add(mapped(op.getBase()), mul(blockRow(type, i), pitch)),
                      blockColumn(type, i));
    if (cooperative()) {
      storeBlock(values[i], memory, start, pitch);
      continue;
    }
    for (int64_t j = 0; j < lanesElements(); ++j) {
      Element element = elementOf(laneSpread(), lane_, j);
      Value address = add(add(start, mul(element.row, pitch)), element.column);
      b_.create<memref::StoreOp>(values[i * lanesElements() + j], memory,
                                 address);
    }
  }
  return success();
}

LogicalResult TileDistributor::emitOp(SliceOp op) {
  Blocks from = blocksOf(op.getSource().getType());
  Blocks part = blocksOf(op.getResult().getType());
  int64_t row = op.getRow() / (from.rows * layout_.getSubgroupRows());
  int64_t column =
      op.getColumn() / (from.columns * layout_.getSubgroupColumns());
  int64_t each = cooperative() ? 1 : lanesElements();
  ArrayRef<Value> source = expansions_[op.getSource()];
  Values values;
  for (int64_t i = 0; i < part.rowBlocks; ++i) {
    int64_t first = (row + i) * from.columnBlocks + column;
    llvm::append_range(values,
                       source.slice(first * each, part.columnBlocks * each));
  }
  expand(op.getResult(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(LoadPackedOp op) {
  MatrixType type = op.getMatrix().getType();
  Values values;
  if (cooperative()) {
    int64_t unit = packedUnit(op), per = perUnit(op.getMemory(), unit);
    Value memory = view(mapped(op.getMemory()), unit);
    Value base = toUnits(mapped(op.getBase()), per);
    Value pitch = toUnits(mapped(op.getPitch()), per);
    for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
      Value k = blockRow(type, i), n = blockColumn(type, i);
      Value slow = op.getTransposed() ? n : k;
      Value fast =
          op.getTransposed() ? toUnits(k, per) : blockColumn(type, i, per);
      Value address = add(add(base, mul(slow, pitch)), fast);
      values.push_back(
          loadBlock(type, memory, address, pitch, op.getTransposed()));
    }
  }
  expand(op.getMatrix(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(BroadcastRowOp op) {
  MatrixType type = op.getMatrix().getType();
  int64_t unit = packedUnit(op), per = perUnit(op.getMemory(), unit);
  Value memory = view(mapped(op.getMemory()), unit);
  Value base = toUnits(mapped(op.getBase()), per);
  Values values;
  for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
    Value address = add(base, blockColumn(type, i, per));
    if (cooperative()) {
      // Rows zero elements apart are all the same row.
      values.push_back(loadBlock(type, memory, address, index(0),
                                 /*columnMajor=*/false));
      continue;
    }
    for (int64_t j = 0; j < lanesElements(); ++j) {
      Value column = elementOf(laneSpread(), lane_, j).column;
      values.push_back(b_.create<memref::LoadOp>(memory, add(address, column)));
    }
  }
  expand(op.getMatrix(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(BroadcastColumnOp op) {
  MatrixType type = op.getMatrix().getType();
  Value memory = mapped(op.getMemory()), fixed = mapped(op.getRow());
  Values values;
  for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
    Value start = add(mapped(op.getColumn()), blockRow(type, i));
    if (cooperative()) {
      values.push_back(loadBlock(type, memory, ValueRange{fixed, start},
                                 index(0), /*columnMajor=*/true));
      continue;
    }
    for (int64_t j = 0; j < lanesElements(); ++j) {
      Value row = elementOf(laneSpread(), lane_, j).row;
      values.push_back(b_.create<memref::LoadOp>(
          memory, ValueRange{fixed, add(start, row)}));
    }
  }
  expand(op.getMatrix(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(FillOp op) {
  MatrixType type = op.getMatrix().getType();
  Value value = mapped(op.getScalar());
  if (cooperative())
    value = b_.create<BlockFillOp>(blockType(type), value);
  expand(op.getMatrix(), Values(expandType(type).size(), value));
  return success();
}
