//===- Suggest.cpp - the name that was probably meant ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"

#include <algorithm>

namespace rung {

constexpr size_t kMaxSuggestLength = 256;

size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
    return limit + 1;
  // Three rows of the optimal string alignment table.
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1,
                         above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit)
      return limit + 1;
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], limit + 1);
}

std::string_view closestName(std::string_view name,
                             const std::vector<std::string_view> &candidates) {
  // The table is as large as the product of both lengths.
  if (name.size() > kMaxSuggestLength)
    return {};
  size_t limit = std::max<size_t>(1, name.size() / 3);
  size_t best = limit + 1;
  std::string_view result;
  for (std::string_view candidate : candidates) {
    size_t distance = editDistance(name, candidate, limit);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

std::string didYouMean(std::string_view name,
                       const std::vector<std::string_view> &candidates) {
  std::string_view closest = closestName(name, candidates);
  if (closest.empty())
    return "";
  return "; did you mean '" + std::string(closest) + "'?";
}

std::string quotedList(const std::vector<std::string_view> &names) {
  std::string result;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i)
      result += i + 1 == names.size() ? " and " : ", ";
    result += "'" + std::string(names[i]) + "'";
  }
  return result;
}

} // namespace rung
