//===- Distributions.cpp - what choices of tiles share --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Distributions.h"

#include <algorithm>
#include <bit>

namespace rung::tiling {

/// Threads of a group when no cooperative matrices are used; any number does,
/// since such kernels use no subgroup operations.
static constexpr int64_t kPlainGroup = 32;

int64_t largestDivisor(int64_t value, int64_t limit) {
  for (int64_t d = std::min(value, limit); d > 1; --d)
    if (value % d == 0)
      return d;
  return 1;
}

Distribution plainDistribution(int64_t rows, int64_t columns) {
  Distribution d;
  d.subgroupSize = kPlainGroup;
  d.n = std::clamp<int64_t>(std::bit_ceil(uint64_t(columns)), 8, kPlainGroup);
  d.m = std::max(rows, d.subgroupSize / d.n);
  d.k = 1;
  return d;
}

Distribution cooperativeDistribution(const Profile &profile,
                                     const CooperativeShape &shape) {
  Distribution d;
  d.cooperative = true;
  d.m = shape.m, d.n = shape.n, d.k = shape.k;
  d.subgroupSize = profile.subgroupSize;
  return d;
}

int64_t chooseSubgroups(const Profile &profile, const Distribution &d,
                        int64_t blocks, int64_t limit) {
  int64_t fit = profile.maxWorkgroupInvocations / d.subgroupSize;
  return largestDivisor(blocks, std::max<int64_t>(1, std::min(fit, limit)));
}

} // namespace rung::tiling
