//===- TileDistributeExchange.cpp - waits between workgroups ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
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
// Polls
//===----------------------------------------------------------------------===//

Value TileDistributor::loadSeen(Value units, Value at) {
  return b_.create<memref::LoadOp>(units, ValueRange{at}, /*nontemporal=*/true);
}

/// Without \p seen a place is loaded at one point of the loop alone: drivers
/// may take two loads of it for one, even of atomic ones.
std::pair<SmallVector<Value>, Value> TileDistributor::poll(
    Value polls, TypeRange types, ValueRange seen, function_ref<Values()> load,
    function_ref<Value(ValueRange)> missing, Value fault, Value faultIndex) {
  Value zero = word(0), one = word(1);
  Values carried{polls};
  llvm::append_range(carried, seen);
  SmallVector<Type> results{b_.getI32Type()};
  llvm::append_range(results, types);
  auto at = [&](OpBuilder &b) {
    b_.setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
  };
  auto loop = b_.create<scf::WhileOp>(
      results, carried,
      [&](OpBuilder &b, Location, ValueRange values) {
        OpBuilder::InsertionGuard guard(b_);
        at(b);
        Values loaded = seen.empty() ? load() : Values(values.drop_front());
        Value again = b_.create<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                               missing(loaded), zero);
        Value patient = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                                 values[0], zero);
        loaded.insert(loaded.begin(), values[0]);
        b_.create<scf::ConditionOp>(b_.create<arith::AndIOp>(again, patient),
                                    loaded);
      },
      [&](OpBuilder &b, Location, ValueRange values) {
        OpBuilder::InsertionGuard guard(b_);
        at(b);
        Values next{b_.create<arith::SubIOp>(values[0], one)};
        if (!seen.empty())
          llvm::append_range(next, load());
        b_.create<scf::YieldOp>(next);
      });
  Value inVain = b_.create<arith::CmpIOp>(arith::CmpIPredicate::sle,
                                          loop.getResult(0), zero);
  guarded(inVain, [&] {
    atomic(AtomicKind::Or, word(kGaveUp), fault, faultIndex, Order::Relaxed);
  });
  Value left = b_.create<arith::SelectOp>(inVain, zero, polls);
  return {Values(loop.getResults().drop_front()), left};
}

//===----------------------------------------------------------------------===//
// Tagged words
//===----------------------------------------------------------------------===//

/// The tag of a word, where it stands in it.
Value TileDistributor::tagBits(Value tag) {
  Value bits = b_.create<arith::IndexCastOp>(b_.getI32Type(), mapped(tag));
  return b_.create<arith::ShLIOp>(bits, word(16));
}

LogicalResult TileDistributor::emitOp(PublishOp op) {
  Value tag = tagBits(op.getTag()), memory = mapped(op.getMemory());
  Values values = expansions_[op.getFlight()];
  return forPlaced(
      op.getFlight().getType(), op.getRows(), op.getColumns(),
      [&](int64_t e, Value row, Value column) {
        Value address = add(
            add(mapped(op.getBase()), mul(row, mapped(op.getPitch()))), column);
        Value low = b_.create<arith::AndIOp>(values[e], word(0xffff));
        atomic(AtomicKind::Exchange, b_.create<arith::OrIOp>(low, tag), memory,
               address, Order::Relaxed);
      });
}

/// A word, or four neighbours in one access. Another workgroup may write any of
/// them meanwhile: each word is one number, old or new, and says which.
SmallVector<Value> TileDistributor::loadWords(Value memory, Value address,
                                              int64_t width) {
  if (width == 1)
    return {atomic(AtomicKind::Or, word(0), memory, address, Order::Relaxed)};
  return regroup(loadSeen(view(memory, width * 4), toUnits(address, width)),
                 /*bytes=*/4);
}

/// All of a thread's words are loaded together.
LogicalResult TileDistributor::emitOp(AwaitOp op) {
  FlightType type = op.getFlight().getType();
  int64_t width = type.getWidth();
  LinearSpread spread(1, type.getColumns() / width, layout_.getThreads());
  Value memory = mapped(op.getMemory()), base = mapped(op.getBase());
  Value tag = tagBits(op.getTag());
  Value groups = toGroups(mapped(op.getColumns()), width);
  Values addresses, wanted;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, thread_, e);
    Value want = both(inColumns(element, groups, spread), element.valid);
    Value address = add(base, mul(element.column, width));
    if (want)
      address = b_.create<arith::SelectOp>(want, address, base);
    addresses.push_back(address);
    wanted.append(width, want);
  }
  Value zero = word(0), upper = word(-65536);
  auto load = [&] {
    Values words;
    for (Value address : addresses)
      llvm::append_range(words, loadWords(memory, address, width));
    return words;
  };
  auto missing = [&](ValueRange words) {
    Value result = zero;
    for (auto [seen, want] : llvm::zip(words, wanted)) {
      Value differs =
          b_.create<arith::AndIOp>(b_.create<arith::XOrIOp>(seen, tag), upper);
      if (want)
        differs = b_.create<arith::SelectOp>(want, differs, zero);
      result = b_.create<arith::OrIOp>(result, differs);
    }
    return result;
  };
  SmallVector<Type> types(wanted.size(), b_.getI32Type());
  auto [words, left] =
      poll(mapped(op.getPolls()), types, /*seen=*/{}, load, missing,
           mapped(op.getFault()), mapped(op.getFaultIndex()));
  for (auto [seen, want] : llvm::zip(words, wanted))
    if (want)
      seen = b_.create<arith::SelectOp>(want, seen, zero);
  expand(op.getFlight(), regroup(words, width * 4));
  mapping_.map(op.getLeft(), left);
  return success();
}

//===----------------------------------------------------------------------===//
// Words that are zero before
//===----------------------------------------------------------------------===//

LogicalResult TileDistributor::emitOp(PublishPairsOp op) {
  Values words = expansions_[op.getFlight()];
  Value zero = word(0), memory = mapped(op.getMemory());
  return forPlaced(
      op.getFlight().getType(), op.getRows(), op.getColumns(),
      [&](int64_t group, Value row, Value column) {
        Value at = add(mul(row, mapped(op.getPitch())), column);
        auto store = [&](Value value, Value base) {
          atomic(AtomicKind::Exchange, value, memory,
                 toUnits(add(mapped(base), at), 2), Order::Relaxed);
        };
        for (Value base : op.getClear())
          store(zero, base);
        Value isZero = b_.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                words[group], zero);
        store(b_.create<arith::SelectOp>(isZero, word(0x8000), words[group]),
              op.getBase());
      });
}

static void subgroupBarrier(ImplicitLocOpBuilder &b) {
  using Semantics = spirv::MemorySemantics;
  b.create<spirv::ControlBarrierOp>(
      spirv::Scope::Subgroup, spirv::Scope::Subgroup,
      Semantics::AcquireRelease | Semantics::WorkgroupMemory |
          Semantics::MakeAvailable | Semantics::MakeVisible);
}

SmallVector<TileDistributor::Element>
TileDistributor::elementsOfRows(FlightType type) {
  int64_t part = type.getColumns() / type.getWidth() / layout_.getSubgroups();
  LinearSpread spread(type.getRows(), part, layout_.getSubgroupSize());
  Value own = mul(subgroup_, part);
  SmallVector<Element> elements;
  for (int64_t e = 0; e < spread.perOwner(); ++e) {
    Element element = elementOf(spread, lane_, e);
    element.column = add(own, element.column);
    elements.push_back(element);
  }
  return elements;
}

/// A lane loads 16 bytes at once, a subgroup its part of row after row.
SmallVector<Value> TileDistributor::loadRows(FlightType type, Value memory,
                                             Value base, Value pitch,
                                             Value first, Value limit) {
  int64_t width = type.getWidth();
  Value units = view(mapped(memory), kAccessBytes);
  Value start = toUnits(mapped(base), width);
  Value stride = toUnits(mapped(pitch), width);
  Value last = add(mapped(limit), index(-1));
  Values loaded;
  for (const Element &element : elementsOfRows(type)) {
    Value row =
        b_.create<arith::MinSIOp>(add(mapped(first), element.row), last);
    loaded.push_back(
        loadSeen(units, add(add(start, mul(row, stride)), element.column)));
  }
  return loaded;
}

LogicalResult TileDistributor::emitOp(PeekRowsOp op) {
  expand(op.getFlight(),
         loadRows(op.getFlight().getType(), op.getMemory(), op.getBase(),
                  op.getPitch(), op.getFirst(), op.getLimit()));
  return success();
}

LogicalResult TileDistributor::emitOp(AwaitRowsOp op) {
  FlightType type = op.getSeen().getType();
  auto load = [&] {
    return loadRows(type, op.getMemory(), op.getBase(), op.getPitch(),
                    op.getFirst(), op.getLimit());
  };
  auto missing = [&](ValueRange loaded) {
    Value least;
    for (Value value : regroup(loaded, /*bytes=*/4))
      least =
          least ? b_.create<arith::MinUIOp>(least, value).getResult() : value;
    Value any =
        b_.create<arith::CmpIOp>(arith::CmpIPredicate::eq, least, word(0));
    return b_.create<arith::SelectOp>(any, word(1), word(0)).getResult();
  };
  Values seen = expansions_[op.getSeen()];
  auto [loaded, left] =
      poll(mapped(op.getPolls()), ValueRange(seen).getTypes(), seen, load,
           missing, mapped(op.getFault()), mapped(op.getFaultIndex()));
  subgroupBarrier(b_);
  for (auto [element, value] : llvm::zip(elementsOfRows(type), loaded))
    storeShared(value, kAccessBytes, op.getOperand(), element.row, index(0),
                element.column, type.getWidth());
  subgroupBarrier(b_);
  mapping_.map(op.getLeft(), left);
  return success();
}
