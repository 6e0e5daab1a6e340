//===- Requantize.h - the rounding of all integer arithmetic ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_REQUANTIZE_H
#define RUNG_COMPILER_NUMERICS_REQUANTIZE_H

#include <cstdint>
#include <span>
#include <vector>

namespace rung::numerics {

inline constexpr int kMinShift = 1, kMaxShift = 62;

/// floor((value * factor + 2^(shift - 1)) / 2^shift), the product exact, the
/// low 32 bits kept: rounds to nearest, halves up. kMinShift <= shift <=
/// kMaxShift.
constexpr int32_t requantize(int32_t value, int32_t factor, int shift) {
  int64_t product = int64_t(value) * factor;
  return int32_t((product + (int64_t(1) << (shift - 1))) >> shift);
}

/// Real ratios as integers over one power of two.
struct Scaling {
  std::vector<int32_t> factors;
  int shift = kMinShift;
};

/// The factors over the finest power of two, up to 2^\p mostShift, under which
/// all of them fit 32 bits: factors[i] / 2^shift is nearest to ratios[i]. Each
/// ratio is finite and below 2^30 in magnitude.
Scaling chooseScaling(std::span<const double> ratios,
                      int mostShift = kMaxShift);

/// The same for one ratio.
Scaling chooseScaling(double ratio);

/// The nearest integer to \p value, halves up, as requantize rounds; values
/// past \p limit in magnitude give it with their sign.
int32_t roundToGrid(double value, int32_t limit = INT32_MAX);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_REQUANTIZE_H
