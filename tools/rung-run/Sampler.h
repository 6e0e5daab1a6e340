//===- Sampler.h - the next token out of its scores -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_SAMPLER_H
#define RUNG_TOOLS_RUNG_RUN_SAMPLER_H

#include <cstdint>
#include <random>
#include <span>

namespace rung::tools {

/// The index of the largest score, the lowest among equals; NaN is never it,
/// unless all are.
int32_t argmax(std::span<const double> scores);

/// Draws tokens by softmax(scores / temperature).
///
/// The same seed gives the same tokens everywhere: the generator is
/// std::mt19937_64, whose sequence the C++ standard fixes, and each draw takes
/// the upper 53 bits of one number as u in [0, 1). The token is the first, in
/// the order of falling scores and among equals rising indices, at which the
/// sum of probabilities exceeds u.
class Sampler {
public:
  /// `topK` of 0 keeps all tokens; else all but the k best are left out.
  /// `temperature` must be positive.
  Sampler(uint64_t seed, double temperature, uint32_t topK)
      : generator_(seed), temperature_(temperature), topK_(topK) {}

  int32_t next(std::span<const double> scores);

private:
  std::mt19937_64 generator_;
  double temperature_;
  uint32_t topK_;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_SAMPLER_H
