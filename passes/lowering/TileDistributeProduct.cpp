//===- TileDistributeProduct.cpp - the matrix product ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

LogicalResult TileDistributor::emitOp(MmaOp op) {
  if (cooperative())
    emitCooperativeMma(op);
  else
    emitPlainMma(op);
  return success();
}

void TileDistributor::emitCooperativeMma(MmaOp op) {
  ArrayRef<Value> a = expansions_[op.getA()], b = expansions_[op.getB()];
  Values acc = expansions_[op.getAccumulator()];
  Blocks outer = blocksOf(op.getAccumulator().getType());
  int64_t depth = blocksOf(op.getA().getType()).columnBlocks;
  spirv::CooperativeMatrixOperandsKHRAttr operands;
  using Operand = spirv::CooperativeMatrixOperandsKHR;
  if (op.getA().getType().getElementType().isInteger())
    operands = spirv::CooperativeMatrixOperandsKHRAttr::get(
        op.getContext(), Operand::ASigned | Operand::BSigned |
                             Operand::CSigned | Operand::ResultSigned);
  // Independent accumulators inside, so that instructions can overlap.
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t i = 0; i < outer.rowBlocks; ++i)
      for (int64_t j = 0; j < outer.columnBlocks; ++j) {
        Value &sum = acc[i * outer.columnBlocks + j];
        sum = b_.create<spirv::KHRCooperativeMatrixMulAddOp>(
            sum.getType(), a[i * depth + k], b[k * outer.columnBlocks + j], sum,
            operands);
      }
  expand(op.getResult(), acc);
}

/// A loop over k; every lane keeps its own elements' sums.
void TileDistributor::emitPlainMma(MmaOp op) {
  auto a = op.getA().getDefiningOp<LoadOp>();
  auto b = op.getB().getDefiningOp<LoadPackedOp>();
  MatrixType type = op.getAccumulator().getType();
  Type sumType = type.getElementType();
  Type operandType = op.getA().getType().getElementType();
  Values acc = expansions_[op.getAccumulator()];
  int64_t each = lanesElements(), count = blocksOf(type).count();

  auto loop = b_.create<scf::ForOp>(
      index(0), index(op.getA().getType().getColumns()), index(1), acc);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(loop.getBody());
  Value k = loop.getInductionVar();
  // Lanes' rows and columns recur, and equal loads are made once: CSE merges
  // what is written down several times here.
  Values sums;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < each; ++j) {
      Element element = elementOf(laneSpread(), lane_, j);
      Value row = add(add(mapped(a.getRow()), blockRow(type, i)), element.row);
      Value left = b_.create<memref::LoadOp>(
          mapped(a.getMemory()),
          ValueRange{row, add(mapped(a.getColumn()), k)});
      Value n = add(blockColumn(type, i), element.column);
      Value pitch = mapped(b.getPitch());
      Value slow = b.getTransposed() ? n : k, fast = b.getTransposed() ? k : n;
      Value address = add(add(mapped(b.getBase()), mul(slow, pitch)), fast);
      Value right = b_.create<memref::LoadOp>(mapped(b.getMemory()), address);
      left = convertFloat(left, operandType, sumType);
      right = convertFloat(right, operandType, sumType);
      Value sum = loop.getRegionIterArgs()[i * each + j];
      if (isa<FloatType>(sumType))
        sum = b_.create<arith::AddFOp>(sum,
                                       b_.create<arith::MulFOp>(left, right));
      else
        sum = b_.create<arith::AddIOp>(sum,
                                       b_.create<arith::MulIOp>(left, right));
      sums.push_back(sum);
    }
  b_.create<scf::YieldOp>(sums);
  expand(op.getResult(), loop.getResults());
}
