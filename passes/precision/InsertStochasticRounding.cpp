//===- InsertStochasticRounding.cpp - states rounded at random -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"
#include "passes/precision/StochasticRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_INSERTSTOCHASTICROUNDING
#include "passes/Passes.h.inc"
} // namespace rung

/// Philox gives so many words for one counter.
static constexpr size_t kWords = 4;

namespace {

using Sums = llvm::SetVector<arith::AddFOp>;

/// A recurrence to change: its number in the function, and the sums that round
/// its states.
struct Layer {
  RecurrenceOp op;
  int32_t number;
  Sums sums;
};

struct InsertStochasticRounding
    : rung::impl::InsertStochasticRoundingBase<InsertStochasticRounding> {
  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which sums
//===----------------------------------------------------------------------===//

static bool isHalfSum(Operation *op) {
  auto sum = dyn_cast_or_null<arith::AddFOp>(op);
  return sum && getElementTypeOrSelf(sum.getType()).isF16();
}

/// The sums that make the states of \p op, which are f16.
static FailureOr<Sums> findStateSums(RecurrenceOp op) {
  Sums sums;
  for (auto [index, state] : llvm::enumerate(op.getYield().getStates())) {
    if (!getElementTypeOrSelf(state).isF16())
      return op.emitOpError("keeps state ")
             << index << " as " << state.getType()
             << "; rnn-insert-stochastic-rounding needs rnn-insert-casts "
                "before it";
    Operation *maker = state.getDefiningOp();
    if (!isHalfSum(maker)) {
      auto diagnostic = op.emitOpError("makes state ")
                        << index << " by "
                        << (maker ? maker->getName().getStringRef() : "no sum")
                        << "; only a sum of two f16 can be rounded "
                           "stochastically, and adding zero to a rounded value "
                           "would round nothing";
      if (maker)
        diagnostic.attachNote(maker->getLoc()) << "it is made here";
      return diagnostic;
    }
    sums.insert(cast<arith::AddFOp>(maker));
  }
  return sums;
}

/// The sums of \p op, a recurrence of pairs, that are marked.
static FailureOr<Sums> findMarkedSums(RecurrenceOp op) {
  Sums sums;
  for (Operation &inner : op.getStep()) {
    if (!inner.hasAttr(kRoundsStateAttr))
      continue;
    if (!isHalfSum(&inner))
      return inner.emitOpError("is marked '")
             << kRoundsStateAttr << "', and is no sum of two f16";
    sums.insert(cast<arith::AddFOp>(inner));
  }
  if (sums.empty())
    return op.emitOpError("has no sum marked '")
           << kRoundsStateAttr
           << "'; rnn-insert-stochastic-rounding needs "
              "rnn-expand-paired-fp16 before it";
  return sums;
}

/// The sums of \p op to change; none if it is not, or already, stochastic.
static FailureOr<Sums> findSums(RecurrenceOp op) {
  std::optional<PrecisionAttr> precision = op.getPrecision();
  if (!precision || precision->getRound() != Round::Stochastic ||
      !op.getStep().getOps<AddStochasticOp>().empty())
    return Sums();
  Format state = precision->getState();
  if (state != Format::F16 && state != Format::F16x2)
    return op.emitOpError("keeps its state in ")
           << stringifyFormat(state)
           << "; stochastic rounding is for f16 and f16x2";
  FailureOr<Sums> sums =
      state == Format::F16 ? findStateSums(op) : findMarkedSums(op);
  if (succeeded(sums) && sums->size() > kWords)
    return op.emitOpError("rounds ")
           << sums->size() << " sums a step; there are " << kWords
           << " words of random bits for each element";
  return sums;
}

static FailureOr<SmallVector<Layer>> findLayers(func::FuncOp function) {
  SmallVector<Layer> layers;
  int32_t number = 0;
  WalkResult walked = function.walk([&](RecurrenceOp op) {
    FailureOr<Sums> sums = findSums(op);
    if (failed(sums))
      return WalkResult::interrupt();
    if (!sums->empty())
      layers.push_back({op, number, std::move(*sums)});
    ++number;
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (const Layer &layer : layers)
    if (RecurrenceOp(layer.op).getLengths() !=
        RecurrenceOp(layers.front().op).getLengths()) {
      RecurrenceOp other = layers.front().op;
      auto diagnostic = RecurrenceOp(layer.op).emitOpError(
          "has other lengths than another recurrence of its function; they "
          "share one count of steps");
      diagnostic.attachNote(other.getLoc()) << "the other is here";
      return diagnostic;
    }
  return layers;
}

//===----------------------------------------------------------------------===//
// Changing them
//===----------------------------------------------------------------------===//

static void roundStochastically(const Layer &layer) {
  for (auto [word, sum] : llvm::enumerate(layer.sums)) {
    OpBuilder builder(sum);
    auto row = cast<RankedTensorType>(arith::AddFOp(sum).getType());
    Value bits = RandomOp::create(builder, sum->getLoc(),
                                  row.clone(builder.getI32Type()), layer.number,
                                  int32_t(word));
    Value rounded = AddStochasticOp::create(
        builder, sum->getLoc(), sum->getOperand(0), sum->getOperand(1), bits);
    sum->getResult(0).replaceAllUsesWith(rounded);
    sum->erase();
  }
}

/// Refuses a port of \p function that is in the way of `random`.
static LogicalResult verifyFree(func::FuncOp function) {
  auto isTaken = [&](DictionaryAttr attributes) {
    auto is = [&](StringRef key) {
      auto name = attributes.getAs<StringAttr>(key);
      return name && name.getValue() == kRandomState;
    };
    return attributes && (is(kNameAttr) || is(kStateAttr));
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isTaken(function.getArgAttrDict(i)))
      return function.emitError("function '")
             << function.getName() << "' has an argument '" << kRandomState
             << "', which stochastic rounding needs for itself";
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (isTaken(function.getResultAttrDict(i)))
      return function.emitError("function '")
             << function.getName() << "' has a result '" << kRandomState
             << "', which stochastic rounding needs for itself";
  return success();
}

/// Gives \p function its state `random`, whose steps are those of \p layer.
static FailureOr<Value> addRandomState(func::FuncOp function,
                                       RecurrenceOp layer) {
  Builder builder(function.getContext());
  auto state = cast<RankedTensorType>(layer.getInitial().front().getType());
  auto type =
      RankedTensorType::get({state.getDimSize(0), 3}, builder.getI32Type());
  StringAttr name = builder.getStringAttr(kRandomState);
  DictionaryAttr port =
      builder.getDictionaryAttr({builder.getNamedAttr(kNameAttr, name),
                                 builder.getNamedAttr(kStateAttr, name)});
  unsigned argument = function.getNumArguments();
  if (failed(function.insertArgument(argument, type, port, layer.getLoc())) ||
      failed(function.insertResult(function.getNumResults(), type, port)))
    return failure();
  Value random = function.getArgument(argument);
  Operation *end = function.front().getTerminator();
  OpBuilder atEnd(end);
  Value advanced =
      AdvanceRandomOp::create(atEnd, layer.getLoc(), type, random,
                              layer.getSequences().front(), layer.getLengths());
  end->insertOperands(end->getNumOperands(), advanced);
  return random;
}

static LogicalResult roundFunction(func::FuncOp function) {
  FailureOr<SmallVector<Layer>> layers = findLayers(function);
  if (failed(layers))
    return failure();
  if (layers->empty())
    return success();
  if (failed(verifyFree(function)))
    return failure();
  FailureOr<Value> random = addRandomState(function, layers->front().op);
  if (failed(random))
    return failure();
  for (Layer &layer : *layers) {
    layer.op.getRandomMutable().assign(*random);
    roundStochastically(layer);
  }
  return success();
}

void InsertStochasticRounding::runOnOperation() {
  WalkResult walked = getOperation().walk([](GruOp gru) {
    gru.emitOpError("is not expanded; rnn-insert-stochastic-rounding needs "
                    "rnn-expand-cells before it");
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(roundFunction(function)))
      return signalPassFailure();
}
