//===- ExpandCells.cpp - named cells to recurrences ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnActivations.h"
#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_EXPANDCELLS
#include "passes/Passes.h.inc"
} // namespace rung

namespace {

enum Gate { kUpdate, kReset, kCandidate };

/// Writes one step of a GRU. Values are built one a statement: arguments of a
/// call are evaluated in no fixed order, and the IR has one.
class GruStep {
public:
  GruStep(OpBuilder &builder, GruOp gru, unsigned direction)
      : builder_(builder), location_(gru.getLoc()), gru_(gru),
        direction_(direction), hidden_(gru.getHidden()),
        headWidth_(gru.getHidden() / gru.getHeads()) {}

  /// The next state; \p bias is null if there is none.
  Value build(Value input, Value recurrent, Value bias, Value state) {
    input_ = input;
    recurrent_ = recurrent;
    bias_ = bias;
    state_ = state;
    Value share = buildShare();
    Value candidate = buildCandidate();
    Value distance =
        arith::SubFOp::create(builder_, location_, candidate, state_);
    return add(state_, multiply(share, distance));
  }

private:
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder_, location_, a, b);
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder_, location_, a, b);
  }
  OpFoldResult index(int64_t value) { return builder_.getIndexAttr(value); }

  /// The block of \p gate in a row of three gates.
  Value block(Value row, Gate gate) {
    return tensor::ExtractSliceOp::create(
        builder_, location_, row, ArrayRef{index(gate * hidden_)},
        ArrayRef{index(hidden_)}, ArrayRef{index(1)});
  }

  /// U of \p gate times \p row, and the recurrent bias if there is one.
  Value product(Value row, Gate gate) {
    Value matrix = tensor::ExtractSliceOp::create(
        builder_, location_, recurrent_,
        ArrayRef{index(0), index(gate * headWidth_), index(0)},
        ArrayRef{index(gru_.getHeads()), index(headWidth_), index(headWidth_)},
        ArrayRef{index(1), index(1), index(1)});
    Value result =
        DotOp::create(builder_, location_, row.getType(), row, matrix);
    return bias_ ? add(result, block(bias_, gate)) : result;
  }

  /// The activation's argument: what the input gives and \p recurrent.
  Value argument(Gate gate, Value recurrent) {
    Value sum = add(block(input_, gate), recurrent);
    return gru_.getClip() ? buildClip(builder_, location_,
                                      gru_.getClip()->convertToDouble(), sum)
                          : sum;
  }

  /// What the candidate takes of the state.
  Value buildShare() {
    auto build =
        gru_.getUpdate() == Update::Take ? buildActivation : buildComplement;
    return build(builder_, location_, gru_.getGateActivation(direction_),
                 argument(kUpdate, product(state_, kUpdate)));
  }

  Value buildCandidate() {
    Value reset =
        buildActivation(builder_, location_, gru_.getGateActivation(direction_),
                        argument(kReset, product(state_, kReset)));
    Value recurrent = gru_.getReset() == Reset::Before
                          ? product(multiply(reset, state_), kCandidate)
                          : multiply(reset, product(state_, kCandidate));
    return buildActivation(builder_, location_,
                           gru_.getCandidateActivation(direction_),
                           argument(kCandidate, recurrent));
  }

  OpBuilder &builder_;
  Location location_;
  GruOp gru_;
  unsigned direction_;
  int64_t hidden_, headWidth_;
  Value input_, recurrent_, bias_, state_;
};

} // namespace

/// The input's product of all steps of \p direction.
static Value buildInputProduct(OpBuilder &builder, GruOp gru,
                               unsigned direction) {
  RankedTensorType input = gru.getInput().getType();
  auto type = input.clone(
      {input.getDimSize(0), input.getDimSize(1), 3 * gru.getHidden()});
  Value bias =
      gru.getInputBias().empty() ? Value() : gru.getInputBias()[direction];
  return LinearOp::create(builder, gru.getLoc(), type, gru.getInput(),
                          gru.getWeights()[direction], bias,
                          gru.getPrecisionAttr());
}

static RecurrenceOp buildDirection(OpBuilder &builder, GruOp gru,
                                   unsigned direction) {
  Location location = gru.getLoc();
  Value input = buildInputProduct(builder, gru, direction);
  SmallVector<Value> weights{gru.getRecurrent()[direction]};
  if (!gru.getRecurrentBias().empty())
    weights.push_back(gru.getRecurrentBias()[direction]);
  Value initial = gru.getInitial()[direction];

  auto sequence = cast<RankedTensorType>(input.getType());
  Type output = sequence.clone(
      {sequence.getDimSize(0), sequence.getDimSize(1), gru.getHidden()});
  bool reversed = gru.getDirection() == Direction::Reverse || direction == 1;
  auto recurrence = RecurrenceOp::create(
      builder, location, TypeRange{output, initial.getType()}, input, weights,
      initial, gru.getLengths(), /*random=*/Value(),
      reversed ? Direction::Reverse : Direction::Forward, gru.getHeads(),
      gru.getPrecisionAttr());

  Type element = sequence.getElementType();
  SmallVector<Type> arguments{
      RankedTensorType::get({3 * gru.getHidden()}, element)};
  for (Value weight : weights)
    arguments.push_back(weight.getType());
  arguments.push_back(RankedTensorType::get({gru.getHidden()}, element));

  OpBuilder::InsertionGuard guard(builder);
  Block *step =
      builder.createBlock(&recurrence.getBody(), {}, arguments,
                          SmallVector<Location>(arguments.size(), location));
  Value bias = weights.size() == 2 ? step->getArgument(2) : Value();
  Value next = GruStep(builder, gru, direction)
                   .build(step->getArgument(0), step->getArgument(1), bias,
                          step->getArguments().back());
  YieldOp::create(builder, location, /*outputs=*/next, /*states=*/next);
  return recurrence;
}

static void expandGru(GruOp gru) {
  OpBuilder builder(gru);
  SmallVector<Value> outputs, states;
  for (unsigned i = 0; i < gru.getNumDirections(); ++i) {
    RecurrenceOp recurrence = buildDirection(builder, gru, i);
    outputs.push_back(recurrence.getOutputs().front());
    states.push_back(recurrence.getFinalStates().front());
  }
  Value output =
      outputs.size() == 1
          ? outputs.front()
          : Value(ConcatOp::create(builder, gru.getLoc(),
                                   gru.getOutput().getType(), outputs));
  gru.getOutput().replaceAllUsesWith(output);
  gru.getFinalStates().replaceAllUsesWith(ValueRange(states));
  gru.erase();
}

namespace {
struct ExpandCells : rung::impl::ExpandCellsBase<ExpandCells> {
  void runOnOperation() override {
    SmallVector<GruOp> cells;
    getOperation().walk([&](GruOp cell) { cells.push_back(cell); });
    for (GruOp cell : cells)
      expandGru(cell);
  }
};
} // namespace
