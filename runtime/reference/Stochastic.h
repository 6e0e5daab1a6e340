//===- Stochastic.h - sums rounded at random --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_STOCHASTIC_H
#define RUNG_RUNTIME_REFERENCE_STOCHASTIC_H

#include <cstdint>

namespace rung::reference {

/// a + b for two numbers of f16, rounded to one of its two neighbours in f16.
/// Between lo < v < hi the exact sum v becomes hi where `bits` is below
/// (v - lo) / (hi - lo) * 2^32, and lo elsewhere: over all bits the mean is v.
/// Subnormals are numbers as others are; past the largest finite number the
/// next neighbour is 2^16, which stands for infinity. NaN and infinities pass.
double addStochastic(double a, double b, uint32_t bits);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_STOCHASTIC_H
