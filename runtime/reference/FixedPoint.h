//===- FixedPoint.h - the integer operations of a body ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_FIXEDPOINT_H
#define RUNG_RUNTIME_REFERENCE_FIXEDPOINT_H

#include <cstdint>
#include <vector>

namespace rung::reference {

/// floor((value * factor + 2^(shift-1)) / 2^shift), exact in 64 bits: the
/// quotient rounded to the nearest, halves up. `shift` is 1 to 62 and both
/// factors are of 32 bits, one of them possibly of 33.
inline int64_t roundedProduct(int64_t value, int64_t factor, int shift) {
  return (value * factor + (int64_t(1) << (shift - 1))) >> shift;
}

/// roundedProduct's low 32 bits.
inline int32_t requantize(int32_t value, int32_t factor, int shift) {
  return static_cast<int32_t>(
      static_cast<uint32_t>(roundedProduct(value, factor, shift)));
}

/// The pieces of an rnn.piecewise.
struct Pieces {
  std::vector<int32_t> knots; ///< ascending, one fewer than pieces
  std::vector<int32_t> slopes, offsets;
  int shift = 1;

  int32_t operator()(int32_t x) const;
};

/// The entries of an rnn.lookup, without the table.
struct Lookup {
  int64_t low = 0;
  int shift = 0;
  bool interpolate = false;
  int64_t size = 1; ///< of the table

  int32_t operator()(int32_t x, const double *table) const;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_FIXEDPOINT_H
