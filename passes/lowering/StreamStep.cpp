//===- StreamStep.cpp - a step that awaits its input ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One kernel does one step of one row. It is submitted before the step's input
// is there, and so begins with all that needs none:
//
//   weights -> registers; states -> operands; products with states
//   await the step's number, which the host writes behind the input
//   fetch the input; products with it; gates
//   outputs, as words that carry the number; the next states
//
// A workgroup needs nothing of the others: each computes all operands, and its
// own units of the rest. States are read from one buffer and written to
// another, so that a step can be done again. One that waits too long sets the
// word behind the number, by which those behind it don't wait at all, and
// writes nothing.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/CellKernel.h"
#include "passes/lowering/GridOperands.h"
#include "passes/lowering/Kernels.h"
#include "passes/lowering/Stream.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

/// Looks at the number before a step gives up: milliseconds on a device.
constexpr int32_t kStepPolls = 1 << 15;

class StreamKernel {
public:
  StreamKernel(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
               const CellWeights &weights)
      : plan(plan), tiles(tiles), cell(p, plan, tiles, weights, "stream"),
        k(cell.k), b(k.b()) {
    k.moveAtMost(1);
    cell.bindSequences();
    cell.bindWeights();
    cell.bindStates(tile::Access::Read, tile::Access::Write);
    for (Value output : cell.op().getOutputs())
      outputs.push_back(k.bind(wordsOf(output), tile::Access::Write));
    signals = k.bind(p.progress(/*words=*/2), tile::Access::ReadWrite);
    number = k.push(tile::PushKind::Step);
  }

  void emit() {
    cell.begin();
    allocate();
    cell.fetchRows(values);
    for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments()))
      values[state] = cell.fetchState(cell.initial[i]);
    multiplyStates();
    SmallVector<Value> inputs;
    for (unsigned i = 0; i < plan.inputMatrices.size(); ++i)
      inputs.push_back(cell.loadInputSplit(i));
    auto arrived = scf::IfOp::create(b, awaitNumber());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(arrived.thenBlock());
      multiplyInputs(inputs);
      finishStep();
    }
    dispatch();
  }

private:
  /// The buffer of an output of the recurrence, which is one of the function.
  Value wordsOf(Value output) {
    ProgramBuilder &p = k.program();
    auto ret = cast<func::ReturnOp>(p.function().front().getTerminator());
    auto port = llvm::find(ret.getOperands(), output);
    int64_t words = wordsPerElement(output) * ProgramBuilder::rowWidth(output);
    auto buffer = tile::BufferOp::create(
        p.host(), p.loc(), b.getI32Type(), tile::BufferRole::Output,
        int64_t(std::distance(ret.getOperands().begin(), port)),
        tile::ExtentAttr::get(p.context(), words * 4));
    buffer->setAttr(kWordsAttr, b.getUnitAttr());
    return buffer;
  }

  static int64_t wordsPerElement(Value output) {
    return byteWidth(getElementTypeOrSelf(output)) > 2 ? 2 : 1;
  }

  int64_t parts() const { return tiles.layout.getSubgroups(); }
  int64_t products() const {
    int64_t count = plan.dots.size();
    for (const InputRow &input : plan.inputs)
      count += input.products.size();
    return count;
  }

  void allocate() {
    for (Value operand : plan.operands)
      operands[operand] =
          k.shared(1, tiles.depth, getElementTypeOrSelf(operand));
    for (size_t i = 0; i < plan.inputs.size(); ++i)
      rows.push_back(k.shared(1, cell.weights.inputDepth, plan.operandType));
    sums = k.sharedExactly(
        products() * parts() * tiles.layout.getN(),
        tiling::gridSumPitch(tiles.columns, *toScalarType(plan.carrier)),
        plan.carrier);
  }

  /// All elements of the operands, from all of the states.
  void multiplyStates() {
    CellValues whole;
    for (auto [i, state] : llvm::enumerate(cell.op().getStateArguments()))
      whole[state] = emitFetch(k, k.buffer(cell.initial[i]),
                               k.mul(cell.head, plan.headWidth), k.index(0),
                               k.index(plan.headWidth), 1, tiles.depth,
                               [&](Value) { return k.index(0); });
    SmallVector<Value> targets = plan.operandsOf(1);
    SmallVector<Value> computed =
        emitPointwise(k, plan, whole, targets, cell.contextAt(k.index(0)));
    for (auto [operand, flight] : llvm::zip(targets, computed))
      tile::LandOp::create(
          b, emitConvertFlight(k, flight, getElementTypeOrSelf(operand)),
          operands[operand], k.index(0), k.index(0));
    SmallVector<Value> matrices;
    for (unsigned i = 0; i < plan.matrices.size(); ++i)
      matrices.push_back(cell.loadSplit(i));
    tile::BarrierOp::create(b);
    for (Value operand : targets) {
      SmallVector<Value> weights;
      int64_t first = places.size();
      for (rnn::DotOp dot : plan.dotsOf(operand)) {
        places.push_back(dot.getResult());
        weights.push_back(matrices[plan.dots.lookup(dot)]);
      }
      tile::SplitMmaOp::create(b, weights, operands[operand], sums, first,
                               /*broadcast=*/true);
    }
  }

  /// Whether the number came: what the workgroup's first thread has seen.
  Value awaitNumber() {
    Value words = k.buffer(signals), one = k.index(1);
    Value zero = constant(0);
    Value given =
        tile::AtomicOp::create(b, b.getI32Type(), tile::AtomicKind::Or, zero,
                               words, one, tile::Order::Relaxed);
    Value free =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, given, zero);
    Value polls = arith::SelectOp::create(b, free, constant(kStepPolls), zero);
    auto flight = tile::FlightType::get(1, 1, b.getI32Type());
    auto await =
        tile::AwaitOp::create(b, flight, b.getI32Type(), words, k.index(0), one,
                              k.pushed(number), polls, words, one);
    Value seen =
        tile::ReduceOp::create(b, tile::Reduction::Min, await.getLeft());
    tile::BarrierOp::create(b).setGlobal(true);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, seen, zero);
  }

  Value constant(int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }

  /// What of the sequences' rows the gates need, and the products with them.
  void multiplyInputs(ArrayRef<Value> matrices) {
    for (const SequenceSlice &slice : plan.slices)
      values[slice.value] = cell.fetchSlice(slice, k.index(0));
    for (auto [input, shared] : llvm::zip(plan.inputs, rows))
      tile::LandOp::create(
          b,
          emitConvertFlight(k, cell.fetchInputs(input, k.index(0)),
                            plan.operandType),
          shared, k.index(0), k.index(0));
    tile::BarrierOp::create(b);
    for (auto [input, shared] : llvm::zip(plan.inputs, rows)) {
      SmallVector<Value> weights;
      int64_t first = places.size();
      for (const InputProduct &product : input.products) {
        places.push_back(rnn::InputDotOp(product.dot).getResult());
        weights.push_back(matrices[product.matrix]);
      }
      tile::SplitMmaOp::create(b, weights, shared, sums, first,
                               /*broadcast=*/true);
    }
    if (!plan.inputs.empty())
      tile::BarrierOp::create(b);
    auto type = tile::FlightType::get(1, tiles.columns, plan.carrier);
    for (auto [place, product] : llvm::enumerate(places)) {
      SmallVector<Value> lifted;
      for (int64_t part = 0; part < parts(); ++part)
        lifted.push_back(tile::LiftOp::create(
            b, type, sums,
            k.index((int64_t(place) * parts() + part) * tiles.layout.getN()),
            k.index(0)));
      values[product] = emitSum(k, lifted);
    }
  }

  void finishStep() {
    SmallVector<Value> results = emitPointwise(k, plan, values, plan.results(),
                                               cell.contextAt(k.index(0)));
    for (auto [i, output] : llvm::enumerate(cell.op().getOutputs()))
      publish(emitConvertFlight(k, results[i], getElementTypeOrSelf(output)),
              output, outputs[i]);
    for (auto [state, buffer] :
         llvm::zip(llvm::drop_begin(results, outputs.size()), cell.finals))
      cell.writeState(state, buffer);
  }

  void publish(Value flight, Value output, unsigned buffer) {
    for (int64_t word = 0; word < wordsPerElement(output); ++word) {
      OpBuilder::InsertionGuard guard(b);
      Value base = k.add(cell.tileOffset(), word * cell.op().getWidth());
      tile::PublishOp::create(
          b, bitsOf(flight, 16 * word), k.buffer(buffer), base, k.index(0),
          k.sub(k.index(plan.headWidth), cell.firstColumn), k.pushed(number),
          atBuilder(k, [&](Value) { return k.index(0); }));
    }
  }

  /// The bits of a flight's elements from \p shift on, as words.
  Value bitsOf(Value flight, int64_t shift) {
    auto from = cast<tile::FlightType>(flight.getType());
    auto type = tile::FlightType::get(from.getRows(), from.getColumns(),
                                      b.getI32Type());
    auto map = tile::MapOp::create(
        b, TypeRange{type}, ValueRange{flight},
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          Value bits = elements[0];
          unsigned width = from.getElementType().getIntOrFloatBitWidth();
          if (isa<FloatType>(bits.getType()))
            bits = arith::BitcastOp::create(
                builder, loc, builder.getIntegerType(width), bits);
          if (width < 32)
            bits = arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                          bits);
          if (shift != 0)
            bits = arith::ShRUIOp::create(
                builder, loc, bits,
                arith::ConstantOp::create(
                    builder, loc, builder.getI32IntegerAttr(int32_t(shift))));
          return SmallVector<Value>{bits};
        });
    return map.getResult(0);
  }

  void dispatch() {
    ProgramBuilder &p = k.program();
    auto repeat =
        tile::RepeatOp::create(p.host(), cell.op().getLoc(), tile::Symbol::T);
    OpBuilder host = OpBuilder::atBlockEnd(&repeat.getBody().front());
    MLIRContext *context = p.context();
    k.dispatch(
        {tile::ExtentAttr::get(context, plan.heads),
         tile::ExtentAttr::get(context, 1),
         tile::ExtentAttr::get(context, cell.weights.columns / tiles.columns)},
        &host);
  }

  const CellPlan &plan;
  const TileSizes &tiles;
  CellKernel cell;
  KernelBuilder &k;
  ImplicitLocOpBuilder &b;
  SmallVector<unsigned> outputs; ///< Their words.
  unsigned signals = 0, number = 0;
  CellValues values;
  llvm::DenseMap<Value, Value> operands; ///< In shared memory.
  SmallVector<Value> rows;               ///< Of the sequences, there.
  Value sums;
  SmallVector<Value> places; ///< Products in the order of their sums.
};

} // namespace

LogicalResult lowerStream(ProgramBuilder &p, rnn::RecurrenceOp op,
                          const TileSizes &chosen) {
  FailureOr<CellPlan> plan = CellPlan::create(op);
  if (failed(plan))
    return failure();
  for (OpOperand &sequence : op.getSequencesMutable())
    if (!isa<BlockArgument>(roundsInKernel(sequence)
                                ? seeThroughCast(sequence.get())
                                : sequence.get()))
      return op.emitOpError("has a sequence that its kernel cannot compute; a "
                            "stream's step is one kernel");
  TileSizes tiles = chosen;
  tiles.rows = tiles.group = 1;
  FailureOr<CellWeights> weights =
      CellWeights::pack(p, *plan, tiles, tiles.layout.getSubgroups());
  if (failed(weights))
    return failure();
  StreamKernel(p, *plan, tiles, *weights).emit();
  return success();
}

} // namespace rung
