//===- RnnBody.cpp - verifiers of a cell's body --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace rung::rnn;

RankedTensorType rung::rnn::rowOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return RankedTensorType::get({type.getShape().back()}, type.getElementType());
}

LogicalResult rung::rnn::verifyBodyArguments(Operation *op, Block &body,
                                             ArrayRef<Type> expected) {
  if (body.getNumArguments() != expected.size())
    return op->emitOpError("body has ")
           << body.getNumArguments() << " arguments; its operands need "
           << expected.size();
  for (auto [index, type] : llvm::enumerate(expected))
    if (body.getArgument(index).getType() != type)
      return op->emitOpError("body argument ")
             << index << " has type " << body.getArgument(index).getType()
             << "; its operand needs " << type;
  return success();
}

LogicalResult rung::rnn::verifyBodyYield(Operation *op, Block &body,
                                         ValueRange outputs,
                                         ValueRange states) {
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op->emitOpError("body does not end in rnn.yield");
  auto matches = [&](ValueRange rows, ValueRange results,
                     StringRef what) -> LogicalResult {
    if (rows.size() != results.size())
      return yield.emitOpError()
             << "gives " << rows.size() << ' ' << what << "; the "
             << op->getName().stripDialect() << " has " << results.size();
    for (auto [row, result] : llvm::zip(rows, results))
      if (row.getType() != rowOf(result))
        return yield.emitOpError() << "gives " << row.getType() << " for "
                                   << what << " of " << result.getType();
    return success();
  };
  if (failed(matches(yield.getOutputs(), outputs, "outputs")))
    return failure();
  return matches(yield.getStates(), states, "states");
}

//===----------------------------------------------------------------------===//
// Operations of a body
//===----------------------------------------------------------------------===//

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

/// C7 and C8 of a recurrence: an operation that any body may hold.
static LogicalResult verifyPointwise(Operation &op, int64_t width) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<SplatElementsAttr>(constant.getValue())) // C7
      return constant.emitOpError("in a cell's body must be a splat");
  } else if (!isElementwise(op) && !isa<LookupOp, YieldOp>(op)) { // C7
    return op.emitOpError("is not an operation of a ")
           << (isa<MapOp>(op.getParentOp()) ? "map's" : "cell's") << " body";
  }
  for (Value result : op.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || type.getShape() != ArrayRef<int64_t>{width}) // C8
      return op.emitOpError("gives ")
             << result.getType() << " in a body of width " << width;
  }
  return success();
}

/// C8 of a recurrence: a row that is no slice of a matrix.
static LogicalResult verifyWidth(Operation &op, RankedTensorType type,
                                 int64_t width) {
  if (type.getShape() == ArrayRef<int64_t>{width})
    return success();
  return op.emitOpError("gives ") << type << " in a body of width " << width;
}

LogicalResult rung::rnn::verifyBodyOps(RecurrenceOp recurrence) {
  int64_t width = recurrence.getWidth(), heads = recurrence.getHeads();
  for (Operation &op : recurrence.getStep()) {
    LogicalResult valid = success();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      valid = verifySlice(recurrence, slice);
      if (succeeded(valid) && slice.getType().getRank() == 1)
        valid = verifyWidth(op, slice.getType(), width);
    } else if (auto dot = dyn_cast<DotOp>(op)) {
      int64_t own = dot.getWeight().getType().getDimSize(0);
      if (own != heads) // C9
        return dot.emitOpError("has ")
               << own << " heads; the recurrence has " << heads;
      valid = verifyWidth(op, dot.getType(), width);
    } else if (isa<InputDotOp, RandomOp>(op)) {
      auto type = cast<RankedTensorType>(op.getResult(0).getType());
      valid = verifyWidth(op, type, width);
    } else {
      valid = verifyPointwise(op, width);
    }
    if (failed(valid))
      return failure();
  }
  return success();
}

LogicalResult rung::rnn::verifyBodyOps(MapOp map) {
  for (Operation &op : map.getRow())
    if (failed(verifyPointwise(op, map.getWidth())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult rung::rnn::verifySum(Operation *op, Type operand, Type result) {
  bool valid = operand.isF16()           ? result.isF16() || result.isF32()
               : isa<FloatType>(operand) ? result.isF32()
                                         : result.isInteger(32);
  if (valid && !operand.isInteger(32))
    return success();
  return op->emitOpError("sums products of ")
         << operand << " in " << result
         << "; it must be f32 in f32, f16 in f32 or f16, bf16 in f32 or i8 in "
            "i32";
}

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
  return verifySum(*this, input.getElementType(),
                   getType().getElementType()); // C4
}

LogicalResult InputDotOp::verify() {
  auto body = cast<RecurrenceOp>((*this)->getParentOp());
  if (!llvm::is_contained(body.getSequenceArguments(), getInput())) // C1
    return emitOpError("input is not a whole row of a sequence of the body");
  if (!llvm::is_contained(body.getWeightArguments(), getWeight())) // C1
    return emitOpError("weight is not one of the weights of the body");
  RankedTensorType input = getInput().getType();
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2 ||
      weight.getDimSize(1) != input.getDimSize(0)) // C2
    return emitOpError("weight has type ")
           << weight << "; it must have rank 2 and " << input.getDimSize(0)
           << " columns";
  int64_t first = getFirst(), rows = getType().getDimSize(0);
  if (first < 0 || first > weight.getDimSize(0) - rows) // C3
    return emitOpError("takes ") << rows << " rows from row " << first << " of "
                                 << weight.getDimSize(0);
  if (input.getElementType() != weight.getElementType()) // C4
    return emitOpError("input has elements of ")
           << input.getElementType() << ", weight of "
           << weight.getElementType();
  return verifySum(*this, input.getElementType(),
                   getType().getElementType()); // C5
}

//===----------------------------------------------------------------------===//
// Random bits and integers
//===----------------------------------------------------------------------===//

LogicalResult RandomOp::verify() {
  if (getLayer() < 0) // C1
    return emitOpError("layer is ")
           << getLayer() << "; it must not be negative";
  if (getWord() < 0 || getWord() > 3) // C2
    return emitOpError("word is ") << getWord() << "; there are words 0 to 3";
  return success();
}

LogicalResult rung::rnn::verifyShift(Operation *op, int32_t shift) {
  if (shift >= 1 && shift <= 62)
    return success();
  return op->emitOpError("shift is ") << shift << "; it must be 1 to 62";
}

LogicalResult RequantizeOp::verify() {
  return verifyShift(*this, getShift()); // C1
}

LogicalResult PiecewiseOp::verify() {
  size_t pieces = getNumPieces();
  if (pieces < 1 || getOffsets().size() != pieces ||
      getKnots().size() + 1 != pieces) // C1
    return emitOpError("has ")
           << pieces << " slopes, " << getOffsets().size() << " offsets and "
           << getKnots().size()
           << " knots; P pieces need P slopes, P offsets and P - 1 knots";
  for (size_t i = 1; i < getKnots().size(); ++i)
    if (getKnots()[i] <= getKnots()[i - 1]) // C2
      return emitOpError("knot ") << getKnots()[i] << " follows "
                                  << getKnots()[i - 1] << "; knots must ascend";
  return verifyShift(*this, getShift()); // C3
}

/// True if \p table is a whole weight of the body that \p op is in.
static bool isWeightOfBody(Operation *op, Value table) {
  if (auto map = dyn_cast<MapOp>(op->getParentOp()))
    return llvm::is_contained(map.getWeightArguments(), table);
  auto recurrence = cast<RecurrenceOp>(op->getParentOp());
  return llvm::is_contained(recurrence.getWeightArguments(), table);
}

LogicalResult LookupOp::verify() {
  if (!isWeightOfBody(*this, getTable())) // C1
    return emitOpError("table is not one of the weights of the body");
  int64_t intervals = getNumIntervals();
  if (intervals < 1) // C2
    return emitOpError("table of type ")
           << getTable().getType() << " has no interval";
  int32_t least = getInterpolate() ? 1 : 0, shift = getShift();
  if (shift < least || shift > 30) // C3
    return emitOpError("shift is ")
           << shift << "; it must be " << least << " to 30";
  int64_t limit = int64_t(1) << 31;
  if (intervals > (limit >> shift) ||
      getLow() + (intervals << shift) > limit) // C4
    return emitOpError("table has ")
           << intervals << " intervals of 2^" << shift << " from " << getLow()
           << " on; they must end at 2^31, and be no longer than that";
  return success();
}
