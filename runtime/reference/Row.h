//===- Row.h - functions of the elements of rows ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_ROW_H
#define RUNG_RUNTIME_REFERENCE_ROW_H

#include <cstdint>
#include <functional>

namespace rung::reference {

/// Where a row's elements stand, which is what random numbers depend on.
struct Place {
  uint32_t step = 0;
  uint32_t row = 0;    ///< of the batch
  uint32_t column = 0; ///< of the first element
  uint32_t seedLow = 0, seedHigh = 0;
};

/// Parts of rows: element i of the result belongs to element i of each operand
/// but of a table, which is whole.
struct RowArgs {
  static constexpr unsigned kMaxOperands = 3;

  const double *operands[kMaxOperands] = {};
  double *out = nullptr; ///< overlaps no operand
  int64_t count = 0;
  Place place;
};

/// Computes a part of a row. Called once for many elements, which is why its
/// own cost does not count.
using RowFunction = std::function<void(const RowArgs &)>;

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_ROW_H
