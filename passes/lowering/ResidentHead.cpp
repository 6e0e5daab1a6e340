//===- ResidentHead.cpp - a whole recurrence in one kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A workgroup keeps the recurrent weights of a head and runs its whole time
// loop; no workgroup waits for another. A step is, with `stages` = 2:
//
//   land the rows of x that were fetched during the last step
//   store the operands of the first products
//   barrier
//   fetch the rows of the next step; write out the outputs of the last one
//   products, gates; further phases store their operand and wait again
//   store the outputs
//
// Shared buffers alternate between even and odd steps, so that one barrier a
// step and phase orders everything. With `stages` = 1 there is one of each, and
// a further barrier ends the step.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/CellKernel.h"
#include "passes/lowering/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

class ResidentHead {
public:
  ResidentHead(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
               const CellWeights &weights)
      : plan(plan), tiles(tiles),
        cell(p, plan, tiles, weights, "resident_head"), k(cell.k), b(k.b()) {
    cell.bindSequences();
    cell.bindWeights();
    cell.bindStates(tile::Access::Read, tile::Access::Write);
    cell.bindOutputs();
    if (cell.op().getRandom())
      cell.bindRandom();
  }

  void emit() {
    cell.begin();
    allocate();
    Value zero = k.index(0);
    cell.loadRows(values);
    mask = plan.dots.empty() ? Value() : cell.loadColumnMask(stages[0]);
    cell.loadRandom(stages[0]);
    for (unsigned i = 0; i < plan.matrices.size(); ++i)
      matrices.push_back(cell.loadMatrix(i, zero, tiles.depth));
    SmallVector<Value> carried = loadStates();
    for (const SequenceSlice &slice : plan.slices)
      carried.push_back(cell.fetchSlice(slice, zero));
    auto loop = scf::ForOp::create(b, zero, cell.steps(), k.index(1), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emitStep(loop);
    }
    finish(loop.getResults().take_front(states()));
    cell.dispatch();
  }

private:
  unsigned states() { return cell.op().getInitial().size(); }

  void allocate() {
    int64_t rows = tiles.stages * tiles.rows;
    size_t narrowed = 1;
    for (unsigned phase = 1; phase <= plan.phases; ++phase)
      narrowed = std::max<size_t>(
          narrowed, llvm::count_if(plan.operandsOf(phase), [&](Value operand) {
            return !roundsAsMatrix(operand);
          }));
    for (size_t i = 0; i < narrowed; ++i)
      stages.push_back(k.shared(tiles.rows, tiles.columns, plan.carrier));
    for (size_t i = 0; i < plan.slices.size(); ++i)
      sliceBuffers.push_back(k.shared(rows, tiles.columns, plan.carrier));
    for (Value operand : plan.operands)
      operandBuffers[operand] =
          k.shared(rows, tiles.columns, getElementTypeOrSelf(operand));
    for (Value output : cell.op().getOutputs())
      outputBuffers.push_back(
          k.shared(rows, tiles.columns, getElementTypeOrSelf(output)));
    active = cell.allocateActive();
  }

  bool roundsAsMatrix(Value operand) {
    return tiling::roundsAsMatrix(*toScalarType(getElementTypeOrSelf(operand)),
                                  *toScalarType(plan.carrier));
  }

  SmallVector<Value> loadStates() {
    SmallVector<Value> result;
    Value stage = stages[0];
    for (unsigned i = 0; i < states(); ++i) {
      Value flight = cell.fetchState(cell.initial[i]);
      tile::LandOp::create(b, flight, stage, k.index(0), k.index(0));
      tile::BarrierOp::create(b);
      result.push_back(emitLoad(k, stage, k.index(0), k.index(0), tiles.rows,
                                tiles.columns, tile::MatrixUse::Acc));
      tile::BarrierOp::create(b);
    }
    return result;
  }

  void emitStep(scf::ForOp loop) {
    step = loop.getInductionVar();
    Value parity = arith::RemUIOp::create(b, step, k.index(2));
    row = tiles.stages == 2 ? k.mul(parity, tiles.rows) : k.index(0);
    auto carried = loop.getRegionIterArgs();
    for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments()))
      values[state] = carried[i];
    for (auto [i, shared] : llvm::enumerate(sliceBuffers))
      tile::LandOp::create(b, carried[states() + i], shared, row, k.index(0));
    if (active)
      cell.storeActive(step, active, parity);
    unsynchronized = true;
    haveSlices = false;
    nextFlights.clear();

    for (unsigned phase = 1; phase <= plan.phases; ++phase)
      emitPhase(phase);
    loadSlices();
    SmallVector<Value> results =
        emitPointwise(k, plan, values, plan.results(), cell.contextAt(step));

    unsigned outputs = cell.op().getOutputs().size();
    for (unsigned i = 0; i < outputs; ++i)
      storeAs(results[i], outputBuffers[i], row);
    SmallVector<Value> next(llvm::drop_begin(results, outputs));
    if (active) {
      Value flags = tile::BroadcastColumnOp::create(b, cell.accType(), active,
                                                    parity, k.index(0));
      for (auto [i, state] : llvm::enumerate(next))
        state = emitSelect(k, flags, state, carried[i]);
    }
    if (tiles.stages == 1) {
      tile::BarrierOp::create(b);
      drainStep(step);
    }
    llvm::append_range(next, nextFlights);
    scf::YieldOp::create(b, next);
  }

  /// Stores the operands of a phase's products, waits, and multiplies.
  void emitPhase(unsigned phase) {
    SmallVector<Value> operands = plan.operandsOf(phase), pending;
    for (Value operand : operands)
      if (staged.insert(operand).second)
        pending.push_back(operand);
    for (Value leaf : plan.leavesOf(pending))
      if (plan.isSlice(leaf))
        loadSlices();
    stageOperands(
        pending, emitPointwise(k, plan, values, pending, cell.contextAt(step)));
    synchronize();
    for (Value operand : operands) {
      Value a = emitLoad(k, operandBuffers[operand], row, k.index(0),
                         tiles.rows, tiles.depth, tile::MatrixUse::A);
      for (rnn::DotOp dot : plan.dotsOf(operand)) {
        Value zero = emitZero(k, cell.accType());
        values[dot.getResult()] =
            tile::MmaOp::create(b, zero, a, matrices[plan.dots.lookup(dot)]);
      }
    }
  }

  /// Puts operands where all subgroups can load them. A padded column is zero,
  /// whatever the cell makes of it, so that the product's padding adds nothing.
  /// Those that can't be rounded as matrices are narrowed in shared memory.
  void stageOperands(ArrayRef<Value> operands, ArrayRef<Value> computed) {
    SmallVector<Value> narrowed;
    for (auto [operand, matrix] : llvm::zip(operands, computed)) {
      Value padded =
          mask ? emitSelect(k, mask, matrix, emitZero(k, cell.accType()))
               : matrix;
      if (roundsAsMatrix(operand)) {
        storeAs(padded, operandBuffers[operand], row);
      } else {
        if (stagesInUse)
          synchronize();
        tile::StoreOp::create(b, padded, stages[narrowed.size()], k.index(0),
                              k.index(0));
        narrowed.push_back(operand);
      }
      unsynchronized = true;
    }
    if (narrowed.empty())
      return;
    synchronize();
    for (auto [operand, stage] : llvm::zip(narrowed, stages))
      emitConvertShared(k, stage, k.index(0), operandBuffers[operand], row,
                        tiles.rows, tiles.columns);
    unsynchronized = stagesInUse = true;
  }

  /// Stores a matrix, rounded to the memory's element type.
  void storeAs(Value matrix, Value shared, Value at) {
    Type element = cast<MemRefType>(shared.getType()).getElementType();
    if (element != plan.carrier)
      matrix = tile::ConvertOp::create(
          b,
          tile::MatrixType::get(tiles.rows, tiles.columns, element,
                                tile::MatrixUse::Acc),
          matrix);
    tile::StoreOp::create(b, matrix, shared, at, k.index(0));
  }

  /// A barrier, if something was stored since the last. Behind a step's first
  /// one, transfers that need no more of this step are set going.
  void synchronize() {
    if (!unsynchronized)
      return;
    tile::BarrierOp::create(b);
    unsynchronized = stagesInUse = false;
    if (nextFlights.empty() && !plan.slices.empty())
      for (const SequenceSlice &slice : plan.slices)
        nextFlights.push_back(cell.fetchSlice(slice, k.add(step, 1)));
    if (!drained && tiles.stages == 2)
      drainPrevious();
    drained = true;
  }

  void loadSlices() {
    if (haveSlices)
      return;
    synchronize();
    haveSlices = true;
    for (auto [i, slice] : llvm::enumerate(plan.slices))
      values[slice.value] =
          emitLoad(k, sliceBuffers[i], row, k.index(0), tiles.rows,
                   tiles.columns, tile::MatrixUse::Acc);
  }

  /// Writes out the outputs of step \p t.
  void drainStep(Value t) {
    Value from =
        tiles.stages == 1
            ? k.index(0)
            : k.mul(arith::RemUIOp::create(b, t, k.index(2)), tiles.rows);
    for (auto [i, shared] : llvm::enumerate(outputBuffers))
      cell.drainOutput(i, shared, from, t);
  }

  void drainPrevious() {
    if (outputBuffers.empty())
      return;
    auto branch = scf::IfOp::create(b, k.less(k.index(0), step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    drainStep(k.sub(step, k.index(1)));
  }

  /// The last outputs and the final states.
  void finish(ValueRange finals) {
    tile::BarrierOp::create(b);
    if (tiles.stages == 2 && !outputBuffers.empty()) {
      auto branch = scf::IfOp::create(b, k.less(k.index(0), cell.steps()));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      drainStep(k.sub(cell.steps(), k.index(1)));
    }
    for (auto [i, state] : llvm::enumerate(finals)) {
      tile::StoreOp::create(b, state, stages[0], k.index(0), k.index(0));
      tile::BarrierOp::create(b);
      cell.drainState(stages[0], k.index(0), cell.finals[i]);
      tile::BarrierOp::create(b);
    }
  }

  const CellPlan &plan;
  const TileSizes &tiles;
  CellKernel cell;
  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  CellValues values;
  Value active, mask;
  SmallVector<Value> stages, sliceBuffers, outputBuffers, matrices;
  llvm::DenseMap<Value, Value> operandBuffers;
  // Of the step that is being emitted.
  Value step, row;
  SmallVector<Value> nextFlights;
  llvm::DenseSet<Value> staged;
  bool unsynchronized = false, haveSlices = false, drained = false;
  bool stagesInUse = false; ///< Read since the last barrier.
};

} // namespace

LogicalResult lowerResidentHead(ProgramBuilder &p, rnn::RecurrenceOp op,
                                const TileSizes &tiles) {
  FailureOr<CellPlan> plan = CellPlan::create(op);
  if (failed(plan))
    return failure();
  FailureOr<CellWeights> weights = CellWeights::pack(p, *plan, tiles);
  if (failed(weights))
    return failure();
  if (!plan->dots.empty() && weights->columns != tiles.columns)
    return op.emitOpError("has heads of ")
           << plan->headWidth << " hidden units and tiles of " << tiles.columns
           << " columns; strategy 'resident-head' keeps a whole head";
  ResidentHead(p, *plan, tiles, *weights).emit();
  return success();
}

} // namespace rung
