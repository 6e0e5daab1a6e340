//===- GruEquations.h - the gated recurrent unit, as written ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_GRUEQUATIONS_H
#define RUNG_RUNTIME_REFERENCE_GRUEQUATIONS_H

#include "runtime/reference/Activation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rung::reference {

/// One direction of a GRU, bound to its weights: h' from x and h, per head,
///
///     z = f(Wz x + bWz + Uz h + bUz)       r = f(Wr x + bWr + Ur h + bUr)
///     reset before:  n = g(Wn x + bWn + Un (r*h) + bUn)
///     reset after:   n = g(Wn x + bWn + r * (Un h + bUn))
///     update keep:   h' = z*h + (1-z)*n
///     update take:   h' = (1-z)*h + z*n
///
/// with the inputs of f and g limited to [-clip, clip] where clip is given.
/// The equations are evaluated in double and exactly in this form; the code
/// shares nothing with the compiler's expansion of a GRU, which it judges.
struct GruEquations {
  int64_t inputSize = 0;
  int64_t hiddenSize = 0;
  int64_t heads = 1;
  bool resetAfter = false;
  bool updateTakes = false;
  std::optional<double> clip;
  Activation f, g;
  const double *w = nullptr;  ///< [3H, I], blocks z, r, n
  const double *u = nullptr;  ///< [heads, 3*H/heads, H/heads], the same blocks
  const double *bw = nullptr; ///< [3H] or null
  const double *bu = nullptr; ///< [3H] or null

  /// Puts h' for the input row `x` in place of `h`, for the units of one head:
  /// no other depends on them. `scratch` is working memory that calls may
  /// share.
  void step(int64_t head, const double *x, double *h,
            std::vector<double> &scratch) const;

private:
  enum Gate { kUpdate, kReset, kCandidate };

  double fromInput(Gate gate, int64_t unit, const double *x) const;
  double fromState(Gate gate, int64_t unit, const double *h) const;
  double limited(double a) const;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_GRUEQUATIONS_H
