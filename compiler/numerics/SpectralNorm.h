//===- SpectralNorm.h - the largest singular value --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_SPECTRALNORM_H
#define RUNG_COMPILER_NUMERICS_SPECTRALNORM_H

#include <cstddef>
#include <span>

namespace rung::numerics {

struct SpectralNormOptions {
  /// Iteration ends when ||M'M v - s^2 v|| <= tolerance * s^2, for the unit
  /// vector v and s = ||M v||.
  double tolerance = 1e-3;
  unsigned maxIterations = 4000;
};

struct SpectralNorm {
  double norm = 0; ///< ||M v||: at most the spectral norm.
  unsigned iterations = 0;
  bool converged = false;
};

/// The spectral norm of a row-major matrix M by power iteration on M'M, in
/// double. The start is a fixed vector without symmetry, so that the same
/// matrix always gives the same number. When converged, some singular value
/// of M lies within tolerance / 2 of `norm`, relatively, and it is the largest
/// unless the start has almost no part in that direction; `norm` is never
/// above the true norm but for rounding. A matrix with no elements, or with
/// zeros alone, has norm 0; one with an element that is not finite does not
/// converge.
SpectralNorm spectralNorm(std::span<const float> matrix, size_t rows,
                          size_t columns,
                          const SpectralNormOptions &options = {});

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_SPECTRALNORM_H
