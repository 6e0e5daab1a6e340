//===- IntegerActivation.h - sigmoid and tanh in integers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_INTEGERACTIVATION_H
#define RUNG_COMPILER_NUMERICS_INTEGERACTIVATION_H

#include "compiler/numerics/Piecewise.h"

#include <utility>

namespace rung::numerics {

/// What both functions share: f(x) + f(-x) is 1 for the sigmoid, 0 for tanh.
enum class Squash { Sigmoid, Tanh };

double evaluate(Squash function, double x);

/// Arguments that a function is seen to be given.
struct Range {
  double low = 0, high = 0;
};

/// Arguments past this in magnitude give the value at it.
inline constexpr double kSquashLimit = 16;

/// A function by lines over the arguments up to 0, mirrored for those above.
///
/// The lines of a sigmoid follow its fourth root, which two squarings undo.
/// The root falls off four times as slowly as the sigmoid, so that few lines
/// keep its small tail to a relative error, as slow gates need; and a relative
/// error of the root counts four times in the gate: together, a quarter of the
/// error that as many lines of the sigmoid itself would have.
struct MirroredPieces {
  IntegerPieces pieces; ///< For arguments from lowest to 0.
  int32_t lowest = 0;   ///< Arguments below it give its value.
  int32_t mirror = 0;   ///< f(x) + f(-x), on the grid of values.
  int squarings = 0;    ///< How often a piece's value is squared.
  int outputBits = 0;

  int32_t at(int32_t x) const;
  /// The least and the largest value there is.
  std::pair<int32_t, int32_t> bounds() const;
};

/// \p function by \p count lines, for arguments on the grid 2^-inputBits and
/// values on the grid 2^-outputBits. The error is least over \p seen, widened
/// by an eighth to each side: for tanh
/// the absolute one; for the sigmoid f that divided by min(f, 1 - f) + 1e-4, so
/// that both tails keep their digits. Up to the limit it is at most 16 times
/// that.
MirroredPieces fitSquash(Squash function, Range seen, int count, int inputBits,
                         int outputBits);

/// A function by equal cells, as `rnn.lookup` computes it.
struct IntegerTable {
  std::vector<int32_t> entries; ///< One a cell; interpolated, one an edge.
  int32_t low = 0;              ///< Where the first cell begins.
  int shift = 0;                ///< A cell is 2^shift arguments wide.
  bool interpolate = false;

  int32_t at(int32_t x) const;
};

/// \p function by \p cells cells of the least width that covers \p seen,
/// widened by an eighth to each side, which lies in their middle; arguments
/// outside give the value of the nearest. A plain cell holds the middle of its
/// values; interpolated, the edges are moved so that the chords err equally to
/// both sides.
IntegerTable tabulateSquash(Squash function, Range seen, int cells,
                            bool interpolate, int inputBits, int outputBits);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_INTEGERACTIVATION_H
