//===- ActivationFits.cpp - what integer activations lose -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/IntegerActivation.h"
#include "compiler/report/Roundings.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace mlir;
using namespace rung::rnn;
using namespace rung::numerics;

namespace rung {

// The grids of rnn-lower-int8-pwl.
static constexpr int kArgumentBits = 16, kGateBits = 30, kCandidateBits = 24;
static constexpr int kTableCells = 256;

namespace {

/// An activation in integers, as a function of numbers.
struct Fit {
  std::function<double(double)> value;
  /// Width of the piece that holds an argument.
  std::function<double(double)> piece;
};

} // namespace

/// The arguments that calibration saw at activation \p index, else all.
static Range seenRange(RecurrenceOp recurrence, unsigned index) {
  auto ranges = recurrence->getAttrOfType<ArrayAttr>("rung.activation_ranges");
  if (ranges && index < ranges.size())
    if (auto range = dyn_cast<DenseF64ArrayAttr>(ranges[index]))
      if (range.size() == 2 && range[0] < range[1])
        return {range[0], range[1]};
  return {-kSquashLimit, kSquashLimit};
}

static int32_t toGrid(double x) {
  return int32_t(std::lround(std::ldexp(x, kArgumentBits)));
}

static Fit makePieces(Squash function, Range seen, int count, int bits) {
  MirroredPieces pieces = fitSquash(function, seen, count, kArgumentBits, bits);
  auto value = [=](double x) {
    return std::ldexp(double(pieces.at(toGrid(x))), -bits);
  };
  auto piece = [=](double x) {
    const std::vector<int32_t> &knots = pieces.pieces.knots;
    int32_t at = toGrid(-std::fabs(x));
    auto above = std::upper_bound(knots.begin(), knots.end(), at);
    double high = above == knots.end() ? 0 : *above;
    double low = above == knots.begin() ? pieces.lowest : *(above - 1);
    return std::ldexp(high - low, -kArgumentBits);
  };
  return {value, piece};
}

static Fit makeTable(Squash function, Range seen, bool interpolate, int bits) {
  IntegerTable table = tabulateSquash(function, seen, kTableCells, interpolate,
                                      kArgumentBits, bits);
  auto value = [=](double x) {
    return std::ldexp(double(table.at(toGrid(x))), -bits);
  };
  double width = std::ldexp(1.0, table.shift - kArgumentBits);
  return {value, [=](double) { return width; }};
}

static Fit makeFit(Squash function, Range seen,
                   const PrecisionOptions &options) {
  int bits = function == Squash::Sigmoid ? kGateBits : kCandidateBits;
  if (options.activation == "piecewise")
    return makePieces(function, seen, options.pieces, bits);
  return makeTable(function, seen, options.activation == "table-linear", bits);
}

namespace {
/// Roots of mean squares over units and their arguments.
struct FitLoss {
  double relative = 0, absolute = 0, piece = 0;
};
} // namespace

/// What \p fit loses where the arguments of \p units lie. Relative errors count
/// with the square of the value: a share that is small moves little.
static FitLoss measure(const Fit &fit, Squash function,
                       const std::vector<UnitClass> &units,
                       Normal UnitClass::*argument) {
  FitLoss loss;
  double weights = 0, squares = 0;
  for (const UnitClass &unit : units)
    for (double t = -3; t <= 3; t += 1.0 / 32) {
      double x = (unit.*argument).mean + t * (unit.*argument).deviation;
      double weight = unit.count * std::exp(-t * t / 2);
      double truth = evaluate(function, x), error = fit.value(x) - truth;
      weights += weight;
      squares += weight * truth * truth;
      loss.absolute += weight * error * error;
      loss.piece += weight * fit.piece(x);
    }
  loss.relative = std::sqrt(loss.absolute / squares);
  loss.absolute = std::sqrt(loss.absolute / weights);
  loss.piece /= weights;
  return loss;
}

void setFits(Arithmetic &arithmetic, RecurrenceOp recurrence,
             const PrecisionOptions &options,
             const std::vector<UnitClass> &units) {
  if (units.empty())
    return;
  // In a GRU's body the update gate is first, the candidate last.
  Fit gate = makeFit(Squash::Sigmoid, seenRange(recurrence, 0), options);
  Fit candidate = makeFit(Squash::Tanh, seenRange(recurrence, 2), options);
  FitLoss gateLoss = measure(gate, Squash::Sigmoid, units, &UnitClass::gate);
  FitLoss candidateLoss =
      measure(candidate, Squash::Tanh, units, &UnitClass::candidate);
  arithmetic.gateFit = gateLoss.relative;
  arithmetic.gatePiece = gateLoss.piece;
  arithmetic.candidateFit = candidateLoss.absolute;
  arithmetic.candidatePiece = candidateLoss.piece;
}

} // namespace rung
