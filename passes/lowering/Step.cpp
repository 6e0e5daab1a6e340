//===- Step.cpp - a recurrence as one dispatch a step and phase -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// For heads whose weights no workgroup can hold. A first kernel copies the
// initial states to where they live during the run, the final states' buffers,
// and writes the operands of the first products; then, each step, one kernel a
// phase computes its products for a tile of columns from the whole operand:
//
//   phase p:  operand p (global) x weights -> gates -> operand p + 1
//   last:     ... -> outputs, states, operand 1 of the next step
//
// Operand 1 has two halves, read and written in turn. Products that a later
// phase needs are kept in scratch.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/CellKernel.h"
#include "passes/lowering/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

/// What the kernels hand to each other in global memory.
struct StepScratch {
  llvm::DenseMap<Value, Value> operands; ///< Body value -> buffer.
  llvm::MapVector<Value, Value> kept;    ///< Product -> buffer.
};

class StepKernel {
public:
  StepKernel(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
             const CellWeights &weights, const StepScratch &scratch,
             unsigned phase, StringRef stem)
      : plan(plan), tiles(tiles), scratch(scratch), phase(phase),
        cell(p, plan, tiles, weights, stem), k(cell.k), b(k.b()) {}

  /// Copies states, writes the operands of phase 1.
  void emitInitial() {
    cell.bindWeights();
    cell.bindStates(tile::Access::Read, tile::Access::Write);
    bindOperands(1, tile::Access::Write);
    begin(plan.operandsOf(1));
    cell.loadRows(values);
    for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments())) {
      values[state] = loadTile(cell.fetchState(cell.initial[i]));
      storeTile(values[state], plan.carrier);
      cell.drainState(wide, k.index(0), cell.finals[i]);
    }
    writeOperands(1, /*half=*/k.index(0), /*iteration=*/k.index(0));
    cell.dispatch();
  }

  void emitPhase(OpBuilder &host) {
    bool last = phase == plan.phases;
    cell.bindSequences();
    cell.bindWeights();
    for (Value state : cell.op().getFinalStates())
      cell.finals.push_back(
          k.bind(k.program().bufferOf(state),
                 last ? tile::Access::ReadWrite : tile::Access::Read));
    if (last)
      cell.bindOutputs();
    bindOperands(phase, tile::Access::Read);
    bindOperands(last ? 1 : phase + 1, tile::Access::Write);
    for (auto &[product, buffer] : scratch.kept)
      kept[product] =
          k.bind(buffer, plan.phase(product) == phase ? tile::Access::Write
                                                      : tile::Access::Read);
    unsigned iteration = k.push(tile::PushKind::Step);
    SmallVector<Value> computed =
        last ? plan.results() : plan.operandsOf(phase + 1);
    if (last)
      llvm::append_range(computed, plan.operandsOf(1));
    begin(computed);
    step = k.pushed(iteration);
    multiply();
    cell.loadRows(values);
    if (last)
      finishStep();
    else
      finishPhase();
    cell.dispatch(&host);
  }

private:
  void bindOperands(unsigned ofPhase, tile::Access access) {
    for (Value operand : plan.operandsOf(ofPhase))
      operands[operand] = k.bind(scratch.operands.lookup(operand), access);
  }

  /// Makes a kernel that computes \p targets.
  void begin(ArrayRef<Value> targets) {
    if (plan.draws(targets))
      cell.bindRandom();
    cell.begin();
    wide = k.shared(tiles.rows, tiles.columns, plan.carrier);
    Type operand = getElementTypeOrSelf(plan.operands.front());
    if (operand != plan.carrier)
      narrow = k.shared(tiles.rows, tiles.columns, operand);
    for (size_t i = 0; i < plan.operandsOf(phase).size(); ++i)
      staged.push_back(k.shared(2 * tiles.rows, tiles.depth, operand));
    active = cell.allocateActive();
    cell.loadRandom(wide);
  }

  /// Elements of the half of operand 1 that iteration \p t reads.
  Value half(Value t) {
    Value odd = arith::RemUIOp::create(b, t, k.index(2));
    return k.mul(k.mul(odd, cell.batch()), cell.op().getWidth());
  }

  /// A matrix from a flight, through shared memory.
  Value loadTile(Value flight) {
    tile::BarrierOp::create(b);
    tile::LandOp::create(b, flight, wide, k.index(0), k.index(0));
    tile::BarrierOp::create(b);
    return emitLoad(k, wide, k.index(0), k.index(0), tiles.rows, tiles.columns,
                    tile::MatrixUse::Acc);
  }

  /// Puts a matrix into shared memory, rounded to \p element; says where.
  Value storeTile(Value matrix, Type element) {
    tile::BarrierOp::create(b);
    bool whole = tiling::roundsAsMatrix(*toScalarType(element),
                                        *toScalarType(plan.carrier));
    Value shared = wide;
    if (whole && element != plan.carrier) {
      shared = narrow;
      matrix = tile::ConvertOp::create(
          b,
          tile::MatrixType::get(tiles.rows, tiles.columns, element,
                                tile::MatrixUse::Acc),
          matrix);
    }
    tile::StoreOp::create(b, matrix, shared, k.index(0), k.index(0));
    tile::BarrierOp::create(b);
    if (whole)
      return shared;
    emitConvertShared(k, wide, k.index(0), narrow, k.index(0), tiles.rows,
                      tiles.columns);
    tile::BarrierOp::create(b);
    return narrow;
  }

  /// Columns from \p at on of an operand of this phase.
  Value fetchOperand(Value operand, Value at) {
    Value base = k.mul(cell.head, plan.headWidth);
    if (phase == 1)
      base = k.add(base, half(step));
    Value left = k.maximum(k.sub(k.index(plan.headWidth), at), k.index(0));
    return emitFetch(k, k.buffer(operands[operand]), k.add(base, at),
                     k.index(cell.op().getWidth()), left, tiles.rows,
                     tiles.depth, [&](Value r) { return cell.batchRow(r); });
  }

  /// The products of this phase: a loop over the columns of their operands,
  /// staged as in Product.cpp.
  void multiply() {
    SmallVector<Value> multiplied = plan.operandsOf(phase);
    SmallVector<rnn::DotOp> dots = plan.dotsOf(phase);
    SmallVector<Value> carried(dots.size(), emitZero(k, cell.accType()));
    for (Value operand : multiplied)
      carried.push_back(fetchOperand(operand, k.index(0)));
    auto loop = scf::ForOp::create(b, k.index(0), k.index(cell.weights.depth),
                                   k.index(tiles.depth), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      scf::YieldOp::create(
          b, multiplyTurn(loop.getInductionVar(), multiplied, dots,
                          SmallVector<Value>(loop.getRegionIterArgs())));
    }
    for (auto [dot, sum] : llvm::zip(dots, loop.getResults()))
      values[dot.getResult()] = sum;
    tile::BarrierOp::create(b);
    keepProducts();
  }

  /// One turn at column \p at: \p carried holds the sums of \p dots and the
  /// columns of \p multiplied that have come; so does the result.
  SmallVector<Value> multiplyTurn(Value at, ArrayRef<Value> multiplied,
                                  ArrayRef<rnn::DotOp> dots,
                                  ArrayRef<Value> carried) {
    Value turn = arith::RemUIOp::create(
        b, arith::DivUIOp::create(b, at, k.index(tiles.depth)), k.index(2));
    Value row = k.mul(turn, tiles.rows);
    for (auto [flight, shared] :
         llvm::zip(carried.drop_front(dots.size()), staged))
      tile::LandOp::create(b, flight, shared, row, k.index(0));
    tile::BarrierOp::create(b);
    SmallVector<Value> next;
    for (Value operand : multiplied)
      next.push_back(fetchOperand(operand, k.add(at, tiles.depth)));
    llvm::DenseMap<Value, Value> rows;
    for (auto [operand, shared] : llvm::zip(multiplied, staged))
      rows[operand] = emitLoad(k, shared, row, k.index(0), tiles.rows,
                               tiles.depth, tile::MatrixUse::A);
    llvm::DenseMap<unsigned, Value> loaded;
    SmallVector<Value> sums;
    for (auto [dot, sum] : llvm::zip(dots, carried)) {
      unsigned index = plan.dots.lookup(dot);
      Value &matrix = loaded[index];
      if (!matrix)
        matrix = cell.loadMatrix(index, at, tiles.depth);
      sums.push_back(tile::MmaOp::create(
          b, sum, rows.lookup(rnn::DotOp(dot).getInput()), matrix));
    }
    llvm::append_range(sums, next);
    return sums;
  }

  /// Puts aside what later phases need of this one's products.
  void keepProducts() {
    for (auto &[product, buffer] : kept) {
      if (plan.phase(product) != phase)
        continue;
      Value shared = storeTile(values[product], plan.carrier);
      cell.drainState(shared, k.index(0), buffer);
    }
  }

  /// Loads what \p targets come from, unless it is here already.
  void loadLeaves(ArrayRef<Value> targets) {
    for (Value leaf : plan.leavesOf(targets)) {
      if (values.contains(leaf))
        continue;
      if (auto slice = llvm::find_if(
              plan.slices,
              [&](const SequenceSlice &slice) { return slice.value == leaf; });
          slice != plan.slices.end())
        values[leaf] = loadTile(cell.fetchSlice(*slice, step));
      else if (kept.contains(leaf))
        values[leaf] = loadTile(cell.fetchState(kept[leaf]));
      else
        values[leaf] = loadTile(cell.fetchState(
            cell.finals[cast<BlockArgument>(leaf).getArgNumber() -
                        cell.op().getSequences().size() -
                        cell.op().getWeights().size()]));
    }
  }

  /// Writes the operands of \p ofPhase at \p iteration from `values`.
  void writeOperands(unsigned ofPhase, Value offset, Value iteration) {
    SmallVector<Value> targets = plan.operandsOf(ofPhase);
    for (auto [target, matrix] :
         llvm::zip(targets, emitPointwise(k, plan, values, targets,
                                          cell.contextAt(iteration)))) {
      Value shared = storeTile(matrix, getElementTypeOrSelf(target));
      emitDrain(k, shared, k.index(0), k.buffer(operands[target]),
                k.add(cell.tileOffset(), offset), k.index(cell.op().getWidth()),
                k.sub(k.index(plan.headWidth), cell.firstColumn), tiles.rows,
                tiles.columns, [&](Value r) { return cell.batchRow(r); });
    }
  }

  void finishPhase() {
    loadLeaves(plan.operandsOf(phase + 1));
    writeOperands(phase + 1, k.index(0), step);
  }

  void finishStep() {
    SmallVector<Value> targets = plan.results();
    auto states = cell.op().getStateArguments();
    SmallVector<Value> old(states.begin(), states.end());
    loadLeaves(targets);
    if (active)
      loadLeaves(old);
    SmallVector<Value> results =
        emitPointwise(k, plan, values, targets, cell.contextAt(step));
    unsigned outputs = cell.outputs.size();
    for (unsigned i = 0; i < outputs; ++i) {
      Type element = getElementTypeOrSelf(cell.op().getOutputs()[i]);
      Value shared = storeTile(results[i], element);
      cell.drainOutput(i, shared, k.index(0), step);
    }
    Value flags;
    if (active) {
      cell.storeActive(step, active, k.index(0));
      tile::BarrierOp::create(b);
      flags = tile::BroadcastColumnOp::create(b, cell.accType(), active,
                                              k.index(0), k.index(0));
    }
    for (auto [i, state] : llvm::enumerate(states)) {
      Value next = results[outputs + i];
      if (flags)
        next = emitSelect(k, flags, next, values[state]);
      results[outputs + i] = next;
    }
    for (auto [i, state] : llvm::enumerate(states)) {
      values[state] = results[outputs + i];
      Value shared = storeTile(values[state], plan.carrier);
      cell.drainState(shared, k.index(0), cell.finals[i]);
    }
    Value following = k.add(step, 1);
    writeOperands(1, half(following), following);
  }

  const CellPlan &plan;
  const TileSizes &tiles;
  const StepScratch &scratch;
  unsigned phase;
  CellKernel cell;
  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  Value step, wide, narrow, active;
  SmallVector<Value> staged; ///< One an operand of this phase.
  CellValues values;
  llvm::DenseMap<Value, unsigned> operands;
  llvm::MapVector<Value, unsigned> kept; ///< Walked: the order is the kernel's.
};

/// The first products' operands are written a step ahead, when only states are
/// known.
LogicalResult checkFirstOperands(const CellPlan &plan) {
  for (Value leaf : plan.leavesOf(plan.operandsOf(1)))
    if (plan.isSlice(leaf))
      return rnn::RecurrenceOp(plan.op).emitOpError(
          "multiplies a value of a sequence by a matrix inside "
          "its body; strategy 'step' takes products of states");
  return success();
}

/// Operand buffers, and buffers for products that later phases need.
StepScratch makeScratch(ProgramBuilder &p, const CellPlan &plan) {
  StepScratch scratch;
  rnn::RecurrenceOp op = plan.op;
  for (Value operand : plan.operands) {
    bool first = llvm::is_contained(plan.operandsOf(1), operand);
    scratch.operands[operand] =
        p.scratch(getElementTypeOrSelf(operand),
                  tile::ExtentAttr::get(p.context(), tile::Symbol::B, 1,
                                        (first ? 2 : 1) * op.getWidth()));
  }
  auto keep = [&](ArrayRef<Value> targets, unsigned phase) {
    for (Value leaf : plan.leavesOf(targets))
      if (leaf.getDefiningOp<rnn::DotOp>() && plan.phase(leaf) < phase &&
          !scratch.kept.contains(leaf))
        scratch.kept[leaf] = p.scratch(
            plan.carrier, tile::ExtentAttr::get(p.context(), tile::Symbol::B, 1,
                                                op.getWidth()));
  };
  for (unsigned phase = 1; phase < plan.phases; ++phase)
    keep(plan.operandsOf(phase + 1), phase);
  keep(plan.results(), plan.phases);
  return scratch;
}

} // namespace

LogicalResult lowerStep(ProgramBuilder &p, rnn::RecurrenceOp op,
                        const TileSizes &tiles) {
  FailureOr<CellPlan> plan = CellPlan::create(op);
  if (failed(plan) || failed(checkFirstOperands(*plan)))
    return failure();
  if (plan->phases == 0)
    return op.emitOpError("has no product in its body; strategy 'step' is for "
                          "cells that have");
  FailureOr<CellWeights> weights = CellWeights::pack(p, *plan, tiles);
  if (failed(weights))
    return failure();
  StepScratch scratch = makeScratch(p, *plan);
  for (Value state : op.getFinalStates())
    p.bufferOf(state);
  for (Value output : op.getOutputs())
    p.bufferOf(output);
  StepKernel(p, *plan, tiles, *weights, scratch, 0, "initial").emitInitial();
  auto repeat = tile::RepeatOp::create(p.host(), op.getLoc(), tile::Symbol::T);
  OpBuilder host = OpBuilder::atBlockEnd(&repeat.getBody().front());
  for (unsigned phase = 1; phase <= plan->phases; ++phase)
    StepKernel(p, *plan, tiles, *weights, scratch, phase, "step")
        .emitPhase(host);
  return success();
}

} // namespace rung
