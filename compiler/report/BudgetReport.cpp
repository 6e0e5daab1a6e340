//===- BudgetReport.cpp - errors of recurrent layers ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/BudgetReport.h"

#include "compiler/report/LayerUnits.h"
#include "compiler/report/Roundings.h"
#include "passes/precision/RecurrentLayers.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace mlir;
using namespace rung::rnn;
using namespace rung::numerics;

namespace rung {

namespace {

/// A direction of a cell, and the recurrence that it became.
struct Layer {
  GruOp gru; ///< Null for a cell of one's own.
  unsigned direction = 0;
  RecurrenceOp recurrence;
};

/// What is predicted of layers' outputs, for inputs of one kind.
using Outputs = std::map<void *, std::vector<Prediction>>;

} // namespace

/// Cells are opened in the order of the text, one recurrence a direction.
static std::vector<Layer> matchLayers(func::FuncOp source,
                                      func::FuncOp rounded) {
  std::vector<Layer> layers;
  source.walk([&](Operation *op) {
    if (auto gru = dyn_cast<GruOp>(op))
      for (unsigned i = 0; i < gru.getNumDirections(); ++i)
        layers.push_back({gru, i, {}});
    else if (isa<RecurrenceOp>(op))
      layers.push_back({});
  });
  size_t index = 0;
  rounded.walk([&](RecurrenceOp recurrence) {
    if (index < layers.size())
      layers[index++].recurrence = recurrence;
  });
  layers.resize(index);
  return layers;
}

static std::string_view nameOf(Source source) {
  switch (source) {
  case Source::State:
    return "state";
  case Source::Argument:
    return "gate argument";
  case Source::Gate:
    return "gate";
  case Source::Candidate:
    return "candidate";
  case Source::Increment:
    return "increment";
  case Source::Input:
    return "input";
  }
  return "";
}

/// Whether inputs that keep for \p a and \p b steps are of one kind.
static bool isSameInput(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * std::max(a, b);
}

/// A layer that keeps nothing for this many steps is said to forget.
static constexpr double kForgetful = 16;
/// An error that stays for this many steps is said to be coherent.
static constexpr double kCoherent = 4;

static Growth describeGrowth(std::vector<Prediction> predictions, Input input,
                             const numerics::Memory &memory) {
  Growth growth;
  growth.input = input.memory == 0 ? "new each step" : "slow";
  growth.inputMemory = input.memory;
  const Prediction &last = predictions.back();
  size_t largest =
      std::max_element(std::begin(last.part), std::end(last.part)) -
      std::begin(last.part);
  growth.source = nameOf(Source(largest));
  if (memory.longest < kForgetful)
    growth.kind = "forgotten";
  else
    growth.kind = last.coherence[largest] >= kCoherent ? "coherent" : "random";
  growth.predictions = std::move(predictions);
  return growth;
}

/// The layer behind the norms and roundings that \p value went through, which
/// hand on its relative error.
static Value makerOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<RmsNormOp, CastOp, ActivationOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether the operands of the input's product hold \p input exactly: those
/// who call a function see to that, and so does a layer of narrow state.
static bool isRepresentable(Value input, RecurrenceOp recurrence) {
  auto precision = *recurrence.getPrecision();
  return isa<BlockArgument>(input) ||
         (input.getDefiningOp<GruOp>() &&
          precision.getState() == precision.getOperand());
}

/// Predicts for one kind of input. The deviation of arguments depends on the
/// state's size and that on them: a second look settles both.
static FailureOr<Growth> grow(const Layer &layer, const ReportOptions &options,
                              Input input, Outputs &outputs,
                              LayerBudget &budget) {
  GruOp gru = layer.gru;
  KnownSize size = sizeOf(gru.getInput());
  auto before = outputs.find(makerOf(gru.getInput()).getAsOpaquePointer());
  if (before != outputs.end()) {
    input.before = &before->second;
    if (gru.getInput() == makerOf(gru.getInput()))
      size = {before->second.back().state, "layer before"};
  }
  budget.inputRms = size.rms;
  budget.inputKnownFrom = size.from;

  std::vector<UnitClass> units;
  for (double state : {0.0, -1.0}) {
    if (state < 0)
      state = predictErrors(units, {}, input, {kMarks[4]}).front().state;
    auto found = unitClasses(gru, layer.direction, size.rms, state);
    if (failed(found))
      return failure();
    units = std::move(*found);
  }
  budget.memory = memoryOf(units);
  Arithmetic arithmetic =
      arithmeticOf(layer.recurrence, options.precision, units,
                   isRepresentable(gru.getInput(), layer.recurrence));
  std::vector<Prediction> predictions = predictErrors(
      units, arithmetic, input, {std::begin(kMarks), std::end(kMarks)});
  outputs[gru.getOutput().getAsOpaquePointer()] = predictions;
  return describeGrowth(std::move(predictions), input, budget.memory);
}

static std::string precisionText(RecurrenceOp recurrence) {
  auto precision = recurrence.getPrecision();
  if (!precision)
    return "none";
  return ("operand " + stringifyFormat(precision->getOperand()) +
          ", accumulate " + stringifyFormat(precision->getAccumulate()) +
          ", state " + stringifyFormat(precision->getState()) + ", round " +
          stringifyRound(precision->getRound()))
      .str();
}

/// The port that \p gru takes its state of \p direction from.
static std::string statePort(GruOp gru, unsigned direction) {
  auto argument = dyn_cast<BlockArgument>(gru.getInitial()[direction]);
  auto function = gru->getParentOfType<func::FuncOp>();
  if (!argument || argument.getOwner() != &function.front())
    return "";
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    "rnn.state");
  return name ? name.str() : "";
}

/// Kinds of inputs to predict for: new ones, the slow ones asked for, and those
/// of measurements.
static std::vector<Input> inputKinds(const ReportOptions &options) {
  std::vector<Input> inputs = {{0}, {options.inputMemory}};
  for (const MeasuredDrift &drift : options.measured)
    if (llvm::none_of(inputs, [&](Input input) {
          return isSameInput(input.memory, drift.inputMemory);
        }))
      inputs.push_back({drift.inputMemory});
  return inputs;
}

static void addMeasured(LayerBudget &budget, Growth &growth,
                        const ReportOptions &options) {
  for (const MeasuredDrift &drift : options.measured) {
    auto errors = drift.errors.find(budget.state);
    if (drift.function == budget.function && errors != drift.errors.end() &&
        isSameInput(drift.inputMemory, growth.inputMemory))
      growth.measured.push_back(
          {drift.device, drift.inputMemory, drift.steps, errors->second});
  }
}

void addBudget(Report &report, func::FuncOp source, func::FuncOp rounded,
               const ReportOptions &options) {
  const std::vector<Input> inputs = inputKinds(options);
  std::vector<Outputs> outputs(inputs.size());
  for (Layer &layer : matchLayers(source, rounded)) {
    LayerBudget budget;
    budget.function = rounded.getSymName();
    budget.name = layerName(layer.gru ? layer.gru.getOperation()
                                      : layer.recurrence.getOperation());
    if (layer.gru && layer.gru.getNumDirections() == 2)
      budget.name += layer.direction == 0 ? " forward" : " backward";
    budget.precision = precisionText(layer.recurrence);
    budget.state = layer.gru ? statePort(layer.gru, layer.direction) : "";
    budget.heads = layer.recurrence.getHeads();
    budget.width = layer.recurrence.getWidth();
    budget.roundings = roundingsOf(layer.recurrence);
    if (!layer.gru)
      budget.withoutGrowth = "a cell of one's own: what it remembers is not "
                             "known";
    else if (!layer.recurrence.getPrecision())
      budget.withoutGrowth = "no precision is set";
    else
      for (size_t i = 0; i < inputs.size(); ++i) {
        auto growth = grow(layer, options, inputs[i], outputs[i], budget);
        if (succeeded(growth)) {
          addMeasured(budget, *growth, options);
          budget.growth.push_back(std::move(*growth));
        } else
          budget.withoutGrowth = "its weights are no constants at hand";
      }
    report.budget.push_back(std::move(budget));
  }
}

} // namespace rung
