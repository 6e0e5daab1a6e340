//===- ErrorBudget.h - what roundings do to a state over time ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The model, with its reasons, is in docs/precision.md, "The error budget".

#ifndef RUNG_COMPILER_NUMERICS_ERRORBUDGET_H
#define RUNG_COMPILER_NUMERICS_ERRORBUDGET_H

#include "compiler/numerics/GaussianMoments.h"

#include <cstdint>
#include <vector>

namespace rung::numerics {

/// The numbers that a format has: those of magnitude v are
/// max(absolute, relative * 2^floor(log2 v)) apart. Both 0: every number.
struct Grid {
  double relative = 0, absolute = 0;

  /// The root of the mean square distance, where magnitudes of about \p v are
  /// spread evenly within their power of two.
  double spacing(double v) const;
};

/// What the arithmetic of a step rounds, and to what.
struct Arithmetic {
  Grid input; ///< Of what the input's product is given.
  Grid state;
  bool stochastic = false; ///< Rounding of the state.
  Grid operand;            ///< Of what products are given.
  Grid accumulator;        ///< Of a product's partial sums.
  int accumulations = 0;   ///< Roundings of them in one product.
  Grid argument;           ///< Of an activation's argument.
  int argumentRoundings = 0;
  Grid gate;      ///< Of an activation's value.
  Grid increment; ///< Of the terms of the state's change.
  int incrementRoundings = 0;
  /// Of a fitted activation, root of mean squares: the small gate's error over
  /// the gate, the candidate's error.
  double gateFit = 0, candidateFit = 0;
  double gatePiece = 0, candidatePiece = 0; ///< Width of a piece of the fit.
};

/// Units of a layer that are alike: share u = sigmoid(gate) that the candidate
/// n = tanh(candidate) takes of the state, h' = h + u * (n - h).
struct UnitClass {
  double count = 1;
  Normal gate, candidate;
  /// Of the two arguments; as root of the mean square where units differ.
  double covariance = 0;
  double gateGain = 0, candidateGain = 0; ///< Norm of a row of U.
  /// Deviations of the arguments by the input alone.
  double gateInput = 0, candidateInput = 0;
};

struct Prediction;

/// What a layer is fed with: an input that keeps for this many steps; 0 if it
/// is new in each.
struct Input {
  double memory = 0;
  /// Of the layer that makes the input, whose error comes with it; may be null.
  const std::vector<Prediction> *before = nullptr;
};

enum class Source { State, Argument, Gate, Candidate, Increment, Input };
inline constexpr int kSources = 6;

/// The state after some steps.
struct Prediction {
  int64_t steps = 0;
  double state = 0;             ///< Root of the mean square of the state.
  double relative = 0;          ///< Error of the state over the state.
  double part[kSources]{};      ///< The same, of each source alone.
  double coherence[kSources]{}; ///< Steps for which an error stays the same.
};

/// Predicts the state's error after each of \p marks, which ascend.
std::vector<Prediction> predictErrors(const std::vector<UnitClass> &units,
                                      const Arithmetic &arithmetic, Input input,
                                      const std::vector<int64_t> &marks);

/// Steps after which a layer has forgotten: 1 / E u, the mean over its units
/// by logarithm, and the longest.
struct Memory {
  double typical = 0, longest = 0;
};
Memory memoryOf(const std::vector<UnitClass> &units);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_ERRORBUDGET_H
