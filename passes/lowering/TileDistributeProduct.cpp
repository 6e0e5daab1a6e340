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

/// Products that are summed from zero before they are added to an f16 sum, so
/// that its rounding errors don't grow with the depth.
static constexpr int64_t kHalfBlock = 8;

/// A loop over k; every lane keeps its own elements' sums.
void TileDistributor::emitPlainMma(MmaOp op) {
  Values sums = expansions_[op.getAccumulator()];
  Value end = index(op.getA().getType().getColumns());
  if (!op.getAccumulator().getType().getElementType().isF16()) {
    expand(op.getResult(), emitPlainSums(op, index(0), end, sums));
    return;
  }
  auto loop = b_.create<scf::ForOp>(index(0), end, index(kHalfBlock), sums);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(loop.getBody());
  Value first = loop.getInductionVar();
  Value last = b_.create<arith::MinSIOp>(add(first, kHalfBlock), end);
  Values zeros(sums.size(), zero(sums.front().getType()));
  Values parts = emitPlainSums(op, first, last, zeros);
  for (auto [part, sum] : llvm::zip(parts, loop.getRegionIterArgs()))
    part = b_.create<arith::AddFOp>(sum, part);
  b_.create<scf::YieldOp>(parts);
  expand(op.getResult(), loop.getResults());
}

/// \p sums and the products of a and b for k from \p first to \p last.
SmallVector<Value> TileDistributor::emitPlainSums(MmaOp op, Value first,
                                                  Value last, ValueRange sums) {
  Type sumType = op.getAccumulator().getType().getElementType();
  auto loop = b_.create<scf::ForOp>(first, last, index(1), sums);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(loop.getBody());
  Values next;
  for (auto [i, sum] : llvm::enumerate(loop.getRegionIterArgs())) {
    auto [left, right] = loadPlainOperands(op, i, loop.getInductionVar());
    if (isa<FloatType>(sumType))
      next.push_back(
          b_.create<arith::AddFOp>(sum, b_.create<arith::MulFOp>(left, right)));
    else
      next.push_back(
          b_.create<arith::AddIOp>(sum, b_.create<arith::MulIOp>(left, right)));
  }
  b_.create<scf::YieldOp>(next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// What this lane's sum number \p sum takes at \p k. Lanes' rows and columns
/// recur, and equal loads are made once: CSE merges what is written down
/// several times here.
std::pair<Value, Value>
TileDistributor::loadPlainOperands(MmaOp op, int64_t sum, Value k) {
  auto a = op.getA().getDefiningOp<LoadOp>();
  auto b = op.getB().getDefiningOp<LoadPackedOp>();
  MatrixType type = op.getAccumulator().getType();
  int64_t block = sum / lanesElements();
  Element element = elementOf(laneSpread(), lane_, sum % lanesElements());
  Value row = add(add(mapped(a.getRow()), blockRow(type, block)), element.row);
  Value left = b_.create<memref::LoadOp>(
      mapped(a.getMemory()), ValueRange{row, add(mapped(a.getColumn()), k)});
  Value n = add(blockColumn(type, block), element.column);
  Value pitch = mapped(b.getPitch());
  Value slow = b.getTransposed() ? n : k, fast = b.getTransposed() ? k : n;
  Value address = add(add(mapped(b.getBase()), mul(slow, pitch)), fast);
  Value right = b_.create<memref::LoadOp>(mapped(b.getMemory()), address);
  Type from = op.getA().getType().getElementType(), to = type.getElementType();
  return {convertFloat(left, from, to), convertFloat(right, from, to)};
}
