//===- Rounding.cpp - what a narrower format keeps of a double ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Rounding.h"

#include "runtime/base/Half.h"

namespace rung::reference {

double roundTo(ScalarType type, double value) {
  switch (type) {
  case ScalarType::F16:
    return fromHalf(toHalf(value));
  case ScalarType::BF16:
    return fromBFloat16(toBFloat16(value));
  case ScalarType::F32:
    return static_cast<float>(value);
  default:
    return value;
  }
}

double roundResult(ScalarType type, double value) {
  bool narrow = type == ScalarType::F16 || type == ScalarType::BF16;
  return narrow ? roundTo(type, value) : value;
}

} // namespace rung::reference
