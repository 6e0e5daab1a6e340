//===- ResidentGrid.cpp - a recurrence over the whole device --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For heads whose weights no workgroup can hold, but all workgroups together.
// Each keeps the weights of some hidden units, its subgroups a part of the
// depth each, and runs the whole time loop. A step and phase is:
//
//   await the operand's words of this step; land them in shared memory
//   barrier
//   each subgroup: products of its part of the depth -> sums in shared memory
//   barrier
//   each thread: sums of its elements; gates, on flights
//   publish the next operand of the workgroup's own units, with the next tag
//   barrier: a thread that waits must not keep its workgroup from publishing
//
// Words carry their step as a tag, so that a wait for data is the only one
// between workgroups. Operand 1 has two halves in turn: who publishes step t +
// 1 has seen all of step t, and whoever published that had seen all of step t
// - 1. Later phases need one half, for they come behind all of an earlier
// operand. A first kernel publishes the operands of step 0 and makes all other
// words those of no step.
//
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileWidths.h"
#include "passes/lowering/GridKernel.h"
#include "passes/lowering/GridWaits.h"
#include "passes/lowering/Kernels.h"

using namespace mlir;

namespace rung {

/// The tag of words that no step awaits before it is overwritten.
static constexpr int64_t kNoStep = 0xffff;

GridKernel::GridKernel(ProgramBuilder &p, const CellPlan &plan,
                       const TileSizes &tiles, const CellWeights &weights,
                       const GridOperands &exchanged, StringRef stem)
    : plan(plan), tiles(tiles), exchanged(exchanged),
      cell(p, plan, tiles, weights, stem), k(cell.k), b(k.b()) {
  k.moveAtMost(1);
}

void GridKernel::emitInitial() {
  cell.bindWeights();
  for (Value state : cell.op().getInitial())
    cell.initial.push_back(
        k.bind(k.program().bufferOf(state), tile::Access::Read));
  bindWords(tile::Access::Write);
  cell.begin();
  byBatch([&] { emitInitialTile(); }, [&] { emitInitialRounds(); });
  cell.dispatch();
}

void GridKernel::emitInitialTile() {
  cell.fetchRows(values);
  for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments()))
    values[state] = cell.fetchState(cell.initial[i]);
  Value any = publish(1, k.index(0), k.index(0));
  for (auto [group, words] : llvm::zip(exchanged.groups, buffers)) {
    Value half = group.phase == 1 ? halfOf(k.index(1)) : k.index(0);
    emitPublish(any, words, half, k.index(kNoStep));
  }
}

void GridKernel::emitMain() {
  cell.bindSequences();
  cell.bindWeights();
  cell.bindStates(tile::Access::Read,
                  hasRounds() ? tile::Access::ReadWrite : tile::Access::Write);
  cell.bindOutputs();
  bindWords(tile::Access::ReadWrite);
  progress = k.bind(exchanged.progress, tile::Access::ReadWrite);
  cell.begin();
  allocate();
  for (unsigned i = 0; i < plan.matrices.size(); ++i)
    matrices.push_back(cell.loadSplit(i));
  Value polls =
      arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(kPollLimit)));
  byBatch([&] { emitTiles(polls); }, [&] { emitRounds(polls); });
  cell.dispatchOnce();
}

void GridKernel::byBatch(llvm::function_ref<void()> whole,
                         llvm::function_ref<void()> rounds) {
  if (!hasRounds())
    return whole();
  auto branch = scf::IfOp::create(b, k.less(k.index(tiles.rows), cell.batch()),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  k.moveAtMost(2);
  rounds();
  b.setInsertionPointToStart(branch.elseBlock());
  k.moveAtMost(1);
  whole();
}

void GridKernel::emitTiles(Value polls) {
  cell.fetchRows(values);
  Value tileCount = arith::DivUIOp::create(
      b, k.add(cell.batch(), tiles.rows - 1), k.index(tiles.rows));
  auto loop = scf::ForOp::create(b, k.index(0), tileCount, k.index(1), polls);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  cell.firstRow = k.mul(loop.getInductionVar(), tiles.rows);
  Value left = emitTimeLoop(loop.getRegionIterArgs()[0]);
  scf::YieldOp::create(b, left);
}

void GridKernel::bindWords(tile::Access access) {
  for (const OperandWords &group : exchanged.groups)
    buffers.push_back(k.bind(group.buffer, access));
}

void GridKernel::allocate() {
  size_t products = 0;
  for (unsigned phase = 1; phase <= plan.phases; ++phase) {
    size_t ofPhase = 0;
    for (const Stack &stack : stacksOf(phase)) {
      Value buffer = k.shared(tiles.rows * stack.operands.size(), tiles.depth,
                              getElementTypeOrSelf(stack.operands.front()));
      for (auto [i, operand] : llvm::enumerate(stack.operands))
        operandRows[operand] = {buffer, int64_t(i) * tiles.rows};
      ofPhase += stack.matrices.size();
    }
    products = std::max(products, ofPhase);
  }
  sums = k.sharedExactly(
      products * parts() * tiles.layout.getN(),
      tiling::gridSumPitch(tiles.columns, *toScalarType(plan.carrier)),
      plan.carrier);
}

SmallVector<GridKernel::Stack> GridKernel::stacksOf(unsigned phase) const {
  bool together = tiling::gridStack(tiles.layout.getN(), tiles.rows,
                                    describe(cell.op()).stack) > 1;
  SmallVector<Stack> stacks;
  for (Value operand : plan.operandsOf(phase)) {
    SmallVector<unsigned> matrices;
    for (rnn::DotOp dot : plan.dotsOf(operand))
      matrices.push_back(plan.dots.lookup(dot));
    auto *same = llvm::find_if(stacks, [&](const Stack &stack) {
      return together && stack.matrices == matrices;
    });
    if (same == stacks.end())
      same = &stacks.emplace_back(Stack{matrices, {}});
    same->operands.push_back(operand);
  }
  return stacks;
}

/// All steps of the batch tile at `cell.firstRow`; what is left of \p polls.
Value GridKernel::emitTimeLoop(Value polls) {
  SmallVector<Value> carried;
  for (unsigned initial : cell.initial)
    carried.push_back(cell.fetchState(initial));
  for (const SequenceSlice &slice : plan.slices)
    carried.push_back(cell.fetchSlice(slice, k.index(0)));
  carried.push_back(polls);
  auto loop =
      scf::ForOp::create(b, k.index(0), cell.steps(), k.index(1), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitStep(loop);
  }
  for (auto [state, buffer] :
       llvm::zip(loop.getResults().take_front(states()), cell.finals))
    cell.writeState(state, buffer);
  return loop.getResults().back();
}

void GridKernel::bindArguments(ValueRange carried) {
  for (auto [state, value] : llvm::zip(cell.op().getStateArguments(), carried))
    values[state] = value;
  for (auto [slice, value] :
       llvm::zip(plan.slices, carried.drop_front(states())))
    values[slice.value] = value;
}

void GridKernel::emitStep(scf::ForOp loop) {
  Value step = loop.getInductionVar();
  auto carried = loop.getRegionIterArgs();
  bindArguments(carried);
  Value polls = carried.back();
  for (unsigned phase = 1; phase <= plan.phases; ++phase) {
    polls = await(phase, step, polls);
    tile::BarrierOp::create(b);
    multiply(phase);
    if (phase < plan.phases) {
      publish(phase + 1, k.index(0), step);
      tile::BarrierOp::create(b);
    }
  }
  SmallVector<Value> results =
      emitPointwise(k, plan, values, plan.results(), cell.contextAt(step));
  unsigned outputs = cell.outputs.size();
  SmallVector<Value> next(llvm::drop_begin(results, outputs));
  for (auto [state, value] : llvm::zip(cell.op().getStateArguments(), next))
    values[state] = value;
  // Others wait for the operand; nobody does for the rest.
  Value following = k.add(step, 1);
  publish(1, halfOf(following), following);
  tile::BarrierOp::create(b);
  for (unsigned i = 0; i < outputs; ++i)
    cell.writeOutput(i, results[i], step);
  for (const SequenceSlice &slice : plan.slices)
    next.push_back(cell.fetchSlice(slice, following));
  next.push_back(polls);
  scf::YieldOp::create(b, next);
}

/// Words of the half that iteration \p t reads.
Value GridKernel::halfOf(Value t) {
  Value odd = arith::RemUIOp::create(b, t, k.index(2));
  return k.mul(k.mul(odd, cell.batch()), cell.op().getWidth());
}

/// Lands the operands of \p phase at \p step, as many rows as there are.
Value GridKernel::await(unsigned phase, Value step, Value polls) {
  Value offset = k.mul(cell.head, plan.headWidth);
  if (phase == 1)
    offset = k.add(offset, halfOf(step));
  if (tiles.rows == 1)
    return awaitRow(phase, step, offset, k.index(0), polls);
  Value left = k.sub(cell.batch(), cell.firstRow);
  Value rows = arith::MinSIOp::create(b, left, k.index(tiles.rows));
  auto loop = scf::ForOp::create(b, k.index(0), rows, k.index(1), polls);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value after = awaitRow(phase, step, offset, loop.getInductionVar(),
                         loop.getRegionIterArgs()[0]);
  scf::YieldOp::create(b, after);
  return loop.getResult(0);
}

Value GridKernel::awaitRow(unsigned phase, Value step, Value offset, Value row,
                           Value polls) {
  Value base =
      k.add(offset, k.mul(k.add(cell.firstRow, row), cell.op().getWidth()));
  for (auto [group, buffer] : llvm::zip(exchanged.groups, buffers)) {
    if (group.phase != phase)
      continue;
    int64_t width = tile::knownDivisor(base) % 4 == 0 ? 4 : 1;
    auto type = tile::FlightType::get(1, tiles.depth, b.getI32Type(), width);
    auto words = tile::AwaitOp::create(
        b, type, b.getI32Type(), k.buffer(buffer), base,
        k.index(plan.headWidth), step, polls, k.buffer(*progress), k.index(0));
    polls = words.getLeft();
    for (auto [operand, flight] :
         llvm::zip(group.operands, emitUnpack(k, group, words.getFlight()))) {
      auto [buffer, first] = operandRows.lookup(operand);
      tile::LandOp::create(b, flight, buffer, k.add(row, first), k.index(0));
    }
  }
  return polls;
}

GridKernel::Places GridKernel::storeProducts(unsigned phase, bool barrier) {
  Places places;
  int64_t first = 0;
  for (const Stack &stack : stacksOf(phase)) {
    SmallVector<Value> weights;
    for (unsigned matrix : stack.matrices)
      weights.push_back(matrices[matrix]);
    auto [buffer, row] = operandRows.lookup(stack.operands.front());
    tile::SplitMmaOp::create(
        b, weights, buffer, sums, first,
        /*broadcast=*/tiles.rows == 1 && stack.operands.size() == 1, barrier);
    for (Value operand : stack.operands)
      for (auto [i, dot] : llvm::enumerate(plan.dotsOf(operand)))
        places.insert(
            {dot, {first + int64_t(i), operandRows.lookup(operand).second}});
    first += weights.size();
  }
  tile::BarrierOp::create(b);
  return places;
}

void GridKernel::addUp(const Places &places) {
  auto type = tile::FlightType::get(tiles.rows, tiles.columns, plan.carrier,
                                    k.movesAtMost());
  for (auto &[dot, place] : places) {
    SmallVector<Value> lifted;
    for (int64_t part = 0; part < parts(); ++part)
      lifted.push_back(tile::LiftOp::create(
          b, type, sums,
          k.index((place.product * parts() + part) * tiles.layout.getN() +
                  place.row),
          k.index(0)));
    values[rnn::DotOp(dot).getResult()] = emitSum(k, lifted);
  }
}

/// Publishes the operands of \p phase from `values`; some of their words.
Value GridKernel::publish(unsigned phase, Value half, Value tag) {
  Value packed;
  for (auto [group, buffer] : llvm::zip(exchanged.groups, buffers))
    if (group.phase == phase) {
      packed = emitPack(
          k, group,
          emitPointwise(k, plan, values, group.operands, cell.contextAt(tag)));
      emitPublish(packed, buffer, half, tag);
    }
  return packed;
}

void GridKernel::emitPublish(Value flight, unsigned buffer, Value half,
                             Value tag) {
  OpBuilder::InsertionGuard guard(b);
  tile::PublishOp::create(
      b, flight, k.buffer(buffer), k.add(cell.tileOffset(), half),
      k.index(cell.op().getWidth()),
      k.sub(k.index(plan.headWidth), cell.firstColumn), tag,
      atBuilder(k, [&](Value r) { return cell.batchRow(r); }));
}

static LogicalResult checkForGrid(const CellPlan &plan,
                                  const TileSizes &tiles) {
  rnn::RecurrenceOp op = plan.op;
  auto refuse = [&](StringRef what) {
    return op.emitOpError(what) << "; strategy 'resident-grid' can't run that";
  };
  if (plan.phases == 0)
    return refuse("has no product in its body");
  if (op.getLengths())
    return refuse("has lengths");
  if (op.getRandom())
    return refuse("draws random bits");
  for (Value leaf : plan.leavesOf(plan.operandsOf(1)))
    if (plan.isSlice(leaf))
      return refuse("multiplies a value of a sequence by a matrix");
  if (!tiles.layout.getCooperative())
    return refuse("has tiles without cooperative matrices");
  return success();
}

LogicalResult lowerResidentGrid(ProgramBuilder &p, rnn::RecurrenceOp op,
                                const TileSizes &tiles) {
  FailureOr<CellPlan> plan = CellPlan::create(op);
  if (failed(plan) || failed(checkForGrid(*plan, tiles)))
    return failure();
  FailureOr<GridOperands> exchanged = GridOperands::create(p, *plan);
  if (failed(exchanged))
    return failure();
  FailureOr<CellWeights> weights = CellWeights::pack(p, *plan, tiles);
  if (failed(weights))
    return failure();
  GridKernel(p, *plan, tiles, *weights, *exchanged, "grid_initial")
      .emitInitial();
  GridKernel(p, *plan, tiles, *weights, *exchanged, "resident_grid").emitMain();
  return success();
}

} // namespace rung
