//===- ResidentHead.cpp - a whole recurrence in one kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A workgroup keeps the weights of a head and runs its whole time loop; no
// workgroup waits for another. Rows of sequences come in groups of steps, so
// that a wait for memory is paid once a group:
//
//   fetch the next group; run the steps of this one; land the next; barrier
//
// A step, which begins with its products of x and with its first operands in
// shared memory, is:
//
//   products with h; products of the next step's x, which wait for nothing
//   gates; further phases store their operand, wait and multiply
//   store the operands of the next step's first products, and the outputs
//   barrier
//   write out the outputs, if they have not gone straight from the matrices
//
// With `stages` = 2 the buffers of operands and outputs alternate between even
// and odd steps, so that one barrier a step and phase orders everything. With
// `stages` = 1 there is one of each, and a further barrier stands before a
// step's stores. Rows of sequences lie in one buffer: a group's last barrier
// stands between its last read and the next group's landing.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/CellEdges.h"
#include "passes/lowering/CellKernel.h"
#include "passes/lowering/Kernels.h"
#include "passes/lowering/ResidentSums.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

class ResidentHead {
public:
  ResidentHead(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
               const CellWeights &weights)
      : plan(plan), tiles(tiles),
        cell(p, plan, tiles, weights, "resident_head"), k(cell.k), b(k.b()),
        sums(cell, plan, this->tiles) {
    cell.bindSequences();
    cell.bindWeights();
    cell.bindStates(tile::Access::Read, tile::Access::Write);
    cell.bindOutputs();
    if (cell.op().getRandom())
      cell.bindRandom();
  }

  void emit() {
    cell.begin();
    buffers = ResidentBuffers::allocate(cell, plan, tiles);
    active = cell.allocateActive();
    Value zero = k.index(0);
    cell.loadRows(values);
    cell.loadWideRows(edge);
    sums.start(values, edge);
    mask = plan.dots.empty() ? Value() : cell.loadColumnMask(buffers.stages[0]);
    cell.loadRandom(buffers.stages[0]);
    sums.loadWeights();
    if ((whole = cell.isWhole()))
      partial = k.less(cell.batch(), k.add(cell.firstRow, tiles.rows));
    SmallVector<Value> initial = loadStates();
    landGroup(fetchGroup(zero));
    bindStates(initial);
    if (active)
      cell.storeActive(zero, active, zero);
    stagesAhead = plan.phases > 0 && dependOnStatesAlone(plan.operandsOf(1));
    if (stagesAhead)
      stage(plan.operandsOf(1), zero, zero);
    tile::BarrierOp::create(b);
    auto loop = scf::ForOp::create(b, zero, cell.steps(), k.index(tiles.group),
                                   initial);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emitGroup(loop);
    }
    finish(loop.getResults());
    cell.dispatch();
  }

private:
  unsigned states() { return cell.initial.size(); }

  bool dependOnStatesAlone(ArrayRef<Value> operands) {
    return llvm::all_of(plan.leavesOf(operands), [&](Value leaf) {
      return plan.isState(leaf) || plan.isFixed(leaf);
    });
  }

  SmallVector<Value> loadStates() {
    SmallVector<Value> result;
    Value stage = buffers.stages[0];
    for (unsigned buffer : cell.initial) {
      Value flight = cell.fetchState(buffer);
      tile::LandOp::create(b, flight, stage, k.index(0), k.index(0));
      tile::BarrierOp::create(b);
      result.push_back(emitLoad(k, stage, k.index(0), k.index(0), tiles.rows,
                                tiles.columns, tile::MatrixUse::Acc));
      tile::BarrierOp::create(b);
    }
    return result;
  }

  void bindStates(ValueRange states) {
    for (auto [argument, state] :
         llvm::zip_equal(cell.op().getStateArguments(), states))
      values[argument] = state;
  }

  //===--------------------------------------------------------------------===//
  // Groups of steps
  //===--------------------------------------------------------------------===//

  /// Rows of all sequences from \p step on, on their way.
  SmallVector<Value> fetchGroup(Value step) {
    SmallVector<Value> flights;
    for (const SequenceSlice &slice : plan.slices)
      flights.push_back(cell.fetchSlices(slice, step));
    for (const InputRow &input : plan.inputs)
      flights.push_back(cell.fetchInputs(input, step));
    return flights;
  }

  void landGroup(ArrayRef<Value> flights) {
    auto land = [&](Value flight, Value shared) {
      Type element = cast<MemRefType>(shared.getType()).getElementType();
      tile::LandOp::create(b, emitConvertFlight(k, flight, element), shared,
                           k.index(0), k.index(0));
    };
    for (auto [flight, shared] : llvm::zip(flights, buffers.slices))
      land(flight, shared);
    for (auto [flight, shared] :
         llvm::zip(flights.drop_front(buffers.slices.size()), buffers.inputs))
      land(flight, shared);
  }

  void emitGroup(scf::ForOp loop) {
    Value first = loop.getInductionVar();
    Value next = k.add(first, tiles.group);
    SmallVector<Value> flights = fetchGroup(next);
    Value end = b.createOrFold<arith::MinSIOp>(next, cell.steps());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    llvm::append_range(carried, sums.multiplyInputs(buffers, k.index(0), edge));
    SmallVector<Value> results = emitSteps(first, end, carried);
    landGroup(flights);
    tile::BarrierOp::create(b);
    scf::YieldOp::create(b, results);
  }

  /// The steps of a group; gives the states behind them.
  SmallVector<Value> emitSteps(Value first, Value end, ValueRange carried) {
    auto emitLoop = [&] {
      auto steps = scf::ForOp::create(b, first, end, k.index(1), carried);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(steps.getBody());
      emitStep(steps, first);
      return steps.getResults().take_front(states());
    };
    if (!whole || !tiles.twoLoops)
      return emitLoop();
    auto branch = scf::IfOp::create(b, TypeRange(carried.take_front(states())),
                                    whole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    for (bool direct : {true, false}) {
      outputs = direct ? Outputs::Direct : Outputs::Shared;
      b.setInsertionPointToStart(direct ? branch.thenBlock()
                                        : branch.elseBlock());
      scf::YieldOp::create(b, emitLoop());
    }
    return branch.getResults();
  }

  //===--------------------------------------------------------------------===//
  // A step
  //===--------------------------------------------------------------------===//

  void emitStep(scf::ForOp loop, Value firstOfGroup) {
    Value step = loop.getInductionVar();
    Value parity = arith::RemUIOp::create(b, step, k.index(2));
    Value row = tiles.stages == 2 ? k.mul(parity, tiles.rows) : k.index(0);
    ValueRange carried = loop.getRegionIterArgs();
    bindStates(carried.take_front(states()));
    sums.bind(carried.drop_front(states()), values);
    Value position = k.sub(step, firstOfGroup);
    SmallVector<Value> ahead;
    loadSlices(position);
    for (unsigned phase = 1; phase <= plan.phases; ++phase) {
      if (phase > 1 || !stagesAhead) {
        stage(plan.operandsOf(phase), row, step);
        tile::BarrierOp::create(b);
      }
      sums.multiply(phase, buffers, row, values);
      if (phase == 1)
        ahead = multiplyNextInputs(position);
    }
    if (ahead.empty())
      ahead = multiplyNextInputs(position);
    SmallVector<Value> results = emitWithEdges(
        k, plan, values, edge, plan.results(), cell.contextAt(step));
    unsigned count = cell.op().getOutputs().size();
    SmallVector<Value> next(llvm::drop_begin(results, count));
    if (active) {
      Value flags = tile::BroadcastColumnOp::create(b, cell.accType(), active,
                                                    parity, k.index(0));
      for (auto [i, state] : llvm::enumerate(next))
        state = emitSelect(k, flags, state, carried[i]);
    }
    if (tiles.stages == 1) // What this step reads is overwritten below.
      tile::BarrierOp::create(b);
    // What other subgroups wait for goes first.
    prepareNext(next, k.add(step, 1), row, parity);
    storeOutputs(ArrayRef(results).take_front(count), row, step);
    tile::BarrierOp::create(b);
    drainOutputs(row, step);
    llvm::append_range(next, ahead);
    scf::YieldOp::create(b, next);
  }

  /// Sums of the step behind \p position in the group. Behind the last there is
  /// none: what is computed then is dropped.
  SmallVector<Value> multiplyNextInputs(Value position) {
    Value next = b.createOrFold<arith::MinSIOp>(k.add(position, 1),
                                                k.index(tiles.group - 1));
    return sums.multiplyInputs(buffers, k.mul(next, tiles.rows), edge);
  }

  void loadSlices(Value position) {
    for (auto [slice, shared] : llvm::zip(plan.slices, buffers.slices))
      values[slice.value] =
          emitLoad(k, shared, k.mul(position, tiles.rows), k.index(0),
                   tiles.rows, tiles.columns, tile::MatrixUse::Acc);
  }

  /// Outputs of a whole tile go straight to where they belong; others, through
  /// shared memory, where their rows can be told apart.
  void storeOutputs(ArrayRef<Value> results, Value row, Value step) {
    auto store = [&] {
      for (auto [result, shared] : llvm::zip(results, buffers.outputs))
        emitStoreAs(k, result, shared, row);
    };
    auto storeDirectly = [&] {
      for (auto [i, result] : llvm::enumerate(results))
        cell.storeOutput(i, result, step);
    };
    if (outputs == Outputs::Direct)
      return storeDirectly();
    if (outputs == Outputs::Shared || !whole || results.empty())
      return store();
    auto branch = scf::IfOp::create(b, whole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    storeDirectly();
    b.setInsertionPointToStart(branch.elseBlock());
    store();
  }

  void drainOutputs(Value row, Value step) {
    if (outputs == Outputs::Direct)
      return;
    OpBuilder::InsertionGuard guard(b);
    if (outputs == Outputs::Either && partial && !buffers.outputs.empty())
      b.setInsertionPointToStart(scf::IfOp::create(b, partial).thenBlock());
    for (auto [i, shared] : llvm::enumerate(buffers.outputs))
      cell.drainOutput(i, shared, row, step);
  }

  /// What step \p step will need before its first barrier.
  void prepareNext(ArrayRef<Value> states, Value step, Value row,
                   Value parity) {
    if (active)
      cell.storeActive(step, active, k.sub(k.index(1), parity));
    if (!stagesAhead)
      return;
    bindStates(states);
    Value other =
        tiles.stages == 2 ? k.sub(k.index(tiles.rows), row) : k.index(0);
    stage(plan.operandsOf(1), other, step);
  }

  /// Puts operands of step \p step where all subgroups can load them behind
  /// the next barrier. A padded column is zero, whatever the cell makes of it,
  /// so that the product's padding adds nothing. Those that can't be rounded as
  /// matrices are narrowed in shared memory.
  void stage(ArrayRef<Value> operands, Value row, Value step) {
    SmallVector<Value> computed =
        emitPointwise(k, plan, values, operands, cell.contextAt(step));
    SmallVector<Value> narrowed;
    for (auto [operand, matrix] : llvm::zip(operands, computed)) {
      Value padded =
          mask ? emitSelect(k, mask, matrix, emitZero(k, cell.accType()))
               : matrix;
      if (roundsAsMatrix(plan, operand)) {
        emitStoreAs(k, padded, buffers.operands[operand], row);
        continue;
      }
      tile::StoreOp::create(b, padded, buffers.stages[narrowed.size()],
                            k.index(0), k.index(0));
      narrowed.push_back(operand);
    }
    if (narrowed.empty())
      return;
    tile::BarrierOp::create(b);
    for (auto [operand, stage] : llvm::zip(narrowed, buffers.stages))
      emitConvertShared(k, stage, k.index(0), buffers.operands[operand], row,
                        tiles.rows, tiles.columns);
  }

  /// Writes the final states.
  void finish(ValueRange finals) {
    tile::BarrierOp::create(b);
    for (auto [i, state] : llvm::enumerate(finals)) {
      tile::StoreOp::create(b, state, buffers.stages[0], k.index(0),
                            k.index(0));
      tile::BarrierOp::create(b);
      cell.drainState(buffers.stages[0], k.index(0), cell.finals[i]);
      tile::BarrierOp::create(b);
    }
  }

  const CellPlan &plan;
  const TileSizes &tiles;
  CellKernel cell;
  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  ResidentSums sums;
  CellValues values, edge; ///< `edge`: rows at the body's edge.
  ResidentBuffers buffers;
  Value active, mask;
  Value whole, partial; ///< Whether the tile's rows all exist, and if not.
  /// Where a step's outputs go: straight to global memory, through shared
  /// memory, or as `whole` says.
  enum class Outputs { Direct, Shared, Either } outputs = Outputs::Either;
  /// Whether a step stores the operands of the next one's first products.
  bool stagesAhead = false;
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
  plan->gatherSums(/*fold=*/tiles.layout.getCooperative());
  ResidentHead(p, *plan, tiles, *weights).emit();
  return success();
}

} // namespace rung
