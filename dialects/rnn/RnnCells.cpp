//===- RnnCells.cpp - verifiers of cells and of their bodies -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace rung::rnn;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Names the first of the outputs and of the states; each names its group.
static void nameResults(ResultRange results, unsigned states,
                        OpAsmSetValueNameFn setName) {
  if (results.size() > states)
    setName(results.front(), "y");
  if (states != 0)
    setName(results[results.size() - states], "hn");
}

//===----------------------------------------------------------------------===//
// GruOp
//===----------------------------------------------------------------------===//

void GruOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getOperation()->getResults(), getFinalStates().size(), setName);
}

/// C1: how many entries each group has.
static LogicalResult verifyGroupSizes(GruOp op) {
  unsigned directions = op.getNumDirections();
  struct Group {
    StringRef name;
    size_t size;
    bool mayBeAbsent;
  };
  const Group groups[] = {
      {"weights", op.getWeights().size(), false},
      {"recurrent", op.getRecurrent().size(), false},
      {"input_bias", op.getInputBias().size(), true},
      {"recurrent_bias", op.getRecurrentBias().size(), true},
      {"initial", op.getInitial().size(), false},
      {"final states", op.getFinalStates().size(), false}};
  for (const Group &group : groups)
    if (group.size != directions && !(group.mayBeAbsent && group.size == 0))
      return op.emitOpError()
             << group.name << " has " << group.size << " entries; direction '"
             << stringifyDirection(op.getDirection()) << "' needs "
             << directions << (group.mayBeAbsent ? " or none" : "");
  if (op.getActivations().size() != 2 * directions)
    return op.emitOpError("activations has ")
           << op.getActivations().size() << " entries; direction '"
           << stringifyDirection(op.getDirection()) << "' needs "
           << 2 * directions;
  return success();
}

/// C2 to C4: the weights of direction \p index.
static LogicalResult verifyWeights(GruOp op, unsigned index) {
  int64_t hidden = op.getHidden();
  int64_t width = op.getInput().getType().getDimSize(2);
  RankedTensorType weights = typeOf(op.getWeights()[index]);
  if (weights.getShape() != ArrayRef<int64_t>{3 * hidden, width}) // C2
    return op.emitOpError("weights have type ")
           << weights << "; 3 gates of " << hidden
           << " hidden units and an input of width " << width << " need ["
           << 3 * hidden << ", " << width << "]";
  RankedTensorType recurrent = typeOf(op.getRecurrent()[index]);
  int64_t heads = recurrent.getDimSize(0), perHead = recurrent.getDimSize(2);
  if (heads != op.getHeads() || heads < 1 || heads * perHead != hidden ||
      recurrent.getDimSize(1) != 3 * perHead) // C3
    return op.emitOpError("recurrent has type ")
           << recurrent << "; " << op.getHeads() << " heads and " << hidden
           << " hidden units need [heads, 3 * dh, dh] with heads * dh = "
           << hidden;
  auto verifyBias = [&](StringRef name, Value bias) -> LogicalResult {
    if (typeOf(bias).getShape() != ArrayRef<int64_t>{3 * hidden}) // C4
      return op.emitOpError()
             << name << " has type " << bias.getType() << "; 3 gates of "
             << hidden << " hidden units need [" << 3 * hidden << "]";
    return success();
  };
  if (!op.getInputBias().empty() &&
      failed(verifyBias("input_bias", op.getInputBias()[index])))
    return failure();
  if (!op.getRecurrentBias().empty() &&
      failed(verifyBias("recurrent_bias", op.getRecurrentBias()[index])))
    return failure();
  return success();
}

/// C5 to C7: sequences and states.
static LogicalResult verifyShapes(GruOp op) {
  RankedTensorType input = op.getInput().getType();
  RankedTensorType output = op.getOutput().getType();
  int64_t hidden = op.getHidden(), batch = input.getDimSize(1);
  int64_t width = op.getNumDirections() * hidden;
  if (output.getDimSize(0) != input.getDimSize(0) ||
      output.getDimSize(2) != width) // C5
    return op.emitOpError("output has type ")
           << output << "; an input of " << input << " and "
           << op.getNumDirections() << " directions of " << hidden
           << " hidden units need a width of " << width
           << " and the same number of steps";
  SmallVector<Value> states(op.getInitial());
  llvm::append_range(states, op.getFinalStates());
  for (Value state : states)
    if (typeOf(state).getDimSize(1) != hidden) // C6
      return op.emitOpError("a state is ")
             << typeOf(state).getDimSize(1) << " wide, another " << hidden;
  auto verifyBatch = [&](StringRef name, int64_t size) -> LogicalResult {
    if (size != batch) // C7
      return op.emitOpError()
             << name << " has a batch of "
             << (ShapedType::isDynamic(size) ? "unknown size"
                                             : std::to_string(size))
             << ", which differs from that of input, " << input;
    return success();
  };
  for (Value state : states)
    if (failed(verifyBatch("a state", typeOf(state).getDimSize(0))))
      return failure();
  if (op.getLengths() &&
      failed(verifyBatch("lengths", typeOf(op.getLengths()).getDimSize(0))))
    return failure();
  return verifyBatch("output", output.getDimSize(1));
}

LogicalResult GruOp::verify() {
  if (failed(verifyGroupSizes(*this)))
    return failure();
  for (unsigned i = 0; i < getNumDirections(); ++i)
    if (failed(verifyWeights(*this, i)))
      return failure();
  if (failed(verifyShapes(*this)))
    return failure();
  Type element = getInput().getType().getElementType();
  SmallVector<Value> values(getOperands());
  llvm::append_range(values, getOperation()->getResults());
  for (Value value : values)
    if (value != getLengths() && typeOf(value).getElementType() != element)
      return emitOpError("has elements of ") // C8
             << element << " and of " << typeOf(value).getElementType();
  if (getClip() &&
      !(getClip()->isFinite() && getClip()->convertToDouble() > 0)) // C9
    return emitOpError("clip is ") << getClip()->convertToDouble()
                                   << "; it must be finite and more than 0";
  return success();
}

//===----------------------------------------------------------------------===//
// RecurrenceOp
//===----------------------------------------------------------------------===//

void RecurrenceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getResults(), getInitial().size(), setName);
}

void RecurrenceOp::getAsmBlockArgumentNames(Region &region,
                                            OpAsmSetValueNameFn setName) {
  // The printer also shows operations that do not verify.
  size_t sequences = getSequences().size(), weights = getWeights().size();
  for (BlockArgument argument : region.getArguments()) {
    unsigned index = argument.getArgNumber();
    setName(argument, index < sequences             ? "x"
                      : index < sequences + weights ? "w"
                                                    : "h");
  }
}

/// C5: T and B of everything outside the body.
static LogicalResult verifyOuterShapes(RecurrenceOp op) {
  std::optional<int64_t> steps, batch;
  auto agree = [&](std::optional<int64_t> &known, int64_t size,
                   StringRef what) -> LogicalResult {
    if (!known)
      known = size;
    if (*known == size)
      return success();
    auto text = [](int64_t size) {
      return ShapedType::isDynamic(size) ? std::string("?")
                                         : std::to_string(size);
    };
    return op.emitOpError()
           << what << " is " << text(*known) << " and " << text(size)
           << "; it must be one for sequences, states, "
              "lengths and results";
  };
  SmallVector<Value> sequences(op.getSequences()), states(op.getInitial());
  llvm::append_range(sequences, op.getOutputs());
  llvm::append_range(states, op.getFinalStates());
  for (Value sequence : sequences) {
    if (typeOf(sequence).getRank() != 3)
      return op.emitOpError("output has type ")
             << sequence.getType() << "; it must be [T, B, N]";
    if (failed(
            agree(steps, typeOf(sequence).getDimSize(0), "number of steps")) ||
        failed(agree(batch, typeOf(sequence).getDimSize(1), "batch")))
      return failure();
  }
  if (op.getLengths())
    states.push_back(op.getLengths());
  for (Value state : states)
    if (failed(agree(batch, typeOf(state).getDimSize(0), "batch")))
      return failure();
  return success();
}

LogicalResult RecurrenceOp::verify() {
  if (getDirection() == Direction::Bidirectional) // C1
    return emitOpError("direction is 'bidirectional'; a recurrence is forward "
                       "or reverse");
  if (getSequences().empty() || getInitial().empty()) // C2
    return emitOpError("has ")
           << getSequences().size() << " sequences and " << getInitial().size()
           << " states; it needs at least one of each";
  if (getResults().size() < getInitial().size()) // C2
    return emitOpError("has ") << getResults().size() << " results for "
                               << getInitial().size() << " states";
  for (auto [initial, last] : llvm::zip(getInitial(), getFinalStates()))
    if (initial.getType() != last.getType()) // C6
      return emitOpError("state begins as ")
             << initial.getType() << " and ends as " << last.getType();
  if (getHeads() < 1 || getWidth() % int64_t(getHeads()) != 0) // C9
    return emitOpError("heads is ")
           << int64_t(getHeads()) << ", which does not divide the width "
           << getWidth();
  return verifyOuterShapes(*this);
}

/// The row of one step (or of a state) of \p type: its last axis.
static RankedTensorType rowOf(RankedTensorType type) {
  return RankedTensorType::get({type.getShape().back()}, type.getElementType());
}

/// C3: the body's arguments.
static LogicalResult verifyArguments(RecurrenceOp op) {
  SmallVector<Type> expected;
  for (Value sequence : op.getSequences())
    expected.push_back(rowOf(typeOf(sequence)));
  llvm::append_range(expected, op.getWeights().getTypes());
  for (Value state : op.getInitial())
    expected.push_back(rowOf(typeOf(state)));
  Block &step = op.getStep();
  if (step.getNumArguments() != expected.size())
    return op.emitOpError("body has ")
           << step.getNumArguments() << " arguments; "
           << op.getSequences().size() << " sequences, "
           << op.getWeights().size() << " weights and "
           << op.getInitial().size() << " states need " << expected.size();
  for (auto [index, type] : llvm::enumerate(expected))
    if (step.getArgument(index).getType() != type)
      return op.emitOpError("body argument ")
             << index << " has type " << step.getArgument(index).getType()
             << "; its operand needs " << type;
  return success();
}

/// C4: what the body yields.
static LogicalResult verifyYield(RecurrenceOp op) {
  auto yield = dyn_cast<YieldOp>(op.getStep().getTerminator());
  if (!yield)
    return op.emitOpError("body does not end in rnn.yield");
  auto matches = [&](ValueRange rows, ResultRange results,
                     StringRef what) -> LogicalResult {
    if (rows.size() != results.size())
      return yield.emitOpError() << "gives " << rows.size() << ' ' << what
                                 << "; the recurrence has " << results.size();
    for (auto [row, result] : llvm::zip(rows, results))
      if (row.getType() != rowOf(typeOf(result)))
        return yield.emitOpError() << "gives " << row.getType() << " for "
                                   << what << " of " << result.getType();
    return success();
  };
  if (failed(matches(yield.getOutputs(), op.getOutputs(), "outputs")))
    return failure();
  return matches(yield.getStates(), op.getFinalStates(), "states");
}

/// C10: a slice of a body.
static LogicalResult verifySlice(RecurrenceOp op,
                                 tensor::ExtractSliceOp slice) {
  auto source = dyn_cast<BlockArgument>(slice.getSource());
  if (!source || llvm::is_contained(op.getStateArguments(), source))
    return slice.emitOpError(
        "in a cell's body must slice a row of a sequence or a weight");
  auto isStatic = [](ArrayRef<int64_t> values) {
    return llvm::none_of(values, ShapedType::isDynamic);
  };
  if (!isStatic(slice.getStaticOffsets()) ||
      !isStatic(slice.getStaticSizes()) ||
      llvm::any_of(slice.getStaticStrides(),
                   [](int64_t stride) { return stride != 1; }) ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return slice.emitOpError("in a cell's body must have static offsets and "
                             "sizes, unit strides and the rank of its source");
  if (slice.getType().getRank() != 3)
    return success();
  ArrayRef<int64_t> from = slice.getSourceType().getShape();
  ArrayRef<int64_t> size = slice.getType().getShape();
  if (size[0] != from[0] || size[2] != from[2])
    return slice.emitOpError("in a cell's body takes ")
           << slice.getType() << " of " << slice.getSourceType()
           << "; it must take whole rows of all heads";
  return success();
}

static bool isElementwise(Operation &op) {
  return OpTrait::hasElementwiseMappableTraits(&op) &&
         isa_and_nonnull<arith::ArithDialect, math::MathDialect, RnnDialect>(
             op.getDialect());
}

/// C7 to C10: one operation of the body.
static LogicalResult verifyBodyOp(RecurrenceOp recurrence, Operation &op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (failed(verifySlice(recurrence, slice)))
      return failure();
    if (slice.getType().getRank() != 1)
      return success();
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    int64_t heads = dot.getWeight().getType().getDimSize(0);
    if (heads != int64_t(recurrence.getHeads())) // C9
      return dot.emitOpError("has ") << heads << " heads; the recurrence has "
                                     << int64_t(recurrence.getHeads());
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<SplatElementsAttr>(constant.getValue())) // C7
      return constant.emitOpError("in a cell's body must be a splat");
  } else if (!isElementwise(op) && !isa<YieldOp>(op)) { // C7
    return op.emitOpError("is not an operation of a cell's body");
  }
  int64_t width = recurrence.getWidth();
  for (Value result : op.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || type.getShape() != ArrayRef<int64_t>{width}) // C8
      return op.emitOpError("gives ")
             << result.getType() << " in a body of width " << width;
  }
  return success();
}

LogicalResult RecurrenceOp::verifyRegions() {
  if (failed(verifyArguments(*this)) || failed(verifyYield(*this)))
    return failure();
  for (Operation &op : getStep())
    if (failed(verifyBodyOp(*this, op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType input = getInput().getType(), weight = getWeight().getType();
  int64_t heads = weight.getDimSize(0);
  if (input.getDimSize(0) != heads * weight.getDimSize(2)) // C1
    return emitOpError("input is ")
           << input.getDimSize(0) << " wide; " << heads << " heads of "
           << weight.getDimSize(2) << " columns need "
           << heads * weight.getDimSize(2);
  if (getType().getDimSize(0) != heads * weight.getDimSize(1)) // C2
    return emitOpError("result is ")
           << getType().getDimSize(0) << " wide; " << heads << " heads of "
           << weight.getDimSize(1) << " rows give "
           << heads * weight.getDimSize(1);
  if (input.getElementType() != weight.getElementType()) // C3
    return emitOpError("input has elements of ")
           << input.getElementType() << ", weight of "
           << weight.getElementType();
  return success();
}
