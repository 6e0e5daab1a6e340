//===- Distributions.h - what choices of tiles share ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_TILING_DISTRIBUTIONS_H
#define RUNG_COMPILER_TILING_DISTRIBUTIONS_H

#include "compiler/tiling/Tiles.h"

namespace rung::tiling {

inline int64_t bytesOf(ScalarType type) { return int64_t(byteSize(type)); }

/// Largest divisor of \p value that is at most \p limit.
int64_t largestDivisor(int64_t value, int64_t limit);

/// For plain kernels: blocks as wide as a group of threads, but no wider than
/// the columns there are.
Distribution plainDistribution(int64_t rows, int64_t columns);

/// Blocks of \p shape, dealt to one subgroup.
Distribution cooperativeDistribution(const Profile &profile,
                                     const CooperativeShape &shape);

/// Groups of threads that share \p blocks column blocks evenly, at most
/// \p limit of them.
int64_t chooseSubgroups(const Profile &profile, const Distribution &d,
                        int64_t blocks, int64_t limit);

} // namespace rung::tiling

#endif // RUNG_COMPILER_TILING_DISTRIBUTIONS_H
