//===- LowerInt8PwlBody.cpp - a cell's step in integers ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace rung::rnn;

namespace rung::int8 {

StateGrid stateGrid(double magnitude, bool isShort) {
  int64_t limit = isShort ? INT16_MAX : int64_t(1) << 24;
  // A number at the very end of 16 bits saturates by one.
  return {finestBits(magnitude, isShort ? limit + 1 : limit, isShort ? 15 : 24),
          limit};
}

BodyLowering::BodyLowering(RecurrenceOp source, Block &target,
                           ArrayRef<Fixed> sequences,
                           ArrayRef<StateGrid> states, IntegerWeights &weights,
                           const Options &options)
    : source_(source), target_(target), states_(states), pool_(weights),
      options_(options), builder_(source.getContext()),
      b_(builder_, source.getLoc(), source.getWidth()) {
  b_.builder().setInsertionPointToEnd(&target);
  auto arguments = target.getArguments();
  for (auto [argument, known] :
       llvm::zip(source.getSequenceArguments(), sequences)) {
    Fixed row = known;
    row.value = arguments[argument.getArgNumber()];
    fixed_[argument] = row;
  }
  size_t first = sequences.size();
  for (auto [i, argument] : llvm::enumerate(source.getStateArguments()))
    fixed_[argument] = {arguments[first + i],
                        states[i].bits,
                        -states[i].limit,
                        states[i].limit,
                        {}};
}

LogicalResult BodyLowering::run() {
  for (auto [argument, weight] :
       llvm::zip(source_.getWeightArguments(), source_.getWeights())) {
    bool isWhole = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return !isa<tensor::ExtractSliceOp, DotOp>(user);
    });
    if (!isWhole)
      continue; // Its slices are looked up where they are taken.
    FailureOr<FixedRow> row =
        pool_.row(source_, weight, kArgumentBits, kLargest);
    if (failed(row))
      return failure();
    fixed_[argument] = {
        argumentOf(row->weight), row->bits, row->low, row->high, {}};
  }
  for (Operation &op : source_.getStep())
    if (failed(lower(op)))
      return failure();
  return success();
}

Value BodyLowering::argumentOf(WeightOp weight) {
  unsigned first = source_.getSequences().size();
  for (auto [i, known] : llvm::enumerate(weightOps_))
    if (known == weight)
      return target_.getArgument(first + i);
  weightOps_.push_back(weight);
  return target_.insertArgument(first + weightOps_.size() - 1, weight.getType(),
                                weight.getLoc());
}

Value BodyLowering::slice(Value row, int64_t offset) {
  int64_t width = source_.getWidth();
  if (cast<RankedTensorType>(row.getType()).getDimSize(0) == width)
    return row;
  OpBuilder &b = b_.builder();
  return tensor::ExtractSliceOp::create(
      b_.builder(), row, ArrayRef<OpFoldResult>{b.getIndexAttr(offset)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(width)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

//===----------------------------------------------------------------------===//
// Slices and products
//===----------------------------------------------------------------------===//

/// The weight operand that \p value, an argument of the body, stands for; null
/// if it stands for something else.
static Value weightOf(RecurrenceOp op, Value value) {
  for (auto [argument, weight] :
       llvm::zip(op.getWeightArguments(), op.getWeights()))
    if (argument == value)
      return weight;
  return {};
}

LogicalResult BodyLowering::lowerSlice(tensor::ExtractSliceOp op) {
  if (op.getType().getRank() == 3)
    return success(); // Its products take it from here.
  int64_t offset = op.getStaticOffsets()[0];
  Value weight = weightOf(source_, op.getSource());
  if (!weight) {
    Fixed row = get(op.getSource());
    row.value = slice(row.value, offset);
    fixed_[op] = row;
    return success();
  }
  FailureOr<FixedRow> row = pool_.row(op, weight, kArgumentBits, kLargest);
  if (failed(row))
    return failure();
  fixed_[op] = {slice(argumentOf(row->weight), offset),
                row->bits,
                row->low,
                row->high,
                {}};
  return success();
}

LogicalResult BodyLowering::lowerDot(DotOp dot) {
  Value matrices = dot.getWeight();
  auto block = matrices.getDefiningOp<tensor::ExtractSliceOp>();
  int64_t firstRow = block ? block.getStaticOffsets()[1] : 0;
  Value source = block ? block.getSource() : matrices;
  Value weight = weightOf(source_, source);
  if (!weight)
    return dot.emitOpError("multiplies by a matrix that is not a weight");
  FailureOr<ByteMatrix> matrix = pool_.matrix(dot, weight);
  if (failed(matrix))
    return failure();
  int64_t perHead = matrix->bytes.getType().getDimSize(1);
  if (firstRow % matrix->depth != 0 || perHead % matrix->depth != 0)
    return dot.emitOpError("takes rows from ")
           << firstRow << " on of " << perHead
           << "; int8 needs whole blocks of " << matrix->depth;

  Fixed input = get(dot.getInput());
  Bytes &bytes = operands_[dot.getInput()];
  if (!bytes.high)
    bytes = splitBytes(b_, input, matrix->depth, options_.operandBytes);
  Value rows = argumentOf(matrix->bytes);
  if (block)
    rows = tensor::ExtractSliceOp::create(
        b_.builder(), rows, block.getMixedOffsets(), block.getMixedSizes(),
        block.getMixedStrides());
  auto product = [&](Value row) -> Value {
    return DotOp::create(b_.builder(), b_.type(), row, rows);
  };
  int64_t offset = firstRow * int64_t(source_.getHeads());
  Value sum = product(bytes.high);
  if (bytes.low) {
    Value low = product(bytes.low);
    sum = b_.make<arith::ShLIOp>(sum, b_.splat(8));
    sum = b_.make<arith::AddIOp>(sum, low);
    sum = b_.make<arith::AddIOp>(
        sum, slice(argumentOf(matrix->corrections), offset));
  }
  double magnitude = matrix->largestRow * input.magnitude();
  int bits = finestBits(magnitude, kLargest / 2, kArgumentBits);
  Value factors = slice(argumentOf(matrix->factors), offset);
  auto most = int64_t(std::ceil(std::ldexp(magnitude, bits))) + 1;
  fixed_[dot] = {b_.requantize(sum, factors, matrix->shift + bytes.bits - bits),
                 bits,
                 -most,
                 most,
                 {}};
  return success();
}

//===----------------------------------------------------------------------===//
// Pointwise operations
//===----------------------------------------------------------------------===//

LogicalResult BodyLowering::lowerConstant(arith::ConstantOp constant) {
  auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!splat || !isa<FloatType>(splat.getElementType()))
    return constant.emitOpError("is no splat of a float");
  APFloat value = splat.getSplatValue<APFloat>();
  if (!value.isFinite())
    return constant.emitOpError("is not finite; integers have no such number");
  Fixed &fixed = fixed_[constant];
  fixed.constant = value.convertToDouble();
  fixed.bits = kArgumentBits;
  return success();
}

/// How integers compare as floats do that are no NaN.
static std::optional<arith::CmpIPredicate>
toInteger(arith::CmpFPredicate predicate) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  switch (predicate) {
  case F::OEQ:
  case F::UEQ:
    return I::eq;
  case F::OGT:
  case F::UGT:
    return I::sgt;
  case F::OGE:
  case F::UGE:
    return I::sge;
  case F::OLT:
  case F::ULT:
    return I::slt;
  case F::OLE:
  case F::ULE:
    return I::sle;
  case F::ONE:
  case F::UNE:
    return I::ne;
  default: // About NaN alone.
    return std::nullopt;
  }
}

LogicalResult BodyLowering::lowerArithmetic(Operation &op) {
  auto a = [&] { return get(op.getOperand(0)); };
  auto b = [&] { return get(op.getOperand(1)); };
  Fixed result =
      llvm::TypeSwitch<Operation *, Fixed>(&op)
          .Case<arith::AddFOp>([&](auto) { return b_.add(a(), b()); })
          .Case<arith::SubFOp>([&](auto) { return b_.subtract(a(), b()); })
          .Case<arith::MulFOp>([&](auto) { return b_.multiply(a(), b()); })
          .Case<arith::NegFOp>([&](auto) { return b_.negate(a()); })
          .Case<arith::MaximumFOp, arith::MaxNumFOp>(
              [&](auto) { return b_.maximum(a(), b()); })
          .Case<arith::MinimumFOp, arith::MinNumFOp>(
              [&](auto) { return b_.minimum(a(), b()); })
          .Case<SigmoidOp>(
              [&](auto) { return squash(numerics::Squash::Sigmoid, a()); })
          .Case<math::TanhOp>(
              [&](auto) { return squash(numerics::Squash::Tanh, a()); })
          .Case<arith::SelectOp>([&](arith::SelectOp select) {
            return b_.select(conditions_.lookup(select.getCondition()), b(),
                             get(op.getOperand(2)));
          })
          .Default([](Operation *) { return Fixed(); });
  if (!result.value)
    return op.emitOpError(
        "has no integer form; int8 runs cells of products, sums, minima, "
        "maxima, choices, sigmoid and tanh");
  fixed_[op.getResult(0)] = result;
  return success();
}

void BodyLowering::lowerYield(YieldOp yield) {
  SmallVector<Value> outputs, states;
  for (auto [value, grid] : llvm::zip(yield.getStates(), states_)) {
    Fixed state = get(value);
    // On a coarser grid limited first: the shift to the finer one must not
    // wrap.
    if (int finer = grid.bits - state.bits; finer > 0 && !state.constant) {
      int64_t most = (grid.limit >> finer) + 1;
      state = b_.clamp(state, -most, most);
    }
    state = b_.toBits(state, grid.bits);
    state = b_.clamp(state, -grid.limit, grid.limit);
    fixed_[value] = state; // An output that is the state is the same row.
    states.push_back(state.value);
  }
  for (Value value : yield.getOutputs()) {
    Fixed output = get(value);
    // As many bits as the f32 outside holds exactly.
    output =
        b_.toBits(output, finestBits(output.magnitude(), 1 << 24, output.bits));
    outputs_.push_back(output);
    outputs.push_back(output.value);
  }
  YieldOp::create(b_.builder(), outputs, states);
}

LogicalResult BodyLowering::lower(Operation &op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return lowerSlice(slice);
  if (auto dot = dyn_cast<DotOp>(op))
    return lowerDot(dot);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return lowerConstant(constant);
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    auto predicate = toInteger(compare.getPredicate());
    if (!predicate)
      return op.emitOpError("asks about NaN, which integers do not have");
    conditions_[compare] =
        b_.compare(*predicate, get(compare.getLhs()), get(compare.getRhs()));
    return success();
  }
  if (auto yield = dyn_cast<YieldOp>(op)) {
    lowerYield(yield);
    return success();
  }
  return lowerArithmetic(op);
}

} // namespace rung::int8
