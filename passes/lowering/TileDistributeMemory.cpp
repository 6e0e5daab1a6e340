//===- TileDistributeMemory.cpp - flights and shared memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rung::tile;
using rung::tiling::LinearSpread;

LogicalResult TileDistributor::emitOp(FetchOp op) {
  FlightType type = op.getFlight().getType();
  LinearSpread spread(type.getRows(), type.getColumns(), layout_.getThreads());
  Value memory = mapped(op.getMemory()), base = mapped(op.getBase());
  Value pitch = mapped(op.getPitch()), columns = mapped(op.getColumns());
  Value first = index(0);
  Values elements;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    // The region is never asked for a row that the tile lacks.
    Value row = element.row;
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, first);
    FailureOr<Values> target = emitRegion(op.getRows(), row);
    if (failed(target))
      return failure();
    Value inRows = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                            target->front(), first);
    Value inColumns = b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                               element.column, columns);
    Value valid = both(both(inRows, inColumns), element.valid);
    Value address = add(add(base, mul(target->front(), pitch)), element.column);
    address = b_.create<arith::SelectOp>(valid, address, first);
    Value loaded = b_.create<memref::LoadOp>(memory, address);
    elements.push_back(
        b_.create<arith::SelectOp>(valid, loaded, zero(loaded.getType())));
  }
  expand(op.getFlight(), elements);
  return success();
}

LogicalResult TileDistributor::emitOp(LandOp op) {
  FlightType type = op.getFlight().getType();
  LinearSpread spread(type.getRows(), type.getColumns(), layout_.getThreads());
  for (auto [e, value] : llvm::enumerate(expansions_[op.getFlight()])) {
    Element element = elementOf(spread, thread_, e);
    Value row = add(mapped(op.getRow()), element.row);
    Value column = add(mapped(op.getColumn()), element.column);
    guarded(element.valid, [&, value = value] {
      b_.create<memref::StoreOp>(value, mapped(op.getMemory()),
                                 ValueRange{row, column});
    });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(DrainOp op) {
  LinearSpread spread(op.getSize()[0], op.getSize()[1], layout_.getThreads());
  Value base = mapped(op.getBase()), pitch = mapped(op.getPitch());
  Value columns = mapped(op.getColumns());
  Value first = index(0);
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value row = element.row;
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, first);
    FailureOr<Values> target = emitRegion(op.getRows(), row);
    if (failed(target))
      return failure();
    Value inRows = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                            target->front(), first);
    Value inColumns = b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                               element.column, columns);
    Value address = add(add(base, mul(target->front(), pitch)), element.column);
    Value sharedRow = add(mapped(op.getRow()), element.row);
    Value sharedColumn = add(mapped(op.getColumn()), element.column);
    guarded(both(both(inRows, inColumns), element.valid), [&] {
      Value value = b_.create<memref::LoadOp>(
          mapped(op.getShared()), ValueRange{sharedRow, sharedColumn});
      value = b_.create<arith::SelectOp>(target->back(), value,
                                         zero(value.getType()));
      b_.create<memref::StoreOp>(value, mapped(op.getMemory()), address);
    });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(ConvertSharedOp op) {
  LinearSpread spread(op.getSize()[0], op.getSize()[1], layout_.getThreads());
  Type from = op.getSource().getType().getElementType();
  Type to = op.getTarget().getType().getElementType();
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    guarded(element.valid, [&] {
      auto at = [&](Value row, Value column) {
        return Values{add(mapped(row), element.row),
                      add(mapped(column), element.column)};
      };
      Value value = b_.create<memref::LoadOp>(
          mapped(op.getSource()), at(op.getSourceRow(), op.getSourceColumn()));
      b_.create<memref::StoreOp>(convertFloat(value, from, to),
                                 mapped(op.getTarget()),
                                 at(op.getTargetRow(), op.getTargetColumn()));
    });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

static Value combine(ImplicitLocOpBuilder &b, Reduction kind, Value lhs,
                     Value rhs) {
  bool isFloat = isa<FloatType>(lhs.getType());
  switch (kind) {
  case Reduction::Add:
    return isFloat ? b.create<arith::AddFOp>(lhs, rhs).getResult()
                   : b.create<arith::AddIOp>(lhs, rhs).getResult();
  case Reduction::Max:
    return isFloat ? b.create<arith::MaximumFOp>(lhs, rhs).getResult()
                   : b.create<arith::MaxSIOp>(lhs, rhs).getResult();
  case Reduction::Min:
    return isFloat ? b.create<arith::MinimumFOp>(lhs, rhs).getResult()
                   : b.create<arith::MinSIOp>(lhs, rhs).getResult();
  }
  llvm_unreachable("unknown reduction");
}

LogicalResult TileDistributor::emitOp(ReduceOp op) {
  int64_t threads = layout_.getThreads();
  Value value = mapped(op.getValue()), first = index(0);
  Value &scratch = reduceScratch_[value.getType()];
  if (!scratch) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&kernel_.getBody());
    auto space = spirv::StorageClassAttr::get(op.getContext(),
                                              spirv::StorageClass::Workgroup);
    scratch = b_.create<SharedOp>(MemRefType::get(
        {1, threads}, value.getType(), MemRefLayoutAttrInterface(), space));
  }
  auto load = [&](Value i) -> Value {
    return b_.create<memref::LoadOp>(scratch, ValueRange{first, i});
  };
  b_.create<memref::StoreOp>(value, scratch, ValueRange{first, thread_});
  b_.create<BarrierOp>();
  for (int64_t half = llvm::PowerOf2Ceil(threads) / 2; half > 0; half /= 2) {
    // Of a number of threads that is no power of two, some have no partner.
    Value active =
        b_.create<arith::CmpIOp>(arith::CmpIPredicate::ult, thread_,
                                 index(std::min(half, threads - half)));
    guarded(active, [&] {
      Value sum =
          combine(b_, op.getKind(), load(thread_), load(add(thread_, half)));
      b_.create<memref::StoreOp>(sum, scratch, ValueRange{first, thread_});
    });
    b_.create<BarrierOp>();
  }
  mapping_.map(op.getResult(), load(first));
  // The next reduction may overwrite what some thread has yet to read.
  b_.create<BarrierOp>();
  return success();
}
