//===- Candidates.h - tiles that a device may prefer ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What `rung-bench tune` times: cuts of a problem that a profile can run,
// besides the one that Tiles.h chooses by rule.

#ifndef RUNG_COMPILER_TILING_CANDIDATES_H
#define RUNG_COMPILER_TILING_CANDIDATES_H

#include "compiler/tiling/Tiles.h"

#include <string>
#include <vector>

namespace rung::tiling {

/// At most so many are offered for a problem.
inline constexpr size_t kMostCandidates = 24;

/// The rule's choice first, then others, each once and each within the profile;
/// those that do more work for each element they load come first.
std::vector<ProductTiles> productCandidates(const Profile &profile,
                                            const ProductProblem &problem);
std::vector<RecurrenceTiles>
recurrenceCandidates(const Profile &profile, const RecurrenceProblem &problem,
                     Strategy strategy);

/// What a profile's measured tiles are found by: "product f16 f32 64x768",
/// inner dimension and columns; "recurrence f16 f32 head 64, 3 products in 1
/// phases". Rows are known at run time alone.
std::string nameOf(const ProductProblem &problem);
std::string nameOf(const RecurrenceProblem &problem);

} // namespace rung::tiling

#endif // RUNG_COMPILER_TILING_CANDIDATES_H
