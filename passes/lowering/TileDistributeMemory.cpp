//===- TileDistributeMemory.cpp - flights and shared memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "passes/lowering/DealtRows.h"
#include "passes/lowering/TakenOnce.h"
#include "passes/lowering/TileDistributor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rung::tile;
using rung::tiling::LinearSpread;

/// Shared memory takes 128 bytes at a time, from as many threads as those come
/// from. With rows of two or four groups of 16 bytes, and 16 bytes of padding,
/// neighbouring rows overlap in some banks, but these do not:
///
///     4 groups a row   0 4 1 5 2 6 3 7     2 groups a row   0 2 4 6 1 3 5 7
///
/// A row's groups stay with neighbouring threads, so global memory sees the
/// same accesses.
Value rung::tile::dealtRow(ImplicitLocOpBuilder &b, const LinearSpread &spread,
                           int64_t width, Value row) {
  int64_t groups = spread.columns();
  if (width == 1 || (groups != 2 && groups != 4) || spread.rows() % 8 != 0 ||
      spread.owners() % (8 * groups) != 0)
    return row;
  auto constant = [&](int64_t value) -> Value {
    return b.create<arith::ConstantIndexOp>(value);
  };
  // Of eight, the number's three bits turn by one place.
  Value within = b.create<arith::RemUIOp>(row, constant(8));
  Value first = b.create<arith::SubIOp>(row, within);
  Value low = constant(groups == 4 ? 2 : 4);
  Value high = constant(groups == 4 ? 4 : 2);
  Value above = b.create<arith::DivUIOp>(within, low);
  Value below = b.create<arith::RemUIOp>(within, low);
  Value raised = b.create<arith::MulIOp>(below, high);
  Value turned = b.create<arith::AddIOp>(above, raised);
  return b.create<arith::AddIOp>(first, turned);
}

/// Whether \p row is the larger of a constant that is not negative and
/// something.
static bool isNeverNegative(Value row) {
  APInt least;
  auto larger = row.getDefiningOp<arith::MaxSIOp>();
  return larger && matchPattern(larger.getRhs(), m_ConstantInt(&least)) &&
         !least.isNegative();
}

FailureOr<SmallVector<Value>>
TileDistributor::emitRow(Region &rows, const LinearSpread &spread, int64_t e,
                         const Element &element, RowResults &known) {
  // A row that all threads share is computed once, for all of its elements.
  int64_t number = spread.isSeparable() && spread.isFull(e)
                       ? spread.elementPart(e).row
                       : -1 - e;
  Values &results = known[number];
  if (!results.empty())
    return results;
  // The region is never asked for a row that the tile lacks.
  Value row = element.row;
  if (element.valid)
    row = b_.create<arith::SelectOp>(element.valid, row, index(0));
  FailureOr<Values> emitted = emitRegion(rows, row);
  if (failed(emitted))
    return failure();
  results = *emitted;
  // The tile's own row, as packed weights have it, is always there.
  Value there;
  if (results.front() != row && !isNeverNegative(results.front()))
    there = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sge, results.front(),
                                     index(0));
  results.push_back(there);
  return results;
}

/// Whether an element, or a group, lies before the limit \p groups; null where
/// all of the spread's do.
Value TileDistributor::inColumns(const Element &element, Value groups,
                                 const LinearSpread &spread) {
  APInt limit;
  if (matchPattern(groups, m_ConstantInt(&limit)) &&
      limit.getSExtValue() >= spread.columns())
    return {};
  return b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt, element.column,
                                  groups);
}

LogicalResult TileDistributor::emitOp(FetchOp op) {
  FlightType type = op.getFlight().getType();
  int64_t width = type.getWidth();
  int64_t unit = unitOf(width, type.getElementType());
  int64_t per = unit == 0 ? 1 : unit / elementBytes(type.getElementType());
  LinearSpread spread(type.getRows(), type.getColumns() / width,
                      layout_.getThreads());
  Value memory = view(mapped(op.getMemory()), unit), first = index(0);
  Value base = toUnits(mapped(op.getBase()), per);
  Value pitch = toUnits(mapped(op.getPitch()), per);
  Value groups = toGroups(mapped(op.getColumns()), width);
  bool stream = op->hasAttr(rung::kTakenOnceAttr);
  RowResults rows;
  Values flight;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    element.row = dealtRow(b_, spread, width, element.row);
    FailureOr<Values> row = emitRow(op.getRows(), spread, e, element, rows);
    if (failed(row))
      return failure();
    Value valid = both(both(row->back(), inColumns(element, groups, spread)),
                       element.valid);
    // The base alone changes in a loop over columns.
    Value address = add(
        base, add(mul(row->front(), pitch), mul(element.column, width / per)));
    if (valid)
      address = b_.create<arith::SelectOp>(valid, address, first);
    for (int64_t i = 0; i < width / per; ++i) {
      Value loaded = b_.create<memref::LoadOp>(memory, add(address, i),
                                               /*nontemporal=*/stream);
      if (valid)
        loaded =
            b_.create<arith::SelectOp>(valid, loaded, zero(loaded.getType()));
      flight.push_back(loaded);
    }
  }
  expand(op.getFlight(), flight);
  return success();
}

LogicalResult TileDistributor::emitOp(LandOp op) {
  FlightType type = op.getFlight().getType();
  int64_t width = type.getWidth();
  int64_t unit = unitOf(width, type.getElementType());
  LinearSpread spread(type.getRows(), type.getColumns() / width,
                      layout_.getThreads());
  Values values = expansions_[op.getFlight()];
  size_t each = values.size() / spread.perOwner();
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    element.row = dealtRow(b_, spread, width, element.row);
    guarded(element.valid, [&] {
      storeShared(ValueRange(values).slice(e * each, each), unit,
                  op.getMemory(), add(mapped(op.getRow()), element.row),
                  mapped(op.getColumn()), element.column, width);
    });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(DrainOp op) {
  int64_t width = op.getWidth();
  Type type = op.getMemory().getType().getElementType();
  int64_t unit = unitOf(width, type);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(type);
  LinearSpread spread(op.getSize()[0], op.getSize()[1] / width,
                      layout_.getThreads());
  Value memory = view(mapped(op.getMemory()), unit);
  Value base = toUnits(mapped(op.getBase()), per);
  Value pitch = toUnits(mapped(op.getPitch()), per);
  Value groups = toGroups(mapped(op.getColumns()), width);
  RowResults rows;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    element.row = dealtRow(b_, spread, width, element.row);
    FailureOr<Values> row = emitRow(op.getRows(), spread, e, element, rows);
    if (failed(row))
      return failure();
    Value valid = both(both(row->back(), inColumns(element, groups, spread)),
                       element.valid);
    Value address = add(add(base, mul(row->front(), pitch)),
                        mul(element.column, width / per));
    guarded(valid, [&] {
      Values values =
          loadShared(op.getShared(), add(mapped(op.getRow()), element.row),
                     mapped(op.getColumn()), element.column, width, unit);
      for (auto [i, value] : llvm::enumerate(values)) {
        value =
            b_.create<arith::SelectOp>((*row)[1], value, zero(value.getType()));
        b_.create<memref::StoreOp>(value, memory, add(address, i));
      }
    });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(ConvertSharedOp op) {
  int64_t width = op.getWidth();
  LinearSpread spread(op.getSize()[0], op.getSize()[1] / width,
                      layout_.getThreads());
  Type from = op.getSource().getType().getElementType();
  Type to = op.getTarget().getType().getElementType();
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    element.row = dealtRow(b_, spread, width, element.row);
    guarded(element.valid, [&] {
      Values values = loadShared(
          op.getSource(), add(mapped(op.getSourceRow()), element.row),
          mapped(op.getSourceColumn()), element.column, width, /*bytes=*/0);
      for (Value &value : values)
        value = convertFloat(value, from, to);
      storeShared(values, /*bytes=*/0, op.getTarget(),
                  add(mapped(op.getTargetRow()), element.row),
                  mapped(op.getTargetColumn()), element.column, width);
    });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(ReadOp op) {
  Type element = op.getMemory().getType().getElementType();
  int64_t width = op.getNumResults(), unit = unitOf(width, element);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(element);
  Value memory = view(mapped(op.getMemory()), unit);
  Value at = toUnits(mapped(op.getIndex()), per);
  Values loaded;
  for (int64_t i = 0; i < width / per; ++i)
    loaded.push_back(b_.create<memref::LoadOp>(memory, add(at, i)));
  if (unit != 0)
    loaded = unpack(loaded, element);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), loaded))
    mapping_.map(result, value);
  return success();
}

LogicalResult TileDistributor::emitOp(WriteOp op) {
  Type element = op.getMemory().getType().getElementType();
  int64_t width = op.getValues().size(), unit = unitOf(width, element);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(element);
  Value memory = view(mapped(op.getMemory()), unit);
  Value at = toUnits(mapped(op.getIndex()), per);
  Values values;
  for (Value value : op.getValues())
    values.push_back(mapped(value));
  if (unit != 0)
    values = pack(values, element, unit);
  for (auto [i, value] : llvm::enumerate(values))
    b_.create<memref::StoreOp>(value, memory, add(at, i));
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
