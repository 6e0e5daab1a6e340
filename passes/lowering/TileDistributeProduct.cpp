//===- TileDistributeProduct.cpp - the matrix product ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"

#include <numeric>

using namespace mlir;
using namespace rung::tile;

LogicalResult TileDistributor::emitOp(MmaOp op) {
  if (cooperative())
    emitCooperativeMma(op);
  else
    emitPlainMma(op);
  return success();
}

spirv::CooperativeMatrixOperandsKHRAttr
TileDistributor::productOperands(Type element) {
  using Operand = spirv::CooperativeMatrixOperandsKHR;
  if (!element.isInteger())
    return {};
  return spirv::CooperativeMatrixOperandsKHRAttr::get(
      element.getContext(), Operand::ASigned | Operand::BSigned |
                                Operand::CSigned | Operand::ResultSigned);
}

void TileDistributor::emitCooperativeMma(MmaOp op) {
  ArrayRef<Value> a = expansions_[op.getA()], b = expansions_[op.getB()];
  Values acc = expansions_[op.getAccumulator()];
  Blocks outer = blocksOf(op.getAccumulator().getType());
  int64_t depth = blocksOf(op.getA().getType()).columnBlocks;
  auto operands = productOperands(op.getA().getType().getElementType());
  // Independent accumulators inside, so that instructions can overlap.
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t i = 0; i < outer.rowBlocks; ++i)
      for (int64_t j = 0; j < outer.columnBlocks; ++j) {
        Value &sum = acc[i * outer.columnBlocks + j];
        Value left = a[i * depth + k], right = b[k * outer.columnBlocks + j];
        if (layout_.getTransposed())
          std::swap(left, right);
        sum = b_.create<spirv::KHRCooperativeMatrixMulAddOp>(
            sum.getType(), left, right, sum, operands);
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

/// Products of one sum that are written out beside each other, times the sums
/// of a lane, are no more than this.
static constexpr int64_t kProductsTogether = 64;

/// How many neighbours in k a plain product takes at once: what one access of
/// the weights moves, where their rows are known to be multiples of that.
int64_t TileDistributor::plainWidth(MmaOp op) const {
  auto b = op.getB().getDefiningOp<LoadPackedOp>();
  if (!b.getTransposed())
    return 1;
  int64_t divisor = op.getA().getType().getColumns();
  for (Value value : {b.getBase(), b.getPitch()})
    divisor = std::gcd(divisor, knownDivisor(value));
  MatrixType sums = op.getAccumulator().getType();
  if (sums.getElementType().isF16())
    divisor = std::gcd(divisor, kHalfBlock);
  Type element = b.getMatrix().getType().getElementType();
  int64_t width = widestWidth(element, element, divisor);
  int64_t count = blocksOf(sums).count() * lanesElements();
  while (width > 1 &&
         (width * count > kProductsTogether || !isWidth(width, element)))
    width /= 2;
  return width;
}

/// \p sums and the products of a and b for k from \p first to \p last, added in
/// the order of k.
SmallVector<Value> TileDistributor::emitPlainSums(MmaOp op, Value first,
                                                  Value last, ValueRange sums) {
  Type sumType = op.getAccumulator().getType().getElementType();
  int64_t width = plainWidth(op);
  auto loop = b_.create<scf::ForOp>(first, last, index(width), sums);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(loop.getBody());
  Values next;
  for (auto [i, sum] : llvm::enumerate(loop.getRegionIterArgs())) {
    auto [left, right] =
        loadPlainOperands(op, i, loop.getInductionVar(), width);
    Value value = sum;
    for (auto [l, r] : llvm::zip_equal(left, right))
      value =
          isa<FloatType>(sumType)
              ? b_.create<arith::AddFOp>(value, b_.create<arith::MulFOp>(l, r))
                    .getResult()
              : b_.create<arith::AddIOp>(value, b_.create<arith::MulIOp>(l, r));
    next.push_back(value);
  }
  b_.create<scf::YieldOp>(next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// What this lane's sum number \p sum takes from \p k on. Lanes' rows and
/// columns recur, and equal loads are made once: CSE merges what is written
/// down several times here.
std::pair<SmallVector<Value>, SmallVector<Value>>
TileDistributor::loadPlainOperands(MmaOp op, int64_t sum, Value k,
                                   int64_t width) {
  auto a = op.getA().getDefiningOp<LoadOp>();
  auto b = op.getB().getDefiningOp<LoadPackedOp>();
  MatrixType type = op.getAccumulator().getType();
  int64_t block = sum / lanesElements();
  Element element = elementOf(laneSpread(), lane_, sum % lanesElements());
  Value row = add(add(mapped(a.getRow()), blockRow(type, block)), element.row);
  Values left = loadShared(a.getMemory(), row, add(mapped(a.getColumn()), k),
                           /*group=*/index(0), width, /*bytes=*/0);
  Type from = op.getA().getType().getElementType(), to = type.getElementType();
  int64_t unit = unitOf(width, from);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(from);
  Value memory = view(mapped(b.getMemory()), unit);
  Value n = add(blockColumn(type, block), element.column);
  Value base = toUnits(mapped(b.getBase()), per);
  Value pitch = toUnits(mapped(b.getPitch()), per), at = toUnits(k, per);
  Value slow = b.getTransposed() ? n : at, fast = b.getTransposed() ? at : n;
  Value address = add(add(base, mul(slow, pitch)), fast);
  Values right;
  for (int64_t i = 0; i < width / per; ++i)
    right.push_back(b_.create<memref::LoadOp>(memory, add(address, i)));
  if (unit != 0)
    right = unpack(right, from);
  for (Value &value : left)
    value = convertFloat(value, from, to);
  for (Value &value : right)
    value = convertFloat(value, from, to);
  return {left, right};
}
