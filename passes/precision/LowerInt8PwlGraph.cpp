//===- LowerInt8PwlGraph.cpp - layers in integers ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlGraph.h"

#include "passes/precision/WeightValues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace mlir;
using namespace rung::rnn;

namespace rung::int8 {

// A slow input may go well past what a short calibration has seen; a bit of the
// 16 is cheaper than a state that saturates.
static constexpr double kInputHeadroom = 2;
static constexpr double kUnknown = std::numeric_limits<double>::infinity();

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The largest magnitude of the weight that \p value loads.
static double largestOf(Value value) {
  WeightOp weight = loadedWeight(value);
  FailureOr<std::vector<float>> values = failure();
  if (weight)
    values = readWeight(weight);
  if (failed(values))
    return kUnknown;
  double largest = 0;
  for (float number : *values)
    largest = std::max(largest, std::abs(double(number)));
  return largest;
}

double GraphLowering::magnitudeOf(Operation *user, Value value) {
  if (auto range = user->getAttrOfType<DenseF64ArrayAttr>("rung.input_range"))
    if (range.size() == 2)
      return kInputHeadroom * std::max(std::abs(range[0]), std::abs(range[1]));
  if (Fixed form = formOf(value); form.value)
    return form.magnitude();
  Operation *source = value.getDefiningOp();
  if (auto embedding = dyn_cast_if_present<EmbeddingOp>(source))
    return largestOf(embedding.getTable());
  if (auto norm = dyn_cast_if_present<RmsNormOp>(source))
    return std::sqrt(double(norm.getInput().getType().getShape().back())) *
           largestOf(norm.getScale());
  if (isa_and_present<SoftmaxOp>(source))
    return 1;
  if (auto concat = dyn_cast_if_present<ConcatOp>(source)) {
    double largest = 0;
    for (Value input : concat.getInputs())
      largest = std::max(largest, magnitudeOf(concat, input));
    return largest;
  }
  return kUnknown;
}

void GraphLowering::replace(OpBuilder &builder, Value old, const Fixed &form) {
  Value floats = dequantize(builder, old.getLoc(), form);
  forms_[floats] = form;
  old.replaceAllUsesWith(floats);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult GraphLowering::lower(LinearOp op) {
  double input = magnitudeOf(op, op.getInput());
  if (!std::isfinite(input)) {
    WeightOp weight = loadedWeight(op.getWeight());
    return op.emitOpError("takes numbers of unknown range to weight '")
           << (weight ? weight.getSymName() : "?")
           << "'; int8 needs it calibrated: rung-compile --calibrate, or "
              "rung.input_range";
  }
  FailureOr<ByteMatrix> matrix = weights_.matrix(op, op.getWeight());
  if (failed(matrix))
    return failure();
  input = std::max(input, 1e-6);
  double largest = matrix->largestRow * input, biases = 0;
  if (op.getBias())
    biases = largestOf(op.getBias());
  if (!std::isfinite(largest + biases))
    return op.emitOpError("has a weight or a bias that is not finite, or no "
                          "rnn.weight; int8 needs finite weights");
  int bits = finestBits(largest + biases, kLargest / 2, kArgumentBits);
  FixedRow bias;
  if (op.getBias()) {
    FailureOr<FixedRow> row = weights_.row(op, op.getBias(), bits, kLargest);
    if (failed(row))
      return failure();
    bias = *row;
  }

  OpBuilder builder(op);
  Location location = op.getLoc();
  Bytes bytes = splitInput(builder, location, op.getInput(),
                           formOf(op.getInput()), input, options_.operandBytes);
  Value weight = loadWeight(builder, matrix->bytes);
  Type sums = typeOf(op.getResult()).clone(builder.getI32Type());
  auto product = [&](Value byte) -> Value {
    return LinearOp::create(builder, location, sums, byte, weight,
                            /*bias=*/Value(), op.getPrecisionAttr());
  };
  Value high = product(bytes.high);
  Value low = bytes.low ? product(bytes.low) : Value();
  Fixed result = joinProducts(builder, location, high, low, bytes.bits, *matrix,
                              bias, bits, largest + biases);
  replace(builder, op.getResult(), result);
  op.erase();
  return success();
}

LogicalResult GraphLowering::lower(RecurrenceOp op, bool isShort) {
  if (op.getRandom())
    return op.emitOpError("rounds its state at random; int8 rounds to nearest");
  FailureOr<SmallVector<StateGrid>> grids = chooseStateGrids(op, isShort);
  if (failed(grids))
    return failure();
  OpBuilder builder(op);
  Location location = op.getLoc();
  Type word = builder.getI32Type();

  auto step = std::make_unique<Block>();
  auto addRow = [&](int64_t width) {
    step->addArgument(RankedTensorType::get({width}, word), location);
  };
  SmallVector<Fixed> sequences;
  SmallVector<Value> rows, states, weights;
  for (Value sequence : op.getSequences()) {
    Fixed form = formOf(sequence);
    if (!form.value)
      form = quantize(builder, location, sequence, kArgumentBits, kLargest);
    sequences.push_back(form);
    rows.push_back(form.value);
    addRow(typeOf(sequence).getShape().back());
  }
  for (auto [initial, grid] : llvm::zip(op.getInitial(), *grids)) {
    states.push_back(
        quantize(builder, location, initial, grid.bits, grid.limit).value);
    addRow(op.getWidth());
  }
  BodyLowering body(op, *step, sequences, *grids, weights_, options_);
  if (failed(body.run()))
    return failure();

  for (WeightOp weight : body.weights())
    weights.push_back(loadWeight(builder, weight));
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(typeOf(result).clone(word));
  auto lowered = RecurrenceOp::create(builder, location, types, rows, weights,
                                      states, op.getLengths(),
                                      /*random=*/Value(), op.getDirection(),
                                      op.getHeads(), op.getPrecisionAttr());
  lowered.getBody().push_back(step.release());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != "rung.activation_ranges" &&
        attribute.getName() != "rung.state_range")
      lowered->setAttr(attribute.getName(), attribute.getValue());

  for (auto [old, value, form] :
       llvm::zip(op.getOutputs(), lowered.getOutputs(), body.outputs())) {
    Fixed output = form;
    output.value = value;
    replace(builder, old, output);
  }
  for (auto [old, value, grid] :
       llvm::zip(op.getFinalStates(), lowered.getFinalStates(), *grids))
    replace(builder, old, {value, grid.bits, -grid.limit, grid.limit, {}});
  op.erase();
  return success();
}

} // namespace rung::int8
