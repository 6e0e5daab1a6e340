//===- Requantize.cpp - integer factors for real ratios ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Requantize.h"

#include <algorithm>
#include <cmath>

namespace rung::numerics {

int32_t roundToGrid(double value, int32_t limit) {
  return int32_t(
      std::clamp(std::floor(value + 0.5), -double(limit), double(limit)));
}

Scaling chooseScaling(std::span<const double> ratios, int mostShift) {
  double largest = 0;
  for (double ratio : ratios)
    largest = std::max(largest, std::abs(ratio));
  Scaling result;
  result.shift = mostShift;
  // The largest factor must not round up to 2^31.
  while (result.shift > kMinShift &&
         std::ldexp(largest, result.shift) > double(INT32_MAX))
    --result.shift;
  for (double ratio : ratios)
    result.factors.push_back(roundToGrid(std::ldexp(ratio, result.shift)));
  return result;
}

Scaling chooseScaling(double ratio) { return chooseScaling({&ratio, 1}); }

} // namespace rung::numerics
