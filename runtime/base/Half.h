//===- Half.h - f16 and bf16 as bits ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_HALF_H
#define RUNG_RUNTIME_BASE_HALF_H

#include <bit>
#include <cstdint>

namespace rung {

/// \p value rounded once, to nearest even, overflow to infinity, subnormals
/// kept; NaN stays a NaN (quiet). From double there is no double rounding.
uint16_t toHalf(double value);
uint16_t toHalf(float value);
uint16_t toBFloat16(double value);
uint16_t toBFloat16(float value);

/// Exact.
float fromHalf(uint16_t bits);
inline float fromBFloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

} // namespace rung

#endif // RUNG_RUNTIME_BASE_HALF_H
