//===- Suggest.h - the name that was probably meant -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SUGGEST_H
#define RUNG_FRONTENDS_SUGGEST_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// Insertions, deletions, replacements and swaps of neighbours that lead from
/// `a` to `b`; `limit + 1` when there are more than `limit`.
size_t editDistance(std::string_view a, std::string_view b, size_t limit);

/// The candidate nearest to `name`, the earliest of equals; empty when none is
/// within a third of the name's length, or the name is longer than 256.
std::string_view closestName(std::string_view name,
                             const std::vector<std::string_view> &candidates);

/// `; did you mean 'x'?`, or nothing when no candidate is close.
std::string didYouMean(std::string_view name,
                       const std::vector<std::string_view> &candidates);

/// `'a', 'b' and 'c'`.
std::string quotedList(const std::vector<std::string_view> &names);

} // namespace rung

#endif // RUNG_FRONTENDS_SUGGEST_H
