//===- ErrorBudget.cpp - what roundings do to a state over time -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/ErrorBudget.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rung::numerics {

/// Root of the mean square of 2^-f for f spread evenly over [0, 1).
constexpr double kOctave = 0.7355;
/// Of an error spread evenly over one spacing.
constexpr double kUniform = 0.28868; // 1 / sqrt(12)

double Grid::spacing(double v) const {
  return std::max(absolute, kOctave * relative * std::fabs(v));
}

namespace {

/// An error a step, through a leaky integrator: its variance there, and its
/// covariance with the next step's error.
struct Integrated {
  double variance = 0, covariance = 0;

  void step(double square, double leak, double leakSquare, double coherence) {
    double next = (coherence - 1) / coherence; // Lag-1 correlation.
    variance = leakSquare * variance + square + 2 * leak * covariance;
    covariance = next * (leak * covariance + square);
  }
};

/// One class of units at one level of its slow gate.
struct Unit {
  double count, argument, deviation; // Of the gate's argument, as it varies.
  double candidateArgument, candidateDeviation;
  double share, shareSquare; // E u, E u^2
  double gateSlope;          // Root of E (u'/u)^2, at most 1.
  double candidateMean, candidateVariance, candidateSlope;
  double gateGain, candidateGain, gateInput, candidateInput;

  double mean = 0;       // Of the state.
  double variance = 0;   // Of the state about it.
  double covariance = 0; // With the next candidate.
  std::array<Integrated, kSources> errors{};

  double leak() const { return 1 - share; }
  double leakSquare() const { return 1 - 2 * share + shareSquare; }
  double square() const { return mean * mean + variance; }
  /// E (u (n - h))^2.
  double increment() const {
    double distance = candidateMean - mean;
    return shareSquare * std::max(0.0, distance * distance + candidateVariance -
                                           2 * covariance + variance);
  }
};

/// Errors that one step makes, squared, and for how long they stay.
struct StepErrors {
  std::array<double, kSources> square{}, coherence{};
};

class Model {
public:
  Model(const std::vector<UnitClass> &classes, const Arithmetic &arithmetic,
        Input input)
      : arithmetic_(arithmetic), before_(input.before),
        memory_(std::max(1.0, input.memory)),
        correlation_(input.memory > 0 ? std::exp(-1 / input.memory) : 0) {
    for (const UnitClass &units : classes)
      add(units);
  }

  void step();
  Prediction now(int64_t steps) const;

private:
  void add(const UnitClass &units);
  StepErrors errorsOf(const Unit &unit) const;
  /// The error of the input over the input, at the next mark of its maker.
  double inputError() const;
  double argumentError(double magnitude, double gain) const;
  /// A rounding stays the same until what is rounded has moved by half a
  /// spacing: a walk of steps \p pace gets there after (spacing / 2 pace)^2.
  double coherence(double spacing, double pace) const {
    double steps = spacing / (2 * std::max(pace, 1e-300));
    return std::clamp(steps * steps, 1.0, memory_);
  }

  const Arithmetic &arithmetic_;
  const std::vector<Prediction> *before_;
  int64_t steps_ = 0;
  double memory_, correlation_;
  double layerState_ = 0; ///< Root of the mean square over all units.
  std::vector<Unit> units_;
  StepErrors last_;
};

} // namespace

/// A gate that follows a slow input stays for long at a level: the part of its
/// argument that the input keeps for as long as the state remembers is split
/// into levels of equal probability, the rest varies about each.
void Model::add(const UnitClass &units) {
  // Middles of eighths of the normal distribution, scaled to variance 1.
  constexpr double kLevels[] = {-1.596, -0.924, -0.508, -0.163,
                                0.163,  0.508,  0.924,  1.596};
  double slowness = 0;
  if (correlation_ > 0)
    slowness = memory_ / (memory_ + 1 / sigmoidMoments(units.gate).mean);
  for (double level : kLevels) {
    Normal gate = {units.gate.mean +
                       level * units.gate.deviation * std::sqrt(slowness),
                   units.gate.deviation * std::sqrt(1 - slowness)};
    Moments u = sigmoidMoments(gate), n = tanhMoments(units.candidate);
    Unit unit{};
    unit.count = units.count / std::size(kLevels);
    unit.argument = gate.mean;
    unit.deviation = units.gate.deviation;
    unit.candidateArgument = units.candidate.mean;
    unit.candidateDeviation = units.candidate.deviation;
    unit.share = u.mean;
    unit.shareSquare = u.square;
    unit.gateSlope = u.slope / std::sqrt(u.square);
    // Candidates weigh more where gates are open: u moves with a, n with b,
    // so that cov(u, n) is about E u' E n' cov(a, b), for what is not held.
    double pull = u.slope / std::sqrt(u.square) * n.slope * units.covariance;
    unit.candidateMean =
        std::copysign(std::hypot(n.mean, pull * (1 - slowness)), n.mean);
    unit.candidateVariance = n.variance();
    unit.candidateSlope = n.slope;
    unit.gateGain = units.gateGain;
    unit.candidateGain = units.candidateGain;
    unit.gateInput = units.gateInput;
    unit.candidateInput = units.candidateInput;
    units_.push_back(unit);
    if (slowness == 0) { // All levels are the same.
      units_.back().count = units.count;
      break;
    }
  }
}

/// The square of the error of an argument of size \p magnitude, a product with
/// a row of norm \p gain in it.
double Model::argumentError(double magnitude, double gain) const {
  double product = gain * layerState_;
  double sums = arithmetic_.accumulator.spacing(product) * kUniform;
  double operand = arithmetic_.operand.relative * kOctave * kUniform * product;
  double grid = arithmetic_.operand.absolute * kUniform * gain;
  double rounded = arithmetic_.argument.spacing(magnitude) * kUniform;
  return arithmetic_.accumulations * sums * sums + operand * operand +
         grid * grid + arithmetic_.argumentRoundings * rounded * rounded;
}

double Model::inputError() const {
  if (!before_ || before_->empty())
    return 0;
  for (const Prediction &at : *before_)
    if (at.steps > steps_)
      return at.relative;
  return before_->back().relative;
}

StepErrors Model::errorsOf(const Unit &unit) const {
  StepErrors errors;
  auto set = [&](Source source, double square, double coherence) {
    errors.square[int(source)] = square;
    errors.coherence[int(source)] = coherence;
  };
  double pace = std::sqrt(1 - correlation_ * correlation_);
  double increment = unit.increment();
  double gatePace = pace * unit.deviation;
  double candidatePace = pace * unit.candidateDeviation;

  // The state. A nearest rounding can lose no more than the increment.
  double spacing = arithmetic_.state.spacing(std::sqrt(unit.square()));
  if (arithmetic_.stochastic) {
    set(Source::State,
        spacing * std::min(spacing / 6, 0.8 * std::sqrt(increment)), 1);
  } else {
    double moved = pace * std::sqrt(unit.shareSquare * unit.candidateVariance +
                                    increment * gatePace * gatePace);
    set(Source::State, std::min(spacing * spacing / 12, increment),
        coherence(spacing, moved));
  }

  // The small gate's argument: a share of the increment.
  double size = std::hypot(unit.argument, unit.deviation);
  double argument = argumentError(size, unit.gateGain);
  set(Source::Argument, increment * unit.gateSlope * unit.gateSlope * argument,
      coherence(arithmetic_.argument.spacing(size), gatePace));

  // The small gate's value. The error of a best line is of one sign at both
  // ends of its piece and of the other between them: half a piece is a period.
  double gateSpacing = arithmetic_.gate.spacing(unit.share);
  double rounded = gateSpacing * kUniform / unit.share;
  double fitted = arithmetic_.gateFit;
  set(Source::Gate, increment * (rounded * rounded + fitted * fitted),
      fitted > rounded ? coherence(arithmetic_.gatePiece / 2, gatePace)
                       : coherence(gateSpacing, unit.share * gatePace));

  // The candidate, of which the state takes a share.
  size = std::hypot(unit.candidateArgument, unit.candidateDeviation);
  argument = argumentError(size, unit.candidateGain);
  double value =
      std::hypot(unit.candidateMean, std::sqrt(unit.candidateVariance));
  rounded = arithmetic_.gate.spacing(value) * kUniform;
  fitted = arithmetic_.candidateFit;
  set(Source::Candidate,
      unit.shareSquare * (unit.candidateSlope * unit.candidateSlope * argument +
                          rounded * rounded + fitted * fitted),
      fitted > rounded
          ? coherence(arithmetic_.candidatePiece / 2, candidatePace)
          : coherence(arithmetic_.argument.spacing(size), candidatePace));

  // The input: rounded anew in each step, and wrong for as long as it is kept.
  double handed = inputError();
  double relative = arithmetic_.input.spacing(1) * kUniform;
  double moves = unit.gateSlope * unit.gateInput;
  double draws = unit.candidateSlope * unit.candidateInput;
  set(Source::Input,
      (increment * moves * moves + unit.shareSquare * draws * draws) *
          (relative * relative + handed * handed),
      handed > relative ? memory_ : 1);

  // The terms of the increment.
  rounded = arithmetic_.increment.spacing(std::sqrt(increment)) * kUniform;
  set(Source::Increment,
      arithmetic_.incrementRoundings * std::min(rounded * rounded, increment),
      1);
  return errors;
}

void Model::step() {
  double square = 0, count = 0;
  last_ = {};
  for (Unit &unit : units_) {
    StepErrors errors = errorsOf(unit);
    for (int i = 0; i < kSources; ++i) {
      unit.errors[i].step(errors.square[i], unit.leak(), unit.leakSquare(),
                          errors.coherence[i]);
      last_.coherence[i] += unit.count * errors.coherence[i];
    }
    double u = unit.share, uu = unit.shareSquare;
    unit.mean = unit.leak() * unit.mean + u * unit.candidateMean;
    unit.variance = unit.leakSquare() * unit.variance +
                    uu * unit.candidateVariance +
                    2 * (u - uu) * unit.covariance;
    unit.covariance = correlation_ * (unit.leak() * unit.covariance +
                                      u * unit.candidateVariance);
    square += unit.count * unit.square();
    count += unit.count;
  }
  layerState_ = std::sqrt(square / count);
  ++steps_;
  for (double &coherence : last_.coherence)
    coherence /= count;
}

Prediction Model::now(int64_t steps) const {
  Prediction prediction;
  prediction.steps = steps;
  prediction.state = layerState_;
  double count = 0, total = 0;
  for (const Unit &unit : units_)
    count += unit.count;
  for (int i = 0; i < kSources; ++i) {
    double square = 0;
    for (const Unit &unit : units_)
      square += unit.count * unit.errors[i].variance;
    square /= count;
    total += square;
    prediction.part[i] = layerState_ == 0 ? 0 : std::sqrt(square) / layerState_;
    prediction.coherence[i] = last_.coherence[i];
  }
  prediction.relative = layerState_ == 0 ? 0 : std::sqrt(total) / layerState_;
  return prediction;
}

std::vector<Prediction> predictErrors(const std::vector<UnitClass> &units,
                                      const Arithmetic &arithmetic, Input input,
                                      const std::vector<int64_t> &marks) {
  std::vector<Prediction> predictions;
  Model model(units, arithmetic, input);
  int64_t step = 0;
  for (int64_t mark : marks) {
    for (; step < mark; ++step)
      model.step();
    predictions.push_back(model.now(mark));
  }
  return predictions;
}

Memory memoryOf(const std::vector<UnitClass> &units) {
  Memory memory;
  double count = 0, logarithms = 0;
  for (const UnitClass &unit : units) {
    double steps = 1 / sigmoidMoments(unit.gate).mean;
    count += unit.count;
    logarithms += unit.count * std::log(steps);
    memory.longest = std::max(memory.longest, steps);
  }
  memory.typical = count == 0 ? 0 : std::exp(logarithms / count);
  return memory;
}

} // namespace rung::numerics
