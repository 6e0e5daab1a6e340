//===- TileDistributeGrid.cpp - products split over subgroups --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/DealtRows.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;
using rung::tiling::LinearSpread;

//===----------------------------------------------------------------------===//
// Flights from shared and to global memory
//===----------------------------------------------------------------------===//

/// Visits the groups of a flight that have a place in memory: those below
/// \p columns in rows that \p rows gives one.
LogicalResult TileDistributor::forPlaced(
    FlightType type, Region &rows, Value columns,
    function_ref<void(int64_t group, Value row, Value column)> visit) {
  int64_t width = type.getWidth();
  LinearSpread spread(type.getRows(), type.getColumns() / width,
                      layout_.getThreads());
  Value first = index(0), groups = toGroups(mapped(columns), width);
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value row = dealtRow(b_, spread, width, element.row);
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, first);
    FailureOr<Values> target = emitRegion(rows, row);
    if (failed(target))
      return failure();
    Value inRows = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                            target->front(), first);
    Value placed =
        both(both(inRows, inColumns(element, groups, spread)), element.valid);
    guarded(placed,
            [&] { visit(e, target->front(), mul(element.column, width)); });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(DeliverOp op) {
  FlightType type = op.getFlight().getType();
  Values values = expansions_[op.getFlight()];
  int64_t width = type.getWidth();
  int64_t unit = unitOf(width, type.getElementType());
  int64_t per = unit == 0 ? 1 : unit / elementBytes(type.getElementType());
  Value memory = view(mapped(op.getMemory()), unit);
  Value base = toUnits(mapped(op.getBase()), per);
  Value pitch = toUnits(mapped(op.getPitch()), per);
  return forPlaced(
      type, op.getRows(), op.getColumns(),
      [&](int64_t group, Value row, Value column) {
        Value address = add(add(base, mul(row, pitch)), toUnits(column, per));
        for (int64_t i = 0; i < width / per; ++i)
          b_.create<memref::StoreOp>(values[group * (width / per) + i], memory,
                                     add(address, i));
      });
}

LogicalResult TileDistributor::emitOp(LiftOp op) {
  FlightType type = op.getFlight().getType();
  int64_t width = type.getWidth();
  int64_t unit = unitOf(width, type.getElementType());
  LinearSpread spread(type.getRows(), type.getColumns() / width,
                      layout_.getThreads());
  Values flight;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value row = dealtRow(b_, spread, width, element.row);
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, index(0));
    Value first = add(mapped(op.getColumn()), mul(element.column, width));
    Values elements;
    for (int64_t i = 0; i < width; ++i)
      elements.push_back(b_.create<memref::LoadOp>(
          mapped(op.getMemory()),
          ValueRange{add(mapped(op.getRow()), row), add(first, i)}));
    llvm::append_range(flight,
                       unit == 0 ? elements
                                 : pack(elements, type.getElementType(), unit));
  }
  expand(op.getFlight(), flight);
  return success();
}

//===----------------------------------------------------------------------===//
// Products split over the subgroups
//===----------------------------------------------------------------------===//

LogicalResult TileDistributor::emitOp(LoadSplitOp op) {
  MatrixType type = op.getMatrix().getType();
  int64_t m = layout_.getM(), k = layout_.getK();
  int64_t part = type.getColumns() / layout_.getSubgroups();
  auto block = spirv::CooperativeMatrixType::get(
      type.getElementType(), m, k, spirv::Scope::Subgroup,
      spirv::CooperativeMatrixUseKHR::MatrixA);
  Value pitch = mapped(op.getPitch());
  Value first = add(mapped(op.getBase()), mul(subgroup_, part));
  Values values;
  for (int64_t row = 0; row < type.getRows(); row += m)
    for (int64_t at = 0; at < part; at += k) {
      Value address = add(add(first, mul(pitch, row)), at);
      values.push_back(b_.create<BlockLoadOp>(block, mapped(op.getMemory()),
                                              ValueRange{address}, pitch,
                                              /*columnMajor=*/false));
    }
  expand(op.getMatrix(), values);
  return success();
}

LogicalResult TileDistributor::emitOp(SplitMmaOp op) {
  auto type = cast<MatrixType>(op.getWeights().front().getType());
  MemRefType operand = op.getOperand().getType(), sums = op.getSums().getType();
  int64_t m = layout_.getM(), n = layout_.getN(), k = layout_.getK();
  int64_t part = type.getColumns() / layout_.getSubgroups();
  int64_t depth = part / k, rowBlocks = type.getRows() / m;
  using Use = spirv::CooperativeMatrixUseKHR;
  auto blockOf = [&](Type element, int64_t rows, int64_t columns, Use use) {
    return spirv::CooperativeMatrixType::get(element, rows, columns,
                                             spirv::Scope::Subgroup, use);
  };
  auto right = blockOf(type.getElementType(), k, n, Use::MatrixB);
  auto sum = blockOf(sums.getElementType(), m, n, Use::MatrixAcc);
  Value first = index(0);
  int64_t unit = sharedUnits_.lookup(op.getOperand());
  int64_t per = unit == 0 ? 1 : unit / elementBytes(operand.getElementType());
  Value stride = index(op.getBroadcast() ? 0 : operand.getDimSize(1) / per);
  Value start = mul(subgroup_, part / per);
  Values zeros(op.getWeights().size() * rowBlocks,
               b_.create<BlockFillOp>(sum, zero(sums.getElementType())));
  Values results = zeros;
  auto operands = productOperands(type.getElementType());
  for (int64_t q = 0; q < depth; ++q) {
    Value b =
        b_.create<BlockLoadOp>(right, mapped(op.getOperand()),
                               ValueRange{first, add(start, q * (k / per))},
                               stride, /*columnMajor=*/true);
    for (auto [i, weight] : llvm::enumerate(op.getWeights()))
      for (int64_t r = 0; r < rowBlocks; ++r) {
        Value &result = results[i * rowBlocks + r];
        result = b_.create<spirv::KHRCooperativeMatrixMulAddOp>(
            sum, expansions_[weight][r * depth + q], b, result, operands);
      }
  }
  if (op.getBarrier())
    b_.create<BarrierOp>();
  Value own = mul(subgroup_, n), pitch = index(sums.getDimSize(1));
  for (auto [i, result] : llvm::enumerate(results)) {
    int64_t weight = op.getFirst() + i / rowBlocks, r = i % rowBlocks;
    Value row = add(own, weight * layout_.getSubgroups() * n);
    b_.create<BlockStoreOp>(result, mapped(op.getSums()),
                            ValueRange{row, index(r * m)}, pitch,
                            /*columnMajor=*/true);
  }
  return success();
}
