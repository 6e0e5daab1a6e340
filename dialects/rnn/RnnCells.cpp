//===- RnnCells.cpp - verifiers of cells and of pointwise maps -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnBody.h"
#include "dialects/rnn/RnnOps.h"

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
              "lengths, random and results";
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
  if (op.getRandom())
    states.push_back(op.getRandom());
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
  if (getRandom() && typeOf(getRandom()).getDimSize(1) != 3) // C11
    return emitOpError("random has type ")
           << getRandom().getType() << "; it must be [B, 3]";
  return verifyOuterShapes(*this);
}

LogicalResult RecurrenceOp::verifyRegions() {
  SmallVector<Type> arguments;
  for (Value sequence : getSequences())
    arguments.push_back(rowOf(sequence));
  llvm::append_range(arguments, getWeights().getTypes());
  for (Value state : getInitial())
    arguments.push_back(rowOf(state));
  auto random = getStep().getOps<RandomOp>();
  if (getRandom() && random.empty()) // C11
    return emitOpError("is given random states, and its body draws nothing");
  if (!getRandom() && !random.empty()) // C11
    return (*random.begin())
        .emitOpError("draws in a recurrence that is given "
                     "no random states");
  return failure(
      failed(verifyBodyArguments(*this, getStep(), arguments)) || // C3
      failed(verifyBodyYield(*this, getStep(), getOutputs(),
                             getFinalStates())) || // C4
      failed(verifyBodyOps(*this)));               // C7 to C10
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() < getInputs().size() ? "x" : "w");
}

LogicalResult MapOp::verify() {
  if (getInputs().empty() || getResults().empty()) // C1
    return emitOpError("has ")
           << getInputs().size() << " inputs and " << getResults().size()
           << " results; it needs at least one of each";
  RankedTensorType first = typeOf(getInputs().front());
  if (first.getRank() != 2 && first.getRank() != 3) // C2
    return emitOpError("input has type ")
           << first << "; it must be [T, B, N] or [B, N]";
  SmallVector<Value> values(getInputs());
  llvm::append_range(values, getResults());
  for (Value value : values)
    if (typeOf(value).getShape() != first.getShape()) // C2
      return emitOpError("has ") << first << " and " << value.getType()
                                 << "; inputs and results have one shape";
  for (Value weight : getWeights())
    if (typeOf(weight).getRank() != 1) // C3
      return emitOpError("weight has type ")
             << weight.getType() << "; it must have rank 1";
  return success();
}

LogicalResult MapOp::verifyRegions() {
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.push_back(rowOf(input));
  llvm::append_range(arguments, getWeights().getTypes());
  return failure(
      failed(verifyBodyArguments(*this, getRow(), arguments)) || // C4
      failed(verifyBodyYield(*this, getRow(), getResults(),
                             /*states=*/{})) || // C5
      failed(verifyBodyOps(*this)));            // C6
}
