//===- Convert.cpp - tensor data as float32 -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/safetensors/Convert.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace rung::safetensors {

/// Reads an unaligned little-endian element.
template <typename T> static T element(const Tensor &tensor, size_t index) {
  T value;
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

static float widenHalf(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1f;
  uint32_t fraction = half & 0x3ff;
  if (exponent == 0) {
    // Zero and subnormals: units of 2^-24.
    float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -magnitude : magnitude;
  }
  uint32_t wide = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// To nearest even; beyond the range to infinity, without the undefined
/// behaviour of a conversion that overflows.
static float narrow(double value) {
  // Halfway between the largest float and 2^128.
  constexpr double kLimit = 0x1.ffffffp127;
  if (std::fabs(value) >= kLimit)
    return std::copysign(INFINITY,
                         static_cast<float>(std::signbit(value) ? -1 : 1));
  return static_cast<float>(value);
}

bool isFloat(const Tensor &tensor) {
  return tensor.dtype == "F32" || tensor.dtype == "F16" ||
         tensor.dtype == "BF16" || tensor.dtype == "F64";
}

std::vector<float> toFloat32(const Tensor &tensor) {
  static_assert(std::endian::native == std::endian::little,
                "safetensors data is little-endian");
  std::vector<float> values(static_cast<size_t>(tensor.elementCount()));
  if (tensor.dtype == "F32") {
    if (!values.empty())
      std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
    return values;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (tensor.dtype == "F16")
      values[i] = widenHalf(element<uint16_t>(tensor, i));
    else if (tensor.dtype == "BF16")
      values[i] = std::bit_cast<float>(
          static_cast<uint32_t>(element<uint16_t>(tensor, i)) << 16);
    else
      values[i] = narrow(element<double>(tensor, i));
  }
  return values;
}

ValueCheck checkValues(const Tensor &tensor, const std::vector<float> &values) {
  ValueCheck check;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]))
      continue;
    if (!check.nonFinite && !check.overflowed)
      check.first = i;
    if (tensor.dtype == "F64" && std::isfinite(element<double>(tensor, i)))
      ++check.overflowed;
    else
      ++check.nonFinite;
  }
  return check;
}

} // namespace rung::safetensors
