//===- GaussianMoments.cpp - gates of normal arguments --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/GaussianMoments.h"

#include <cmath>

namespace rung::numerics {

template <typename Value, typename Slope>
static Moments momentsOf(Normal argument, Value value, Slope slopeAt) {
  constexpr int kSteps = 96; // Each an eighth of a deviation.
  Moments moments;
  double total = 0;
  for (int i = -kSteps / 2; i <= kSteps / 2; ++i) {
    double t = i / 8.0, weight = std::exp(-t * t / 2);
    double f = value(argument.mean + t * argument.deviation);
    double slope = slopeAt(f);
    total += weight;
    moments.mean += weight * f;
    moments.square += weight * f * f;
    moments.slope += weight * slope * slope;
  }
  moments.mean /= total;
  moments.square /= total;
  moments.slope = std::sqrt(moments.slope / total);
  return moments;
}

Moments sigmoidMoments(Normal argument) {
  return momentsOf(
      argument, [](double x) { return 1 / (1 + std::exp(-x)); },
      [](double f) { return f * (1 - f); });
}

Moments tanhMoments(Normal argument) {
  return momentsOf(
      argument, [](double x) { return std::tanh(x); },
      [](double f) { return 1 - f * f; });
}

} // namespace rung::numerics
