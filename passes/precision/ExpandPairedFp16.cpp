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

/// Starts the body of \p map: one row of each of its inputs.
static Block::BlockArgListType beginRow(OpBuilder &builder, MapOp map) {
  SmallVector<Type> types;
  for (Value input : map.getInputs())
    types.push_back(rowOf(input));
  SmallVector<Location> locations(types.size(), map.getLoc());
  return builder.createBlock(&map.getBody(), {}, types, locations)
      ->getArguments();
}

/// \p row, f32, within what f16 can hold, 65504.
static Value limitToHalf(OpBuilder &builder, Value row) {
  auto limit = [&](float by) -> Value {
    return arith::ConstantOp::create(
        builder, row.getLoc(),
        DenseElementsAttr::get(cast<RankedTensorType>(row.getType()), by));
  };
  Value most = limit(65504), least = limit(-65504);
  row = arith::MinimumFOp::create(builder, row.getLoc(), row, most);
  return arith::MaximumFOp::create(builder, row.getLoc(), row, least);
}

/// The f16 nearest to \p value, and the one nearest to the remainder. A value
/// past f16's largest, 65504, becomes that. The remainder has a map of its own,
/// which reads the high half from memory: within one kernel a driver may take
/// a number that was rounded and widened again for the number itself.
static std::pair<Value, Value> splitIntoPair(OpBuilder &builder, Value value) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = value.getLoc();
  Type half = withElement(value, builder.getF16Type());
  auto addMap = [&](ValueRange inputs,
                    llvm::function_ref<Value(Block::BlockArgListType)> body) {
    OpBuilder::InsertionGuard guard(builder);
    auto map =
        MapOp::create(builder, location, TypeRange{half}, inputs, ValueRange{});
    Value result = body(beginRow(builder, map));
    Value narrow = arith::TruncFOp::create(
        builder, location, withElement(result, builder.getF16Type()), result);
    YieldOp::create(builder, location, narrow, ValueRange{});
    return map.getResult(0);
  };
  Value high = addMap(
      value, [&](auto rows) { return limitToHalf(builder, rows.front()); });
  Value low = addMap({value, high}, [&](auto rows) -> Value {
    Value whole = limitToHalf(builder, rows[0]);
    Value back =
        arith::ExtFOp::create(builder, location, whole.getType(), rows[1]);
    return arith::SubFOp::create(builder, location, whole, back);
  });
  return {high, low};
}

/// high + low in f32.
static Value joinPair(OpBuilder &builder, Value high, Value low) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = high.getLoc();
  auto map = MapOp::create(builder, location,
                           TypeRange{withElement(high, builder.getF32Type())},
                           ValueRange{high, low}, ValueRange{});
  auto rows = beginRow(builder, map);
  Type wide = withElement(rows[0], builder.getF32Type());
  Value first = arith::ExtFOp::create(builder, location, wide, rows[0]);
  Value second = arith::ExtFOp::create(builder, location, wide, rows[1]);
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
