//===- TileDistributeGrid.cpp - waits between workgroups -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/GridBarrier.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;
using rung::tiling::LinearSpread;

Value TileDistributor::word(int64_t value) {
  return b_.create<arith::ConstantIntOp>(value, 32);
}

Value TileDistributor::atomic(AtomicKind kind, Value value, Value memory,
                              Value at, Order order) {
  return b_.create<AtomicOp>(b_.getI32Type(), kind, value, memory, at, order);
}

LogicalResult TileDistributor::emitOp(GridBarrierOp op) {
  emitGridBarrier(b_, thread_, mapped(op.getCounter()), mapped(op.getIndex()),
                  mapped(op.getExpect()));
  return success();
}

//===----------------------------------------------------------------------===//
// Tagged words
//===----------------------------------------------------------------------===//

/// The tag of a word, where it stands in it.
Value TileDistributor::tagBits(Value tag) {
  Value bits = b_.create<arith::IndexCastOp>(b_.getI32Type(), mapped(tag));
  return b_.create<arith::ShLIOp>(bits, word(16));
}

/// Visits the elements of a flight that have a place in memory: those below
/// \p columns in rows that \p rows gives one.
LogicalResult TileDistributor::forPlaced(
    FlightType type, Region &rows, Value base, Value pitch, Value columns,
    function_ref<void(int64_t element, Value address)> visit) {
  LinearSpread spread(type.getRows(), type.getColumns(), layout_.getThreads());
  Value first = index(0);
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value row = element.row;
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, first);
    FailureOr<Values> target = emitRegion(rows, row);
    if (failed(target))
      return failure();
    Value inRows = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                            target->front(), first);
    Value inColumns = b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                               element.column, mapped(columns));
    Value address = add(add(mapped(base), mul(target->front(), mapped(pitch))),
                        element.column);
    guarded(both(both(inRows, inColumns), element.valid),
            [&] { visit(e, address); });
  }
  return success();
}

LogicalResult TileDistributor::emitOp(PublishOp op) {
  Value tag = tagBits(op.getTag()), memory = mapped(op.getMemory());
  Values values = expansions_[op.getFlight()];
  return forPlaced(
      op.getFlight().getType(), op.getRows(), op.getBase(), op.getPitch(),
      op.getColumns(), [&](int64_t e, Value address) {
        Value low = b_.create<arith::AndIOp>(values[e], word(0xffff));
        atomic(AtomicKind::Exchange, b_.create<arith::OrIOp>(low, tag), memory,
               address, Order::Relaxed);
      });
}

LogicalResult TileDistributor::emitOp(DeliverOp op) {
  Values values = expansions_[op.getFlight()];
  return forPlaced(
      op.getFlight().getType(), op.getRows(), op.getBase(), op.getPitch(),
      op.getColumns(), [&](int64_t e, Value address) {
        b_.create<memref::StoreOp>(values[e], mapped(op.getMemory()), address);
      });
}

/// All of a thread's words are loaded together, again and again until each has
/// its tag.
LogicalResult TileDistributor::emitOp(AwaitOp op) {
  FlightType type = op.getFlight().getType();
  LinearSpread spread(1, type.getColumns(), layout_.getThreads());
  Value memory = mapped(op.getMemory()), base = mapped(op.getBase());
  Value tag = tagBits(op.getTag()), polls = mapped(op.getPolls());
  Values addresses, wanted;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Value column = add(thread_, e * layout_.getThreads());
    wanted.push_back(b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt, column,
                                              mapped(op.getColumns())));
    addresses.push_back(
        b_.create<arith::SelectOp>(wanted.back(), add(base, column), base));
  }
  Value zero = word(0), one = word(1), upper = word(-65536);
  SmallVector<Type> types(addresses.size() + 1, b_.getI32Type());
  auto loop = b_.create<scf::WhileOp>(
      types, polls,
      [&](OpBuilder &b, Location, ValueRange left) {
        OpBuilder::InsertionGuard guard(b_);
        b_.setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
        Values results{left[0]};
        for (Value address : addresses)
          results.push_back(
              atomic(AtomicKind::Or, zero, memory, address, Order::Relaxed));
        Value missing = zero;
        for (auto [seen, want] : llvm::zip(llvm::drop_begin(results), wanted)) {
          Value differs = b_.create<arith::AndIOp>(
              b_.create<arith::XOrIOp>(seen, tag), upper);
          missing = b_.create<arith::OrIOp>(
              missing, b_.create<arith::SelectOp>(want, differs, zero));
        }
        Value again =
            b_.create<arith::CmpIOp>(arith::CmpIPredicate::ne, missing, zero);
        Value patient =
            b_.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, left[0], zero);
        b_.create<scf::ConditionOp>(b_.create<arith::AndIOp>(again, patient),
                                    results);
      },
      [&](OpBuilder &b, Location loc, ValueRange results) {
        Value next = arith::SubIOp::create(b, loc, results[0], one);
        scf::YieldOp::create(b, loc, next);
      });
  Value inVain = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sle,
                                          loop.getResult(0), zero);
  guarded(inVain, [&] {
    atomic(AtomicKind::Or, word(kGaveUp), mapped(op.getFault()),
           mapped(op.getFaultIndex()), Order::Relaxed);
  });
  Values words;
  for (auto [seen, want] : llvm::zip(loop.getResults().drop_front(), wanted))
    words.push_back(b_.create<arith::SelectOp>(want, seen, zero));
  expand(op.getFlight(), words);
  mapping_.map(op.getLeft(), b_.create<arith::SelectOp>(inVain, zero, polls));
  return success();
}

LogicalResult TileDistributor::emitOp(LiftOp op) {
  FlightType type = op.getFlight().getType();
  LinearSpread spread(type.getRows(), type.getColumns(), layout_.getThreads());
  Values elements;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value row = element.row;
    if (element.valid)
      row = b_.create<arith::SelectOp>(element.valid, row, index(0));
    elements.push_back(b_.create<memref::LoadOp>(
        mapped(op.getMemory()),
        ValueRange{add(mapped(op.getRow()), element.column),
                   add(mapped(op.getColumn()), row)}));
  }
  expand(op.getFlight(), elements);
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
  Value stride = index(op.getBroadcast() ? 0 : operand.getDimSize(1));
  Value start = mul(subgroup_, part);
  Values zeros(op.getWeights().size() * rowBlocks,
               b_.create<BlockFillOp>(sum, zero(sums.getElementType())));
  Values results = zeros;
  auto operands = productOperands(type.getElementType());
  for (int64_t q = 0; q < depth; ++q) {
    Value b = b_.create<BlockLoadOp>(right, mapped(op.getOperand()),
                                     ValueRange{first, add(start, q * k)},
                                     stride, /*columnMajor=*/true);
    for (auto [i, weight] : llvm::enumerate(op.getWeights()))
      for (int64_t r = 0; r < rowBlocks; ++r) {
        Value &result = results[i * rowBlocks + r];
        result = b_.create<spirv::KHRCooperativeMatrixMulAddOp>(
            sum, expansions_[weight][r * depth + q], b, result, operands);
      }
  }
  Value own = mul(subgroup_, type.getRows());
  for (auto [i, result] : llvm::enumerate(results)) {
    int64_t weight = op.getFirst() + i / rowBlocks, r = i % rowBlocks;
    Value row =
        add(own, weight * layout_.getSubgroups() * type.getRows() + r * m);
    b_.create<BlockStoreOp>(result, mapped(op.getSums()),
                            ValueRange{row, first}, index(sums.getDimSize(1)),
                            /*columnMajor=*/false);
  }
  return success();
}
