//===- Piecewise.h - minimax piecewise linear functions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_PIECEWISE_H
#define RUNG_COMPILER_NUMERICS_PIECEWISE_H

#include "compiler/numerics/Stabbing.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace rung::numerics {

using Function = std::function<double(double)>;

/// What is to be fitted: minimise max |weight * (line - value)| over low..high.
struct Curve {
  Function value, weight;
  double low = 0, high = 0;
};

/// Lines side by side: pieces[i] from knots[i - 1] on, up to knots[i].
struct Pieces {
  std::vector<double> knots;
  std::vector<Line> lines;
  double error = 0; ///< max |weight * (line - value)|.

  double at(double x) const;
};

/// The best \p count lines for \p curve, which need not join: for an error
/// level, extending each line as far as the level allows uses the fewest; the
/// level is bisected. On a convex stretch the best lines join by themselves.
Pieces fitPieces(const Curve &curve, int count);

/// Pieces in integers, as `rnn.piecewise` computes them.
struct IntegerPieces {
  std::vector<int32_t> knots, slopes, offsets;
  int shift = 1;

  int32_t at(int32_t x) const;
};

/// \p pieces for arguments on the grid 2^-inputBits and values on the grid
/// 2^-outputBits.
IntegerPieces quantizePieces(const Pieces &pieces, int inputBits,
                             int outputBits);

/// What an integer function loses against the true one.
struct FitError {
  double absolute = 0, relative = 0;
};

/// The largest errors over every integer argument that stands for a number
/// from \p low to \p high.
FitError measure(const std::function<int32_t(int32_t)> &integer,
                 const Function &value, double low, double high, int inputBits,
                 int outputBits);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_PIECEWISE_H
