//===- IntegerActivation.cpp - sigmoid and tanh in integers --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/IntegerActivation.h"

#include "compiler/numerics/Requantize.h"

#include <algorithm>
#include <cmath>

namespace rung::numerics {

double evaluate(Squash function, double x) {
  return function == Squash::Tanh ? std::tanh(x) : 1 / (1 + std::exp(-x));
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

// A gate below the floor errs by a share of the floor, not of itself: it keeps
// lines for gates that matter.
static constexpr double kGateFloor = 1e-4;
static constexpr double kWeightOutside = 1.0 / 16;
// Both functions meet their mirror image at 0 without a step.
static constexpr double kWeightOfZero = 1e6;
// The arguments of a run may go past those of the calibration.
static constexpr double kMargin = 1.0 / 8;

static Range widened(Range seen) {
  double margin = kMargin * (seen.high - seen.low);
  return {std::clamp(seen.low - margin, -kSquashLimit, kSquashLimit),
          std::clamp(seen.high + margin, -kSquashLimit, kSquashLimit)};
}

int32_t MirroredPieces::at(int32_t x) const {
  int32_t value = pieces.at(std::max(std::min(x, -x), lowest));
  for (int i = 0; i < squarings; ++i)
    value = requantize(value, value, outputBits);
  return x > 0 ? mirror - value : value;
}

std::pair<int32_t, int32_t> MirroredPieces::bounds() const {
  // A line is at its least and largest where it begins or ends; squares of
  // positive numbers keep the order.
  std::vector<int32_t> ends = {lowest, 0};
  for (int32_t knot : pieces.knots) {
    ends.push_back(knot - 1);
    ends.push_back(knot);
  }
  int32_t low = at(0), high = low;
  for (int32_t end : ends)
    for (int32_t x : {end, -end}) {
      low = std::min(low, at(x));
      high = std::max(high, at(x));
    }
  return {low, high};
}

/// The part of \p seen and of its mirror image that is not above 0.
static Range mirrored(Range seen) {
  Range half = {std::min(seen.low, -seen.high), 0};
  if (seen.high < 0)
    half.high = seen.high;
  else if (seen.low > 0)
    half.high = -seen.low;
  return half;
}

MirroredPieces fitSquash(Squash function, Range seen, int count, int inputBits,
                         int outputBits) {
  MirroredPieces result;
  result.outputBits = outputBits;
  result.lowest = -roundToGrid(std::ldexp(kSquashLimit, inputBits));
  bool isGate = function == Squash::Sigmoid;
  if (isGate) {
    result.mirror = roundToGrid(std::ldexp(1.0, outputBits));
    result.squarings = 2;
  }
  double power = std::ldexp(1.0, result.squarings);
  Range half = mirrored(widened(seen));
  Curve curve;
  curve.low = -kSquashLimit;
  curve.high = 0;
  curve.value = [=](double x) {
    double value = evaluate(function, x);
    return isGate ? std::pow(value, 1 / power) : value;
  };
  curve.weight = [=](double x) {
    double weight = x < half.low || x > half.high ? kWeightOutside : 1;
    if (x == 0)
      weight = kWeightOfZero;
    if (!isGate)
      return weight;
    double value = evaluate(function, x);
    double rise = power * std::pow(value, 1 - 1 / power); // d value / d root
    return weight * rise / (value + kGateFloor);
  };
  result.pieces =
      quantizePieces(fitPieces(curve, count), inputBits, outputBits);
  return result;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

int32_t IntegerTable::at(int32_t x) const {
  int64_t cells = int64_t(entries.size()) - (interpolate ? 1 : 0);
  int64_t place =
      std::clamp<int64_t>(int64_t(x) - low, 0, (cells << shift) - 1);
  size_t cell = size_t(place >> shift);
  if (!interpolate)
    return entries[cell];
  auto part = int32_t(place & ((int64_t(1) << shift) - 1));
  return entries[cell] +
         requantize(entries[cell + 1] - entries[cell], part, shift);
}

IntegerTable tabulateSquash(Squash function, Range seen, int cells,
                            bool interpolate, int inputBits, int outputBits) {
  seen = widened(seen);
  auto first = int32_t(std::floor(std::ldexp(seen.low, inputBits)));
  auto last = int32_t(std::ceil(std::ldexp(seen.high, inputBits)));
  IntegerTable table;
  table.interpolate = interpolate;
  table.shift = interpolate ? 1 : 0;
  while ((int64_t(cells) << table.shift) <= int64_t(last) - first)
    ++table.shift;
  int64_t spare = (int64_t(cells) << table.shift) - (int64_t(last) - first);
  table.low = int32_t(first - spare / 2);
  auto value = [&](double edge) {
    double x =
        std::ldexp(table.low + std::ldexp(edge, table.shift), -inputBits);
    return evaluate(function, x);
  };
  for (int i = 0; i < cells + (interpolate ? 1 : 0); ++i) {
    // A chord errs by f'' w^2 / 8 to one side; half of it is moved over.
    double bend = value(i + 1) - 2 * value(i) + value(i - 1);
    double entry =
        interpolate ? value(i) - bend / 16 : (value(i) + value(i + 1)) / 2;
    table.entries.push_back(roundToGrid(std::ldexp(entry, outputBits)));
  }
  return table;
}

} // namespace rung::numerics
