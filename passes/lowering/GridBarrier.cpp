//===- GridBarrier.cpp - how a thread waits for all workgroups ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/GridBarrier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/lowering/GridWaits.h"

using namespace mlir;
using namespace rung::tile;
using rung::kPollLimit;

static Value word(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(value)));
}

static Value less(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lhs, rhs);
}

/// Looks until the counter has come to \p target, or for too long; then tells.
static void emitPolls(ImplicitLocOpBuilder &b, Value counter, Value at,
                      Value target) {
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getI32Type()}, ValueRange{word(b, 0)},
      [&](OpBuilder &inner, Location loc, ValueRange polls) {
        ImplicitLocOpBuilder in(loc, inner);
        Value seen = AtomicOp::create(in, b.getI32Type(), AtomicKind::Or,
                                      word(in, 0), counter, at, Order::Acquire);
        Value more =
            arith::AndIOp::create(in, less(in, seen, target),
                                  less(in, polls[0], word(in, kPollLimit)));
        scf::ConditionOp::create(in, more, polls);
      },
      [&](OpBuilder &inner, Location loc, ValueRange polls) {
        ImplicitLocOpBuilder in(loc, inner);
        Value next = arith::AddIOp::create(in, polls[0], word(in, 1));
        scf::YieldOp::create(in, next);
      });
  Value inVain = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                       loop.getResult(0), word(b, kPollLimit));
  auto tell = scf::IfOp::create(b, inVain, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(tell.thenBlock());
  AtomicOp::create(b, b.getI32Type(), AtomicKind::Or, word(b, kGaveUp), counter,
                   at, Order::Relaxed);
}

void rung::tile::emitGridBarrier(ImplicitLocOpBuilder &b, Value thread,
                                 Value counter, Value at, Value expect) {
  Value target = arith::IndexCastOp::create(b, b.getI32Type(), expect);
  b.create<BarrierOp>().setGlobal(true);
  Value zero = arith::ConstantOp::create(b, b.getIndexAttr(0));
  Value first =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, zero);
  auto branch = scf::IfOp::create(b, first, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    AtomicOp::create(b, b.getI32Type(), AtomicKind::Add, word(b, 1), counter,
                     at, Order::Release);
    emitPolls(b, counter, at, target);
  }
  b.create<BarrierOp>().setGlobal(true);
}
