//===- GridRounds.cpp - many batch rows over the whole device -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// With more rows than a product takes at once, a step goes through batch tile
// after batch tile: one round each. What a round publishes is awaited as many
// rounds later as there are tiles, so that the others hide the way it takes.
//
//   each subgroup: awaits its part of the operand's rows, lands it; looks at
//   those of the next round, which come meanwhile; multiplies
//   barrier: the sums of the round before have been read
//   sums of its part -> shared memory
//   barrier: what was asked for before is waited for, so the next round's rows
//   of sequences are asked for now
//   some threads: sums, gates; publish, write y and the states
//
// All others are in the next round meanwhile. Operands are pairs of 16-bit
// floats, in three slots in turn: a word that is 0 is not there yet. Who
// publishes step t + 1 has seen all of step t, and so, whoever published that
// had read all of step t - 1: its slot becomes 0 before, for step t + 2.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/GridKernel.h"

using namespace mlir;

namespace rung {

/// One phase, whose operand is a row of 16-bit floats, in whole tiles.
bool GridKernel::hasRounds() const {
  if (plan.phases != 1 || exchanged.groups.size() != 1 ||
      exchanged.groups.front().operands.size() != 1)
    return false;
  Type operand =
      getElementTypeOrSelf(exchanged.groups.front().operands.front());
  int64_t depth = cell.weights.depth, width = cell.op().getWidth();
  return (operand.isF16() || operand.isBF16()) && depth == plan.headWidth &&
         depth % (8 * parts()) == 0 &&
         tiles.rows * depth % (8 * tiles.layout.getThreads()) == 0 &&
         width % 8 == 0 && plan.headWidth % tiles.columns == 0 &&
         tiles.columns % 2 == 0 && tiles.rows == tiles.layout.getN();
}

Value GridKernel::slotOf(Value t) {
  Value slot = arith::RemUIOp::create(b, t, k.index(3));
  return k.mul(k.mul(slot, cell.batch()), cell.op().getWidth());
}

void GridKernel::publishPairs(Value operand, Value slot, ValueRange clear) {
  Value flight = emitConvertFlight(
      k, operand,
      getElementTypeOrSelf(exchanged.groups.front().operands.front()));
  OpBuilder::InsertionGuard guard(b);
  Value offset = cell.tileOffset();
  SmallVector<Value> cleared;
  for (Value other : clear)
    cleared.push_back(k.add(offset, other));
  tile::PublishPairsOp::create(
      b, flight, k.buffer(buffers.front()), k.add(offset, slot), cleared,
      k.index(cell.op().getWidth()),
      k.sub(k.index(plan.headWidth), cell.firstColumn),
      atBuilder(k, [&](Value r) { return cell.batchRow(r); }));
}

void GridKernel::emitInitialRounds() {
  cell.fetchRows(values);
  for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments()))
    values[state] = cell.fetchState(cell.initial[i]);
  Value operand =
      emitPointwise(k, plan, values, exchanged.groups.front().operands,
                    cell.contextAt(k.index(0)))
          .front();
  publishPairs(operand, slotOf(k.index(0)),
               {slotOf(k.index(1)), slotOf(k.index(2))});
}

/// The final states hold those of all rows between two rounds of a tile.
void GridKernel::keepInitialStates(Value rounds) {
  auto loop = scf::ForOp::create(b, k.index(0), rounds, k.index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  cell.firstRow = k.mul(loop.getInductionVar(), tiles.rows);
  for (auto [initial, kept] : llvm::zip(cell.initial, cell.finals))
    cell.writeState(cell.fetchState(initial), kept);
}

SmallVector<Value> GridKernel::fetchRound(Value step) {
  SmallVector<Value> fetched;
  for (unsigned kept : cell.finals)
    fetched.push_back(cell.fetchState(kept));
  for (const SequenceSlice &slice : plan.slices)
    fetched.push_back(cell.fetchSlice(slice, step));
  return fetched;
}

void GridKernel::emitRounds(Value polls) {
  cell.fetchRows(values);
  Value rounds = arith::DivUIOp::create(b, k.add(cell.batch(), tiles.rows - 1),
                                        k.index(tiles.rows));
  keepInitialStates(rounds);
  cell.firstRow = k.index(0);
  SmallVector<Value> carried = fetchRound(k.index(0));
  carried.append({peekRows(k.index(0)), polls});
  auto steps =
      scf::ForOp::create(b, k.index(0), cell.steps(), k.index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(steps.getBody());
  Value step = steps.getInductionVar();
  auto loop = scf::ForOp::create(b, k.index(0), rounds, k.index(1),
                                 steps.getRegionIterArgs());
  scf::YieldOp::create(b, loop.getResults());
  b.setInsertionPointToStart(loop.getBody());
  bindArguments(loop.getRegionIterArgs());
  seen = loop.getRegionIterArgs().drop_back().back();
  Value round = loop.getInductionVar();
  Value next = k.add(round, 1), isLast = k.equal(next, rounds);
  Value row = k.mul(round, tiles.rows);
  Value nextRow = k.mul(k.select(isLast, k.index(0), next), tiles.rows);
  Value nextStep = k.select(isLast, k.add(step, 1), step);
  // What the next round needs comes while this one is computed.
  auto ofNext = [&](llvm::function_ref<void()> emit) {
    cell.firstRow = nextRow;
    emit();
    cell.firstRow = row;
  };
  Value ahead;
  SmallVector<Value> yields;
  cell.firstRow = row;
  Value left = emitRound(
      step, loop.getRegionIterArgs().back(),
      [&] { ofNext([&] { ahead = peekRows(nextStep); }); },
      [&] { ofNext([&] { yields = fetchRound(nextStep); }); });
  yields.append({ahead, left});
  scf::YieldOp::create(b, yields);
}

Value GridKernel::peekRows(Value step) {
  Type element =
      getElementTypeOrSelf(exchanged.groups.front().operands.front());
  auto type = tile::FlightType::get(tiles.rows, cell.weights.depth, element, 8);
  return tile::PeekRowsOp::create(
      b, type, k.buffer(buffers.front()),
      k.add(k.mul(cell.head, plan.headWidth), slotOf(step)),
      k.index(cell.op().getWidth()), cell.firstRow, cell.batch());
}

Value GridKernel::emitRound(Value step, Value polls,
                            llvm::function_ref<void()> look,
                            llvm::function_ref<void()> fetch) {
  const OperandWords &group = exchanged.groups.front();
  Value words = k.buffer(buffers.front());
  Value left = tile::AwaitRowsOp::create(
      b, seen, words, k.add(k.mul(cell.head, plan.headWidth), slotOf(step)),
      k.index(cell.op().getWidth()), cell.firstRow, cell.batch(), polls,
      k.buffer(*progress), k.index(0),
      operandRows.lookup(group.operands.front()).first);
  look();
  Places places = storeProducts(/*phase=*/1, /*barrier=*/true);
  fetch();
  addUp(places);
  SmallVector<Value> results =
      emitPointwise(k, plan, values, plan.results(), cell.contextAt(step));
  unsigned outputs = cell.outputs.size();
  ArrayRef<Value> next = ArrayRef(results).drop_front(outputs);
  for (auto [state, value] : llvm::zip(cell.op().getStateArguments(), next))
    values[state] = value;
  Value operand = emitPointwise(k, plan, values, group.operands,
                                cell.contextAt(k.add(step, 1)))
                      .front();
  publishPairs(operand, slotOf(k.add(step, 1)), slotOf(k.add(step, 2)));
  for (auto [value, kept] : llvm::zip(next, cell.finals))
    cell.writeState(value, kept);
  for (unsigned i = 0; i < outputs; ++i)
    cell.writeOutput(i, results[i], step);
  return left;
}

} // namespace rung
