//===- RecurrenceFusion.cpp - a recurrence with its edges inside ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/RecurrenceEdges.h"

#include "dialects/rnn/RnnBody.h"
#include "passes/lowering/ProgramBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

namespace {

/// Builds the fused recurrence.
class Fusion {
public:
  Fusion(rnn::RecurrenceOp old, const InputEdge &inputs,
         const std::optional<OutputEdge> &outputs)
      : old_(old), inputs_(inputs), outputs_(outputs), b_(old) {}

  rnn::RecurrenceOp build() {
    collectOperands();
    fused_ = rnn::RecurrenceOp::create(
        b_, old_.getLoc(), resultTypes(), sequences_.getArrayRef(),
        weights_.getArrayRef(), old_.getInitial(), old_.getLengths(),
        old_.getRandom(), old_.getDirection(), old_.getHeads(),
        old_.getPrecisionAttr());
    fused_->setDiscardableAttrs(old_->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(b_);
    b_.createBlock(&fused_.getBody());
    addArguments();
    fillBody();
    return fused_;
  }

private:
  bool isFused(unsigned sequence) {
    return llvm::is_contained(inputs_.sequences, sequence);
  }
  int64_t width() { return old_.getWidth(); }
  RankedTensorType rowType(Value like) {
    return RankedTensorType::get({width()}, getElementTypeOrSelf(like));
  }

  void collectOperands() {
    bool placed = false;
    for (auto [i, sequence] : llvm::enumerate(old_.getSequences())) {
      if (!isFused(i)) {
        sequences_.insert(sequence);
        continue;
      }
      for (Operation *op : inputs_.operations)
        if (auto linear = dyn_cast<rnn::LinearOp>(op); linear && !placed)
          sequences_.insert(linear.getInput());
      placed = true;
    }
    weights_.insert_range(old_.getWeights());
    for (Operation *op : inputs_.operations) {
      if (auto linear = dyn_cast<rnn::LinearOp>(op)) {
        weights_.insert(linear.getWeight());
        if (linear.getBias())
          weights_.insert(linear.getBias());
      } else if (auto map = dyn_cast<rnn::MapOp>(op)) {
        weights_.insert_range(map.getWeights());
      }
    }
  }

  SmallVector<Type> resultTypes() {
    SmallVector<Type> types;
    for (auto [i, output] : llvm::enumerate(old_.getOutputs()))
      if (!outputs_ || !llvm::is_contained(outputs_->outputs, i))
        types.push_back(output.getType());
    if (outputs_)
      types.push_back(outputs_->reader->getResult(0).getType());
    llvm::append_range(types, old_.getFinalStates().getTypes());
    return types;
  }

  void addArguments() {
    Block *body = b_.getInsertionBlock();
    for (Value sequence : sequences_)
      arguments_[sequence] =
          body->addArgument(rnn::rowOf(sequence), sequence.getLoc());
    for (Value weight : weights_)
      arguments_[weight] = body->addArgument(weight.getType(), weight.getLoc());
    for (auto [i, argument] : llvm::enumerate(old_.getSequenceArguments()))
      if (!isFused(i))
        mapping_.map(argument, arguments_[old_.getSequences()[i]]);
    for (auto [weight, argument] :
         llvm::zip_equal(old_.getWeights(), old_.getWeightArguments()))
      mapping_.map(argument, arguments_[weight]);
    for (Value state : old_.getStateArguments())
      mapping_.map(state, body->addArgument(state.getType(), state.getLoc()));
  }

  void fillBody() {
    for (unsigned i : inputs_.sequences) {
      Value row = old_.getSequenceArguments()[i];
      if (llvm::any_of(row.getUsers(), [](Operation *user) {
            return !isa<tensor::ExtractSliceOp>(user);
          }))
        mapping_.map(row, makeRow(old_.getSequences()[i], 0));
    }
    for (Operation &op : old_.getStep()) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        if (auto row = dyn_cast<BlockArgument>(slice.getSource()))
          if (isFused(row.getArgNumber())) {
            mapping_.map(slice.getResult(),
                         makeRow(old_.getSequences()[row.getArgNumber()],
                                 slice.getStaticOffsets()[0]));
            continue;
          }
      if (auto yield = dyn_cast<rnn::YieldOp>(op))
        makeYield(yield);
      else
        b_.clone(op, mapping_);
    }
  }

  /// The elements from \p offset on of a step's row of \p outer.
  Value makeRow(Value outer, int64_t offset) {
    if (Value made = rows_.lookup({outer, offset}))
      return made;
    Operation *maker = outer.getDefiningOp();
    Value row;
    if (auto linear = dyn_cast<rnn::LinearOp>(maker))
      row = makeProduct(linear, offset);
    else if (auto narrowing = dyn_cast<rnn::CastOp>(maker))
      row = makeCast(makeRow(narrowing.getInput(), offset), rowType(outer));
    else
      row = makeMap(cast<rnn::MapOp>(maker),
                    cast<OpResult>(outer).getResultNumber(), offset);
    return rows_[{outer, offset}] = row;
  }

  Value makeCast(Value row, RankedTensorType type) {
    Type from = getElementTypeOrSelf(row), to = type.getElementType();
    Location loc = row.getLoc();
    if (from == to)
      return row;
    if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
      return arith::TruncFOp::create(b_, loc, type, row);
    return arith::ExtFOp::create(b_, loc, type, row);
  }

  Value makeProduct(rnn::LinearOp linear, int64_t offset) {
    Location loc = linear.getLoc();
    Value product = rnn::InputDotOp::create(
        b_, loc, rowType(linear.getResult()), arguments_[linear.getInput()],
        arguments_[linear.getWeight()], offset);
    if (!linear.getBias())
      return product;
    Value bias = sliceWeight(linear.getBias(), offset);
    if (isa<FloatType>(getElementTypeOrSelf(product)))
      return arith::AddFOp::create(b_, loc, product, bias);
    return arith::AddIOp::create(b_, loc, product, bias);
  }

  Value sliceWeight(Value weight, int64_t offset) {
    if (Value made = rows_.lookup({weight, offset}))
      return made;
    OpFoldResult first = b_.getIndexAttr(offset), one = b_.getIndexAttr(1),
                 size = b_.getIndexAttr(width());
    Value row = tensor::ExtractSliceOp::create(
        b_, weight.getLoc(), arguments_[weight], first, size, one);
    return rows_[{weight, offset}] = row;
  }

  /// The operations of \p map on rows of the body's width.
  Value makeMap(rnn::MapOp map, unsigned result, int64_t offset) {
    IRMapping rows;
    for (auto [input, argument] :
         llvm::zip_equal(map.getInputs(), map.getInputArguments()))
      rows.map(argument, makeRow(input, offset));
    for (auto [weight, argument] :
         llvm::zip_equal(map.getWeights(), map.getWeightArguments()))
      rows.map(argument, sliceWeight(weight, offset));
    return cloneMap(map, rows, result);
  }

  Value cloneMap(rnn::MapOp map, IRMapping &rows, unsigned result) {
    for (Operation &op : map.getRow().without_terminator()) {
      Operation *copy = b_.clone(op, rows);
      for (Value value : copy->getResults())
        value.setType(rowType(value));
      if (auto constant = dyn_cast<arith::ConstantOp>(copy))
        constant.setValueAttr(
            cast<SplatElementsAttr>(constant.getValue())
                .resizeSplat(cast<ShapedType>(constant.getType())));
    }
    return rows.lookupOrDefault(map.getYield().getOutputs()[result]);
  }

  void makeYield(rnn::YieldOp yield) {
    SmallVector<Value> outputs, states;
    for (auto [i, output] : llvm::enumerate(yield.getOutputs()))
      if (!outputs_ || !llvm::is_contained(outputs_->outputs, i))
        outputs.push_back(mapping_.lookup(output));
    if (outputs_)
      outputs.push_back(makeOutput(yield));
    for (Value state : yield.getStates())
      states.push_back(mapping_.lookup(state));
    rnn::YieldOp::create(b_, yield.getLoc(), outputs, states);
  }

  Value makeOutput(rnn::YieldOp yield) {
    auto rowOfResult = [&](Value result) {
      unsigned i = cast<OpResult>(result).getResultNumber();
      return mapping_.lookup(yield.getOutputs()[i]);
    };
    if (auto widening = dyn_cast<rnn::CastOp>(outputs_->reader))
      return makeCast(rowOfResult(widening.getInput()),
                      rowType(widening.getResult()));
    auto map = cast<rnn::MapOp>(outputs_->reader);
    IRMapping rows;
    for (auto [input, argument] :
         llvm::zip_equal(map.getInputs(), map.getInputArguments()))
      rows.map(argument, rowOfResult(input));
    return cloneMap(map, rows, 0);
  }

  rnn::RecurrenceOp old_, fused_;
  const InputEdge &inputs_;
  const std::optional<OutputEdge> &outputs_;
  OpBuilder b_;
  llvm::SetVector<Value> sequences_, weights_;
  llvm::DenseMap<Value, Value> arguments_; ///< By what is outside.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> rows_;
  IRMapping mapping_;
};

} // namespace

rnn::RecurrenceOp buildFused(rnn::RecurrenceOp op, const InputEdge &inputs,
                             const std::optional<OutputEdge> &outputs) {
  return Fusion(op, inputs, outputs).build();
}

void replaceFused(rnn::RecurrenceOp op, rnn::RecurrenceOp fused,
                  const InputEdge &inputs,
                  const std::optional<OutputEdge> &outputs) {
  unsigned next = 0;
  for (auto [i, output] : llvm::enumerate(op.getOutputs()))
    if (!outputs || !llvm::is_contained(outputs->outputs, i))
      output.replaceAllUsesWith(fused.getOutputs()[next++]);
  if (outputs)
    outputs->reader->getResult(0).replaceAllUsesWith(fused.getOutputs()[next]);
  for (auto [from, to] :
       llvm::zip_equal(op.getFinalStates(), fused.getFinalStates()))
    from.replaceAllUsesWith(to);
  if (outputs)
    outputs->reader->erase();
  op.erase();

  // What only counts steps counts those of the linears' input.
  Value counted;
  for (Operation *maker : inputs.operations)
    if (auto linear = dyn_cast<rnn::LinearOp>(maker))
      counted = seeThroughCast(linear.getInput());
  for (Operation *maker : llvm::reverse(inputs.operations.getArrayRef())) {
    maker->replaceAllUsesWith(
        SmallVector<Value>(maker->getNumResults(), counted));
    maker->erase();
  }
}

} // namespace rung
