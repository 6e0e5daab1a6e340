//===- Integer.h - whole numbers held in doubles ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_INTEGER_H
#define RUNG_RUNTIME_REFERENCE_INTEGER_H

#include "runtime/base/ScalarType.h"

#include <cstdint>

namespace rung::reference {

/// A whole number out of the range of i32 as it lies in a double. What a
/// damaged file puts there instead acts as the nearest end, NaN as the least.
inline int32_t toInt32(double value) {
  value = value > -2147483648.0 ? value : -2147483648.0;
  value = value < 2147483647.0 ? value : 2147483647.0;
  return static_cast<int32_t>(value);
}

/// The low 32 bits, in two's complement.
inline double wrap32(int64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}

/// What an integer of `type` keeps of a value out of the range of i32. U8 is a
/// truth value: it keeps one bit.
double wrapped(ScalarType type, double value);
void wrapAll(ScalarType type, double *values, int64_t count);

/// How operands of `type` read as signed numbers: the factor of a value as it
/// is held. A truth value that is set reads as -1.
inline double signOf(ScalarType type) {
  return type == ScalarType::U8 ? -1.0 : 1.0;
}

/// The bits that an integer of `type` has, as a mask.
uint32_t maskOf(ScalarType type);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_INTEGER_H
