//===- ExpandPairedFp16.cpp - recurrences in pairs of f16 -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnBody.h"
#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"
#include "passes/precision/GraphCasts.h"
#include "passes/precision/PairedBody.h"
#include "passes/precision/WeightValues.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_EXPANDPAIREDFP16
#include "passes/Passes.h.inc"
} // namespace rung

using rung::GraphCasts;
using rung::PairedBody;
using rung::withElement;

/// Starts the body of \p map, whose inputs have one type.
static Value beginRow(OpBuilder &builder, MapOp map, unsigned inputs) {
  RankedTensorType row = rowOf(map.getInputs().front());
  SmallVector<Type> types(inputs, row);
  SmallVector<Location> locations(inputs, map.getLoc());
  return builder.createBlock(&map.getBody(), {}, types, locations)
      ->getArgument(0);
}

/// The f16 nearest to \p value, and the one nearest to the remainder. A value
/// past f16's largest, 65504, becomes that.
static std::pair<Value, Value> splitIntoPair(OpBuilder &builder, Value value) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = value.getLoc();
  Type half = withElement(value, builder.getF16Type());
  auto map = MapOp::create(builder, location, TypeRange{half, half},
                           ValueRange{value}, ValueRange{});
  Value row = beginRow(builder, map, 1);
  RankedTensorType wide = cast<RankedTensorType>(row.getType());
  auto limit = [&](float by) -> Value {
    return arith::ConstantOp::create(builder, location,
                                     DenseElementsAttr::get(wide, by));
  };
  Value most = limit(65504), least = limit(-65504);
  row = arith::MinimumFOp::create(builder, location, row, most);
  row = arith::MaximumFOp::create(builder, location, row, least);
  Type narrow = wide.clone(builder.getF16Type());
  Value high = arith::TruncFOp::create(builder, location, narrow, row);
  Value back = arith::ExtFOp::create(builder, location, wide, high);
  Value rest = arith::SubFOp::create(builder, location, row, back);
  Value low = arith::TruncFOp::create(builder, location, narrow, rest);
  YieldOp::create(builder, location, ValueRange{high, low}, ValueRange{});
  return {map.getResult(0), map.getResult(1)};
}

/// high + low in f32.
static Value joinPair(OpBuilder &builder, Value high, Value low) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = high.getLoc();
  auto map = MapOp::create(builder, location,
                           TypeRange{withElement(high, builder.getF32Type())},
                           ValueRange{high, low}, ValueRange{});
  Value row = beginRow(builder, map, 2);
  Type wide = withElement(row, builder.getF32Type());
  Value first = arith::ExtFOp::create(builder, location, wide, row);
  Value second = arith::ExtFOp::create(builder, location, wide,
                                       map.getInputArguments()[1]);
  Value sum = arith::AddFOp::create(builder, location, first, second);
  YieldOp::create(builder, location, ValueRange{sum}, ValueRange{});
  return map.getResult(0);
}

namespace {

/// Writes one recurrence again, in pairs.
class PairedRecurrence {
public:
  PairedRecurrence(RecurrenceOp op, GraphCasts &casts)
      : op_(op), casts_(casts), builder_(op) {}
  LogicalResult replace();

private:
  LogicalResult addWeight(Value weight);
  LogicalResult addRow(WeightOp weight);

  RecurrenceOp op_;
  GraphCasts &casts_;
  OpBuilder builder_;
  SmallVector<Value> weights_;
};

struct ExpandPairedFp16 : rung::impl::ExpandPairedFp16Base<ExpandPairedFp16> {
  void runOnOperation() override;
};

} // namespace

/// The f16 nearest to \p value.
static float toHalf(float value) {
  APFloat number(value);
  bool lost;
  number.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  return number.convertToFloat();
}

/// A row of a weight becomes two weights: its values as f16, and what they
/// lack. Both are written in f32 and cast, as every weight in a narrow format.
LogicalResult PairedRecurrence::addRow(WeightOp weight) {
  FailureOr<std::vector<float>> values = rung::readWeight(weight);
  if (failed(values))
    return failure();
  std::vector<float> high, low;
  for (float value : *values) {
    high.push_back(toHalf(value));
    low.push_back(toHalf(value - high.back()));
  }
  auto module = op_->getParentOfType<ModuleOp>();
  auto add = [&](const char *suffix, std::vector<float> part) {
    WeightOp made = rung::createWeight(
        module, weight.getLoc(), (weight.getSymName() + suffix).str(),
        weight.getType().getShape(), std::move(part));
    Value row = rung::loadWeight(builder_, made);
    weights_.push_back(casts_.get(row, builder_.getF16Type()));
  };
  add(".high", std::move(high));
  add(".low", std::move(low));
  return success();
}

LogicalResult PairedRecurrence::addWeight(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 3) {
    weights_.push_back(casts_.getWeight(value, builder_.getF16Type()));
    return success();
  }
  WeightOp weight = rung::loadedWeight(value);
  if (type.getRank() == 1 && weight)
    return addRow(weight);
  return op_.emitOpError("has weight operand ")
         << weights_.size() << " of type " << type
         << "; rnn-expand-paired-fp16 splits rows that are an rnn.weight";
}

LogicalResult PairedRecurrence::replace() {
  SmallVector<Value> sequences, initial;
  auto split = [&](ValueRange values, SmallVector<Value> &pairs) {
    for (Value value : values) {
      auto [high, low] = splitIntoPair(builder_, value);
      pairs.append({high, low});
    }
  };
  split(op_.getSequences(), sequences);
  split(op_.getInitial(), initial);
  for (Value weight : op_.getWeights())
    if (failed(addWeight(weight)))
      return failure();

  SmallVector<Type> types;
  for (Value result : op_.getResults())
    types.append(2, withElement(result, builder_.getF16Type()));
  auto paired = RecurrenceOp::create(builder_, op_.getLoc(), types, sequences,
                                     weights_, initial, op_.getLengths(),
                                     /*random=*/Value(), op_.getDirection(),
                                     op_.getHeads(), op_.getPrecisionAttr());
  if (failed(PairedBody(op_, paired).build()))
    return failure();
  for (auto [i, result] : llvm::enumerate(op_.getResults()))
    result.replaceAllUsesWith(joinPair(builder_, paired.getResult(2 * i),
                                       paired.getResult(2 * i + 1)));
  op_.erase();
  return success();
}

/// True if \p precision asks for a state of two f16.
static bool wantsPairs(std::optional<PrecisionAttr> precision) {
  return precision && precision->getState() == Format::F16x2;
}

static LogicalResult verifyRequired(RecurrenceOp op) {
  Type state = getElementTypeOrSelf(op.getInitial().front());
  if (state.isF16())
    return op.emitOpError("has states of f16; it is expanded already");
  if (!state.isF32())
    return op.emitOpError("has states of ")
           << state << "; rnn-expand-paired-fp16 expands f32";
  if (op.getRandom())
    return op.emitOpError("draws random bits; rnn-expand-paired-fp16 comes "
                          "before rnn-insert-stochastic-rounding");
  return success();
}

void ExpandPairedFp16::runOnOperation() {
  SmallVector<RecurrenceOp> recurrences;
  WalkResult checked = getOperation().walk([&](Operation *op) {
    if (auto gru = dyn_cast<GruOp>(op); gru && wantsPairs(gru.getPrecision())) {
      gru.emitOpError("is not expanded; rnn-expand-paired-fp16 needs "
                      "rnn-expand-cells before it");
      return WalkResult::interrupt();
    }
    auto recurrence = dyn_cast<RecurrenceOp>(op);
    if (!recurrence || !wantsPairs(recurrence.getPrecision()))
      return WalkResult::advance();
    recurrences.push_back(recurrence);
    return failed(verifyRequired(recurrence)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return signalPassFailure();
  GraphCasts casts;
  for (RecurrenceOp recurrence : recurrences)
    if (failed(PairedRecurrence(recurrence, casts).replace()))
      return signalPassFailure();
  rung::eraseUnusedWeights(getOperation());
}
