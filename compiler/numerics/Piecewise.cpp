//===- Piecewise.cpp - minimax piecewise linear functions ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Piecewise.h"

#include "compiler/numerics/Requantize.h"

#include <algorithm>
#include <cmath>

namespace rung::numerics {

namespace {

// Between two samples a fit may be worse than at them by f'' d^2 / 8: less
// than 1e-6 for a sigmoid over -16 .. 16.
constexpr int kSamples = 1 << 14;
constexpr int kBisections = 48;

struct Sample {
  double x, y, tolerance; ///< Of error level 1.
};

std::vector<Sample> sample(const Curve &curve) {
  std::vector<Sample> samples;
  for (int i = 0; i <= kSamples; ++i) {
    double x = curve.low + (curve.high - curve.low) * i / kSamples;
    samples.push_back({x, curve.value(x), 1 / curve.weight(x)});
  }
  return samples;
}

/// How far from \p first a line can follow the samples within \p level; the
/// line.
size_t extendLine(const std::vector<Sample> &samples, size_t first,
                  double level, Line &line) {
  Stabbing lines;
  size_t next = first;
  while (next < samples.size() &&
         lines.add(samples[next].x,
                   samples[next].y - level * samples[next].tolerance,
                   samples[next].y + level * samples[next].tolerance))
    ++next;
  line = lines.middle();
  return next;
}

/// Where each piece begins at \p level; empty if it takes more than \p count.
std::vector<size_t> cut(const std::vector<Sample> &samples, double level,
                        size_t count) {
  std::vector<size_t> starts;
  Line line;
  for (size_t next = 0; next < samples.size();
       next = extendLine(samples, next, level, line)) {
    if (starts.size() == count)
      return {};
    starts.push_back(next);
  }
  return starts;
}

/// The least level for which \p fits holds, within a factor of 1 + 2^-40.
template <typename Fits> double bisect(double high, Fits fits) {
  double low = 0;
  for (int i = 0; i < kBisections; ++i) {
    double middle = (low + high) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

/// The best line for samples first .. last - 1, known to keep \p level.
Line bestLine(const std::vector<Sample> &samples, size_t first, size_t last,
              double level) {
  std::vector<Sample> own(samples.begin() + first, samples.begin() + last);
  Line line;
  double least = bisect(level, [&](double tried) {
    return extendLine(own, 0, tried, line) == own.size();
  });
  extendLine(own, 0, least, line);
  return line;
}

} // namespace

double Pieces::at(double x) const {
  size_t i = std::upper_bound(knots.begin(), knots.end(), x) - knots.begin();
  return lines[i].at(x);
}

Pieces fitPieces(const Curve &curve, int count) {
  std::vector<Sample> samples = sample(curve);
  double worst = 0;
  for (const Sample &s : samples)
    worst = std::max(worst, 2 * std::abs(s.y) / s.tolerance);
  double level = bisect(worst, [&](double tried) {
    return !cut(samples, tried, size_t(count)).empty();
  });
  std::vector<size_t> starts = cut(samples, level, size_t(count));
  Pieces result;
  for (size_t i = 0; i < starts.size(); ++i) {
    size_t last = i + 1 < starts.size() ? starts[i + 1] : samples.size();
    result.lines.push_back(bestLine(samples, starts[i], last, level));
    if (i > 0) // Between two samples: each belongs to its own piece.
      result.knots.push_back((samples[starts[i] - 1].x + samples[starts[i]].x) /
                             2);
  }
  for (const Sample &s : samples)
    result.error =
        std::max(result.error, std::abs(result.at(s.x) - s.y) / s.tolerance);
  return result;
}

int32_t IntegerPieces::at(int32_t x) const {
  size_t i = std::upper_bound(knots.begin(), knots.end(), x) - knots.begin();
  return int32_t(uint32_t(offsets[i]) +
                 uint32_t(requantize(x, slopes[i], shift)));
}

IntegerPieces quantizePieces(const Pieces &pieces, int inputBits,
                             int outputBits) {
  std::vector<double> slopes;
  for (const Line &line : pieces.lines)
    slopes.push_back(std::ldexp(line.slope, outputBits - inputBits));
  Scaling scaling = chooseScaling(slopes);
  IntegerPieces result;
  result.shift = scaling.shift;
  result.slopes = scaling.factors;
  for (const Line &line : pieces.lines)
    result.offsets.push_back(roundToGrid(std::ldexp(line.offset, outputBits)));
  for (double knot : pieces.knots)
    result.knots.push_back(int32_t(std::ceil(std::ldexp(knot, inputBits))));
  return result;
}

FitError measure(const std::function<int32_t(int32_t)> &integer,
                 const Function &value, double low, double high, int inputBits,
                 int outputBits) {
  FitError result;
  auto first = int32_t(std::ceil(std::ldexp(low, inputBits)));
  auto last = int32_t(std::floor(std::ldexp(high, inputBits)));
  for (int32_t i = first; i <= last; ++i) {
    double want = value(std::ldexp(i, -inputBits));
    double error = std::abs(std::ldexp(integer(i), -outputBits) - want);
    result.absolute = std::max(result.absolute, error);
    if (want != 0)
      result.relative = std::max(result.relative, error / std::abs(want));
  }
  return result;
}

} // namespace rung::numerics
