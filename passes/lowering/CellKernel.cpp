//===- CellKernel.cpp - what kernels of a recurrence share ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using rung::tiling::roundUp;

namespace rung {

FailureOr<CellWeights> CellWeights::pack(ProgramBuilder &p,
                                         const CellPlan &plan,
                                         const TileSizes &tiles,
                                         int64_t parts) {
  CellWeights w;
  w.columns = roundUp(plan.headWidth, tiles.columns);
  w.depth = roundUp(plan.headWidth, tiles.depth);
  if (!plan.dots.empty()) {
    FailureOr<Value> matrices = packMatrices(p, plan, w.columns, w.depth);
    if (failed(matrices))
      return failure();
    w.matrices = *matrices;
  }
  w.inputDepth = roundUp(plan.inputWidth, tiles.layout.getK() * parts);
  if (!plan.inputMatrices.empty()) {
    FailureOr<Value> inputs =
        packInputMatrices(p, plan, w.columns, w.inputDepth, plan.operandType);
    if (failed(inputs))
      return failure();
    w.inputMatrices = *inputs;
  }
  if (!plan.rows.empty()) {
    FailureOr<Value> rows =
        packRows(p, plan, plan.rows, w.columns, plan.carrier);
    if (failed(rows))
      return failure();
    w.rows = *rows;
  }
  if (!plan.wideRows.empty()) {
    FailureOr<Value> rows = packRows(p, plan, plan.wideRows, w.columns,
                                     Float32Type::get(p.context()));
    if (failed(rows))
      return failure();
    w.wideRows = *rows;
  }
  if (!plan.tables.empty()) {
    FailureOr<Value> tables = packTables(p, plan);
    if (failed(tables))
      return failure();
    w.tables = *tables;
  }
  return w;
}

CellKernel::CellKernel(ProgramBuilder &p, const CellPlan &plan,
                       const TileSizes &tiles, const CellWeights &weights,
                       StringRef stem)
    : plan(plan), tiles(tiles), weights(weights),
      k(p, rnn::RecurrenceOp(plan.op).getLoc(), stem, tiles.layout),
      steps_(k.push(tile::PushKind::T)), batch_(k.push(tile::PushKind::B)) {}

void CellKernel::bindSequences() {
  for (OpOperand &sequence : op().getSequencesMutable())
    sequences.push_back(
        k.bind(k.program().bufferOf(roundsInKernel(sequence)
                                        ? seeThroughCast(sequence.get())
                                        : sequence.get()),
               tile::Access::Read));
  if (hasLengths())
    lengths_ =
        k.bind(k.program().bufferOf(op().getLengths()), tile::Access::Read);
}

void CellKernel::bindStates(tile::Access initialAccess,
                            tile::Access finalAccess) {
  for (Value state : op().getInitial())
    initial.push_back(k.bind(k.program().bufferOf(state), initialAccess));
  for (Value state : op().getFinalStates())
    finals.push_back(k.bind(k.program().bufferOf(state), finalAccess));
}

void CellKernel::bindOutputs() {
  for (Value output : op().getOutputs())
    outputs.push_back(
        k.bind(k.program().bufferOf(output), tile::Access::Write));
}

void CellKernel::bindWeights() {
  if (weights.matrices)
    matrices_ = k.bind(weights.matrices, tile::Access::Read);
  if (weights.inputMatrices)
    inputMatrices_ = k.bind(weights.inputMatrices, tile::Access::Read);
  if (weights.rows)
    rows_ = k.bind(weights.rows, tile::Access::Read);
  if (weights.wideRows)
    wideRows_ = k.bind(weights.wideRows, tile::Access::Read);
  if (weights.tables)
    tables_ = k.bind(weights.tables, tile::Access::Read);
}

void CellKernel::bindRandom() {
  random_ = k.bind(k.program().bufferOf(op().getRandom()), tile::Access::Read);
}

void CellKernel::begin() {
  k.begin();
  if (StringRef format = forbiddenFormat(op()); !format.empty())
    k.kernel()->setAttr(kForbidAttr, k.b().getStringAttr(format));
  if (hasEdges())
    k.kernel()->setAttr(kEdgesAttr, k.b().getUnitAttr());
  head = k.block(gpu::Dimension::x);
  firstRow = k.mul(k.block(gpu::Dimension::y), tiles.rows);
  firstColumn = weights.columns == tiles.columns
                    ? k.index(0)
                    : k.mul(k.block(gpu::Dimension::z), tiles.columns);
  if (tables_)
    context_.tables = k.buffer(*tables_);
}

/// Whether f32 enters or leaves a kernel whose carrier is another format.
bool CellKernel::hasEdges() {
  if (carrier().isF32())
    return false;
  return llvm::any_of(op().getStep(),
                      [&](Operation &step) { return plan.isEdge(&step); }) ||
         llvm::any_of(op().getSequencesMutable(), [](OpOperand &sequence) {
           return roundsInKernel(sequence) &&
                  getElementTypeOrSelf(seeThroughCast(sequence.get())).isF32();
         });
}

void CellKernel::dispatch(OpBuilder *host) {
  MLIRContext *context = k.b().getContext();
  k.dispatch({tile::ExtentAttr::get(context, plan.heads),
              tile::ExtentAttr::get(context, tile::Symbol::B, tiles.rows, 1),
              tile::ExtentAttr::get(context, weights.columns / tiles.columns)},
             host);
}

Value CellKernel::batchRow(Value r) {
  return k.rowBelow(k.add(firstRow, r), batch());
}

Value CellKernel::lengthOf(Value r) {
  auto &b = k.b();
  Value last = k.sub(batch(), k.index(1));
  Value row = b.createOrFold<arith::MinSIOp>(k.add(firstRow, r), last);
  Value length = arith::IndexCastOp::create(
      b, b.getIndexType(), memref::LoadOp::create(b, k.buffer(*lengths_), row));
  return b.createOrFold<arith::MinSIOp>(k.maximum(length, k.index(0)), steps());
}

Value CellKernel::sequenceRow(Value step, Value r) {
  Value end = hasLengths() ? lengthOf(r) : steps();
  Value time = isReversed() ? k.sub(k.sub(end, k.index(1)), step) : step;
  Value row = k.add(k.mul(time, batch()), k.add(firstRow, r));
  Value inBatch = k.less(k.add(firstRow, r), batch());
  Value exists = arith::AndIOp::create(k.b(), inBatch, k.less(step, end));
  return k.select(exists, row, k.index(-1));
}

std::pair<Value, Value> CellKernel::outputRow(Value step, Value r) {
  if (!hasLengths()) {
    Value keep = arith::ConstantOp::create(k.b(), k.b().getBoolAttr(true));
    return {sequenceRow(step, r), keep};
  }
  Value end = lengthOf(r);
  Value active = k.less(step, end);
  Value time = isReversed()
                   ? k.select(active, k.sub(k.sub(end, k.index(1)), step), step)
                   : step;
  Value row = k.add(k.mul(time, batch()), k.add(firstRow, r));
  Value inBatch = k.less(k.add(firstRow, r), batch());
  return {k.select(inBatch, row, k.index(-1)), active};
}

Value CellKernel::allocateActive() {
  return hasLengths() ? k.shared(2, tiles.rows, carrier()) : Value();
}

void CellKernel::storeActive(Value step, Value shared, Value row) {
  auto &b = k.b();
  Value thread = k.thread();
  auto branch = scf::IfOp::create(b, k.less(thread, k.index(tiles.rows)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value active = k.less(step, lengthOf(thread));
  memref::StoreOp::create(b, k.indicator(active, carrier()), shared,
                          ValueRange{row, thread});
}

Value CellKernel::nearestRow(Value step, Value r) {
  auto &b = k.b();
  Value one = k.index(1), end = hasLengths() ? lengthOf(r) : steps();
  Value last = k.sub(end, one);
  Value time = b.createOrFold<arith::MinSIOp>(step, last);
  if (isReversed())
    time = k.sub(last, time);
  Value row =
      b.createOrFold<arith::MinSIOp>(k.add(firstRow, r), k.sub(batch(), one));
  return k.maximum(k.add(k.mul(time, batch()), row), k.index(0));
}

Value CellKernel::tileOffset() {
  return k.add(k.mul(head, plan.headWidth), firstColumn);
}

/// Rows of a sequence at the steps of a group from \p first on, to land as
/// \p lands. Where there is no row, it is another: what is computed of it is
/// dropped.
Value CellKernel::fetchGroup(unsigned sequence, Value base, Value limit,
                             int64_t columns, Value first, Type lands) {
  Value tensor = op().getSequences()[sequence];
  return emitFetch(
      k, k.buffer(sequences[sequence]), base,
      k.index(ProgramBuilder::rowWidth(tensor)), limit,
      tiles.group * tiles.rows, columns,
      [&](Value r) {
        Value rows = k.index(tiles.rows);
        Value step = arith::DivUIOp::create(k.b(), r, rows);
        return nearestRow(k.add(first, step),
                          arith::RemUIOp::create(k.b(), r, rows));
      },
      lands);
}

Value CellKernel::fetchSlices(const SequenceSlice &slice, Value step) {
  return fetchGroup(slice.sequence, k.add(tileOffset(), slice.offset),
                    k.sub(k.index(plan.headWidth), firstColumn), tiles.columns,
                    step, carrier());
}

Value CellKernel::fetchInputs(const InputRow &input, Value step) {
  return fetchGroup(input.sequence, k.index(0), k.index(input.width),
                    weights.inputDepth, step, plan.operandType);
}

Value CellKernel::fetchSlice(const SequenceSlice &slice, Value step) {
  Value tensor = op().getSequences()[slice.sequence];
  Value flight = emitFetch(
      k, k.buffer(sequences[slice.sequence]), k.add(tileOffset(), slice.offset),
      k.index(ProgramBuilder::rowWidth(tensor)),
      k.sub(k.index(plan.headWidth), firstColumn), tiles.rows, tiles.columns,
      [&](Value r) { return sequenceRow(step, r); }, carrier());
  return emitConvertFlight(k, flight, carrier());
}

Value CellKernel::fetchState(unsigned buffer) {
  return emitFetch(k, k.buffer(buffer), tileOffset(), k.index(op().getWidth()),
                   k.sub(k.index(plan.headWidth), firstColumn), tiles.rows,
                   tiles.columns, [&](Value r) { return batchRow(r); });
}

void CellKernel::drainState(Value shared, Value row, unsigned buffer) {
  emitDrain(k, shared, row, k.buffer(buffer), tileOffset(),
            k.index(op().getWidth()),
            k.sub(k.index(plan.headWidth), firstColumn), tiles.rows,
            tiles.columns, [&](Value r) { return batchRow(r); });
}

void CellKernel::drainOutput(unsigned output, Value shared, Value row,
                             Value step) {
  emitDrainOrZero(k, shared, row, k.buffer(outputs[output]), tileOffset(),
                  k.index(op().getWidth()),
                  k.sub(k.index(plan.headWidth), firstColumn), tiles.rows,
                  tiles.columns, [&](Value r) { return outputRow(step, r); });
}

Value CellKernel::isWhole() {
  bool aligned = llvm::all_of(op().getOutputs(), [&](Value output) {
    Type element = getElementTypeOrSelf(output);
    return (element == carrier() || plan.isWide(output)) &&
           plan.headWidth * byteWidth(element) % 16 == 0;
  });
  if (!tiles.layout.getCooperative() || hasLengths() || isPadded() || !aligned)
    return {};
  return k.less(k.add(firstRow, tiles.rows - 1), batch());
}

void CellKernel::storeOutput(unsigned output, Value matrix, Value step) {
  Value time = isReversed() ? k.sub(k.sub(steps(), k.index(1)), step) : step;
  Value row = k.add(k.mul(time, batch()), firstRow);
  Value base = k.add(k.mul(row, op().getWidth()), tileOffset());
  tile::StoreGlobalOp::create(k.b(), matrix, k.buffer(outputs[output]), base,
                              k.index(op().getWidth()));
}

void CellKernel::loadRows(ArrayRef<WeightRow> rows, unsigned buffer,
                          CellValues &values) {
  Value memory = k.buffer(buffer);
  auto type = accType(cast<MemRefType>(memory.getType()).getElementType());
  for (auto [i, row] : llvm::enumerate(rows)) {
    Value base =
        k.add(k.mul(k.add(head, int64_t(i) * plan.heads), weights.columns),
              firstColumn);
    values[row.value] = tile::BroadcastRowOp::create(k.b(), type, memory, base);
  }
}

void CellKernel::loadRows(CellValues &values) {
  if (rows_)
    loadRows(plan.rows, *rows_, values);
}

void CellKernel::loadWideRows(CellValues &values) {
  if (wideRows_)
    loadRows(plan.wideRows, *wideRows_, values);
}

Value CellKernel::loadMatrix(unsigned index, Value at, int64_t depth) {
  Value column =
      k.add(k.mul(k.add(head, int64_t(index) * plan.heads), weights.columns),
            firstColumn);
  Value base = k.add(k.mul(column, weights.depth), at);
  return emitLoadPacked(k, k.buffer(*matrices_), base, weights.depth, depth,
                        tiles.columns);
}

Value CellKernel::loadInputMatrix(unsigned index) {
  Value column =
      k.add(k.mul(k.add(head, int64_t(index) * plan.heads), weights.columns),
            firstColumn);
  return emitLoadPacked(k, k.buffer(*inputMatrices_),
                        k.mul(column, weights.inputDepth), weights.inputDepth,
                        weights.inputDepth, tiles.columns);
}

Value CellKernel::loadOfPosition(
    Value stage, llvm::function_ref<Value(Value row, Value column)> emit) {
  auto &b = k.b();
  auto loop =
      scf::ForOp::create(b, k.thread(), k.index(tiles.rows * tiles.columns),
                         k.index(tiles.layout.getThreads()));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value width = k.index(tiles.columns), i = loop.getInductionVar();
    Value column = arith::RemUIOp::create(b, i, width);
    Value row = arith::DivUIOp::create(b, i, width);
    memref::StoreOp::create(b, emit(row, column), stage,
                            ValueRange{row, column});
  }
  tile::BarrierOp::create(b);
  Value matrix = emitLoad(k, stage, k.index(0), k.index(0), tiles.rows,
                          tiles.columns, tile::MatrixUse::Acc);
  tile::BarrierOp::create(b);
  return matrix;
}

Value CellKernel::loadColumnMask(Value stage) {
  if (!isPadded())
    return {};
  Value exists = k.sub(k.index(plan.headWidth), firstColumn);
  return loadOfPosition(stage, [&](Value, Value column) {
    return k.indicator(k.less(column, exists), carrier());
  });
}

void CellKernel::loadRandom(Value stage) {
  if (!random_)
    return;
  context_.rows = loadOfPosition(
      stage, [&](Value row, Value) { return k.number(row, carrier()); });
  context_.columns = loadOfPosition(
      stage, [&](Value, Value column) { return k.number(column, carrier()); });
  context_.firstRow = firstRow;
  context_.firstColumn = tileOffset();
  context_.states = k.shared(tiles.rows, 3, k.b().getI32Type());
  Value flight =
      emitFetch(k, k.buffer(*random_), k.index(0), k.index(3), k.index(3),
                tiles.rows, 3, [&](Value r) { return batchRow(r); });
  tile::LandOp::create(k.b(), flight, context_.states, k.index(0), k.index(0));
  tile::BarrierOp::create(k.b());
}

const CellContext &CellKernel::contextAt(Value iteration) {
  context_.iteration = iteration;
  return context_;
}

tile::MatrixType CellKernel::accType(Type element) {
  return tile::MatrixType::get(tiles.rows, tiles.columns,
                               element ? element : carrier(),
                               tile::MatrixUse::Acc);
}

} // namespace rung
