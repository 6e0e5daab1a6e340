//===- LayerUnits.cpp - the units of a GRU, by their weights --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/LayerUnits.h"

#include "passes/precision/WeightValues.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace rung::rnn;
using rung::numerics::Normal;
using rung::numerics::UnitClass;

namespace rung {

/// Units of a layer are sorted by their gates and taken together in so many.
static constexpr size_t kClasses = 8;

namespace {

using Values = std::vector<float>;
enum Gate { kUpdate, kReset, kCandidate };

/// The weights of one direction.
struct Weights {
  Values input, recurrent, inputBias, recurrentBias;
  int64_t hidden, width, headWidth;

  double bias(Gate gate, int64_t unit) const {
    int64_t at = gate * hidden + unit;
    return (inputBias.empty() ? 0 : inputBias[at]) +
           (recurrentBias.empty() ? 0 : recurrentBias[at]);
  }
  double inputNorm(Gate gate, int64_t unit) const {
    return rowNorm(input, gate * hidden + unit, width);
  }
  /// Of the rows of two gates.
  double inputProduct(Gate a, Gate b, int64_t unit) const {
    const float *left = &input[(a * hidden + unit) * width];
    const float *right = &input[(b * hidden + unit) * width];
    return std::inner_product(left, left + width, right, 0.0);
  }
  double recurrentNorm(Gate gate, int64_t unit) const {
    int64_t head = unit / headWidth, row = unit % headWidth;
    return rowNorm(recurrent, (head * 3 + gate) * headWidth + row, headWidth);
  }

private:
  static double rowNorm(const Values &values, int64_t row, int64_t width) {
    double sum = 0;
    for (int64_t i = 0; i < width; ++i) {
      double value = values[row * width + i];
      sum += value * value;
    }
    return std::sqrt(sum);
  }
};

} // namespace

static FailureOr<Values> read(Value value) {
  WeightOp weight = loadedWeight(value);
  if (!weight)
    return failure();
  return readWeight(weight);
}

static FailureOr<Weights> readWeights(GruOp gru, unsigned direction) {
  Weights weights;
  weights.hidden = gru.getHidden();
  weights.headWidth = gru.getHidden() / gru.getHeads();
  weights.width = gru.getInput().getType().getDimSize(2);
  auto fill = [&](Values &target, Value value) -> LogicalResult {
    FailureOr<Values> values = read(value);
    if (failed(values))
      return failure();
    target = std::move(*values);
    return success();
  };
  if (failed(fill(weights.input, gru.getWeights()[direction])) ||
      failed(fill(weights.recurrent, gru.getRecurrent()[direction])))
    return failure();
  if (!gru.getInputBias().empty() &&
      failed(fill(weights.inputBias, gru.getInputBias()[direction])))
    return failure();
  if (!gru.getRecurrentBias().empty() &&
      failed(fill(weights.recurrentBias, gru.getRecurrentBias()[direction])))
    return failure();
  return weights;
}

static UnitClass describe(const Weights &weights, int64_t unit, bool keeps,
                          double inputRms, double stateRms) {
  auto argument = [&](Gate gate, double share) -> Normal {
    return {weights.bias(gate, unit),
            std::hypot(inputRms * weights.inputNorm(gate, unit),
                       share * stateRms * weights.recurrentNorm(gate, unit))};
  };
  UnitClass result;
  result.gate = argument(kUpdate, 1);
  if (keeps) // The small gate is the update gate's complement.
    result.gate.mean = -result.gate.mean;
  double reset =
      std::sqrt(numerics::sigmoidMoments(argument(kReset, 1)).square);
  result.candidate = argument(kCandidate, reset);
  result.covariance = inputRms * inputRms *
                      weights.inputProduct(kUpdate, kCandidate, unit) *
                      (keeps ? -1 : 1);
  result.gateInput = inputRms * weights.inputNorm(kUpdate, unit);
  result.candidateInput = inputRms * weights.inputNorm(kCandidate, unit);
  result.gateGain = weights.recurrentNorm(kUpdate, unit);
  result.candidateGain = reset * weights.recurrentNorm(kCandidate, unit);
  return result;
}

/// The mean of some units; of deviations and gains that of their squares.
static UnitClass merge(ArrayRef<UnitClass> units) {
  UnitClass result;
  result.count = units.size();
  double n = units.size();
  auto square = [&](auto member) {
    double sum = 0;
    for (const UnitClass &unit : units)
      sum += member(unit) * member(unit);
    return std::sqrt(sum / n);
  };
  for (const UnitClass &unit : units) {
    result.gate.mean += unit.gate.mean / n;
    result.candidate.mean += unit.candidate.mean / n;
  }
  result.gate.deviation = square([](auto &u) { return u.gate.deviation; });
  double mean = square([](auto &u) { return u.candidate.mean; });
  double spread = square([](auto &u) { return u.candidate.deviation; });
  // Candidates' means of either sign do not cancel: they are a spread here.
  result.candidate.deviation = std::sqrt(
      spread * spread + std::max(0.0, mean * mean - result.candidate.mean *
                                                        result.candidate.mean));
  result.covariance = square([](auto &u) { return u.covariance; });
  result.gateInput = square([](auto &u) { return u.gateInput; });
  result.candidateInput = square([](auto &u) { return u.candidateInput; });
  result.gateGain = square([](auto &u) { return u.gateGain; });
  result.candidateGain = square([](auto &u) { return u.candidateGain; });
  return result;
}

FailureOr<std::vector<UnitClass>>
unitClasses(GruOp gru, unsigned direction, double inputRms, double stateRms) {
  FailureOr<Weights> weights = readWeights(gru, direction);
  if (failed(weights))
    return failure();
  std::vector<UnitClass> units;
  for (int64_t unit = 0; unit < weights->hidden; ++unit)
    units.push_back(describe(*weights, unit, gru.getUpdate() == Update::Keep,
                             inputRms, stateRms));
  std::stable_sort(units.begin(), units.end(),
                   [](const UnitClass &a, const UnitClass &b) {
                     return a.gate.mean < b.gate.mean;
                   });
  std::vector<UnitClass> classes;
  size_t count = std::min(kClasses, units.size());
  for (size_t i = 0; i < count; ++i) {
    size_t first = units.size() * i / count,
           last = units.size() * (i + 1) / count;
    classes.push_back(merge(ArrayRef(units).slice(first, last - first)));
  }
  return classes;
}

static std::optional<double> rmsOf(Value value) {
  WeightOp weight = loadedWeight(value);
  if (!weight)
    return std::nullopt;
  FailureOr<Values> values = readWeight(weight);
  if (failed(values))
    return std::nullopt;
  double sum = 0;
  for (float element : *values)
    sum += double(element) * element;
  return std::sqrt(sum / values->size());
}

KnownSize sizeOf(Value value) {
  if (auto norm = value.getDefiningOp<RmsNormOp>())
    if (auto rms = rmsOf(norm.getScale()))
      return {*rms, "rms_norm"};
  if (auto embedding = value.getDefiningOp<EmbeddingOp>())
    if (auto rms = rmsOf(embedding.getTable()))
      return {*rms, "embedding"};
  return {};
}

} // namespace rung
