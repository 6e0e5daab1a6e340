//===- TileDistributeMap.cpp - functions of each element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

LogicalResult TileDistributor::emitOp(MapOp op) {
  bool blocks = cooperative() && isa<MatrixType>(op.getOperand(0).getType());
  return blocks ? mapBlocks(op) : mapScalars(op);
}

LogicalResult TileDistributor::mapScalars(MapOp op) {
  size_t count = expansions_[op.getOperand(0)].size();
  SmallVector<Values> results(op.getNumResults());
  for (size_t i = 0; i < count; ++i) {
    Values arguments;
    for (Value operand : op.getOperands())
      arguments.push_back(expansions_[operand][i]);
    FailureOr<Values> yielded = emitRegion(op.getBody(), arguments);
    if (failed(yielded))
      return failure();
    for (auto [list, value] : llvm::zip_equal(results, *yielded))
      list.push_back(value);
  }
  for (auto [result, list] : llvm::zip_equal(op.getResults(), results))
    expand(result, list);
  return success();
}

/// Element \p index of an invocation's part of \p block; without taking it out
/// where a fill or an earlier map has put it in.
Value TileDistributor::extract(Value block, int32_t index) {
  if (auto filled = block.getDefiningOp<BlockFillOp>())
    return filled.getScalar();
  if (auto built = builtBlocks_.find(block); built != builtBlocks_.end())
    return built->second[index];
  return b_.create<spirv::CompositeExtractOp>(block, ArrayRef<int32_t>(index));
}

/// Takes an invocation's elements out of each block of the operands by constant
/// indices and puts the results into new blocks. Which rows and columns they
/// are does not matter, as long as they are the same in all blocks of a type.
LogicalResult TileDistributor::mapBlocks(MapOp op) {
  auto type = cast<MatrixType>(op.getOperand(0).getType());
  spirv::CooperativeMatrixType block = blockType(type);
  SmallVector<Values> results(op.getNumResults());
  for (int64_t i = 0, e = blocksOf(type).count(); i < e; ++i) {
    SmallVector<Values> operands;
    for (Value operand : op.getOperands()) {
      Values &elements = operands.emplace_back();
      for (int32_t j = 0; j < lanesElements(); ++j)
        elements.push_back(extract(expansions_[operand][i], j));
    }
    FailureOr<SmallVector<Values>> yielded = emitTogether(op, operands);
    if (failed(yielded))
      return failure();
    b_.setLoc(op.getLoc());
    for (auto [list, elements] : llvm::zip_equal(results, *yielded)) {
      Value built = b_.create<spirv::UndefOp>(block);
      for (auto [j, element] : llvm::enumerate(elements))
        built = b_.create<spirv::CompositeInsertOp>(element, built,
                                                    ArrayRef<int32_t>(j));
      list.push_back(built);
      builtBlocks_[built] = elements;
    }
  }
  for (auto [result, list] : llvm::zip_equal(op.getResults(), results))
    expand(result, list);
  return success();
}

LogicalResult TileDistributor::emitOp(ConvertOp op) {
  MatrixType to = op.getResult().getType();
  Type from = op.getSource().getType().getElementType();
  Values values;
  for (Value value : expansions_[op.getSource()])
    if (cooperative())
      values.push_back(b_.create<spirv::FConvertOp>(blockType(to), value));
    else
      values.push_back(convertFloat(value, from, to.getElementType()));
  expand(op.getResult(), values);
  return success();
}
