//===- Half.h - f16 and bf16 as bits ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_HALF_H
#define RUNG_RUNTIME_BASE_HALF_H

#include <bit>
#include <cstdint>

namespace rung {

namespace detail {
/// \p value in a 16-bit binary format, rounded to nearest even.
template <int kExponentBits, int kMantissaBits>
constexpr uint16_t roundToBits16(double value) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr uint32_t kInfinity = ((1u << kExponentBits) - 1) << kMantissaBits;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint32_t sign = static_cast<uint32_t>(bits >> 63) << 15;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 1024 && mantissa != 0) {
    uint32_t quiet = 1u << (kMantissaBits - 1);
    uint32_t payload = static_cast<uint32_t>(mantissa >> (52 - kMantissaBits));
    return static_cast<uint16_t>(sign | kInfinity | quiet | payload);
  }
  if (exponent > kBias)
    return static_cast<uint16_t>(sign | kInfinity);

  // One more bit is dropped for each power of two below the normal range.
  int below = exponent < 1 - kBias ? 1 - kBias - exponent : 0;
  int dropped = 52 - kMantissaBits + below;
  if (dropped > 53) // Less than half of the smallest subnormal.
    return static_cast<uint16_t>(sign);
  uint64_t significand = mantissa | uint64_t(1) << 52;
  uint64_t kept = significand >> dropped;
  uint64_t rest = significand & ((uint64_t(1) << dropped) - 1);
  uint64_t half = uint64_t(1) << (dropped - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // The leading one of a normal number adds 1 to the exponent field, and so
  // does a carry: up to infinity, and from the subnormals to the normals.
  uint32_t field = below ? 0 : static_cast<uint32_t>(exponent + kBias - 1);
  return static_cast<uint16_t>(
      sign | ((field << kMantissaBits) + static_cast<uint32_t>(kept)));
}
} // namespace detail

/// \p value rounded once, to nearest even, overflow to infinity, subnormals
/// kept; a NaN stays one and becomes quiet.
constexpr uint16_t toHalf(double value) {
  return detail::roundToBits16<5, 10>(value);
}
constexpr uint16_t toBFloat16(double value) {
  return detail::roundToBits16<8, 7>(value);
}

/// Exact.
constexpr float fromHalf(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 31;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0)
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}
constexpr float fromBFloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

} // namespace rung

#endif // RUNG_RUNTIME_BASE_HALF_H
