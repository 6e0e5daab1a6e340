//===- Rounding.cpp - what a narrower format keeps of a double ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Rounding.h"

#include "runtime/base/Half.h"

#include <bit>
#include <limits>

namespace rung::reference {
namespace {

/// A binary format of 16 bits, as a double sees it.
struct Narrow {
  int dropped;     ///< bits of a double's mantissa that it lacks
  double smallest; ///< the least normal number
  double magic;    ///< added to a smaller one, leaves its multiples of the
                   ///< least subnormal
  double largest;  ///< the largest finite number
};
constexpr Narrow kF16 = {42, 0x1p-14, 0x1p28, 65504};
constexpr Narrow kBF16 = {45, 0x1p-126, 0x1p-81, 0x1.fep127};

/// roundTo without a branch, so that loops over it become vector code.
template <Narrow kFormat> inline double narrowed(double value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr uint64_t kSign = uint64_t(1) << 63;
  constexpr uint64_t kHalf = uint64_t(1) << (kFormat.dropped - 1);
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t sign = bits & kSign, size = bits & ~kSign;
  double magnitude = std::bit_cast<double>(size);
  uint64_t odd = size >> kFormat.dropped & 1;
  double normal =
      std::bit_cast<double>((size + (kHalf - 1) + odd) & ~(2 * kHalf - 1));
  double subnormal = (magnitude + kFormat.magic) - kFormat.magic;
  double result = magnitude < kFormat.smallest ? subnormal : normal;
  result = result > kFormat.largest ? kInfinity : result;
  result = magnitude == magnitude ? result : magnitude;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(result) | sign);
}

template <Narrow kFormat> void narrowAll(double *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = narrowed<kFormat>(values[i]);
}

} // namespace

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

void roundAllTo(ScalarType type, double *values, int64_t count) {
  switch (type) {
  case ScalarType::F16:
    return narrowAll<kF16>(values, count);
  case ScalarType::BF16:
    return narrowAll<kBF16>(values, count);
  case ScalarType::F32:
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(values[i]);
    return;
  default:
    return;
  }
}

void roundResults(ScalarType type, F32 f32, double *values, int64_t count) {
  if (type != ScalarType::F32 || f32 == F32::Rounded)
    roundAllTo(type, values, count);
}

} // namespace rung::reference
