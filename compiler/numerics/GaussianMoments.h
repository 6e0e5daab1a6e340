//===- GaussianMoments.h - gates of normal arguments ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_GAUSSIANMOMENTS_H
#define RUNG_COMPILER_NUMERICS_GAUSSIANMOMENTS_H

namespace rung::numerics {

/// A normally distributed argument of an activation.
struct Normal {
  double mean = 0, deviation = 0;
};

/// Expectations over a distribution.
struct Moments {
  double mean = 0;   ///< E f
  double square = 0; ///< E f^2
  double slope = 0;  ///< sqrt(E f'^2)

  double variance() const { return square - mean * mean; }
};

/// Of the sigmoid and of tanh, by the trapezoidal rule over +-6 deviations:
/// exact to more digits than any use here needs.
Moments sigmoidMoments(Normal argument);
Moments tanhMoments(Normal argument);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_GAUSSIANMOMENTS_H
