//===- TileDistributeMap.cpp - functions of each element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

LogicalResult TileDistributor::emitOp(MapOp op) {
  bool blocks = cooperative() && isa<MatrixType>(op.getOperand(0).getType());
  auto flight = dyn_cast<FlightType>(op.getOperand(0).getType());
  if (flight && flight.getWidth() > 1)
    return mapGroups(op);
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

/// The same of flights that are held in units: those of a group are taken
/// apart, and the results put together again.
LogicalResult TileDistributor::mapGroups(MapOp op) {
  auto first = cast<FlightType>(op.getOperand(0).getType());
  tiling::LinearSpread spread(first.getRows(),
                              first.getColumns() / first.getWidth(),
                              layout_.getThreads());
  SmallVector<Values> results(op.getNumResults());
  for (int64_t group = 0; group < spread.perOwner(); ++group) {
    SmallVector<Values> operands, elements(op.getNumResults());
    for (Value operand : op.getOperands()) {
      ArrayRef<Value> units = expansions_[operand];
      size_t each = units.size() / spread.perOwner();
      operands.push_back(
          unpack(units.slice(group * each, each),
                 cast<FlightType>(operand.getType()).getElementType()));
    }
    for (int64_t i = 0; i < first.getWidth(); ++i) {
      Values arguments;
      for (Values &operand : operands)
        arguments.push_back(operand[i]);
      FailureOr<Values> yielded = emitRegion(op.getBody(), arguments);
      if (failed(yielded))
        return failure();
      for (auto [list, value] : llvm::zip_equal(elements, *yielded))
        list.push_back(value);
    }
    for (auto [list, values, result] :
         llvm::zip_equal(results, elements, op.getResults())) {
      Type type = cast<FlightType>(result.getType()).getElementType();
      llvm::append_range(list,
                         pack(values, type, unitOf(first.getWidth(), type)));
    }
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
  bool integers = isa<IntegerType>(from);
  for (Value value : expansions_[op.getSource()])
    if (cooperative() && integers)
      values.push_back(b_.create<spirv::ConvertSToFOp>(blockType(to), value));
    else if (cooperative())
      values.push_back(b_.create<spirv::FConvertOp>(blockType(to), value));
    else if (integers)
      values.push_back(b_.create<arith::SIToFPOp>(to.getElementType(), value));
    else
      values.push_back(convertFloat(value, from, to.getElementType()));
  expand(op.getResult(), values);
  return success();
}
