//===- Statistics.cpp - what many timings come to -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rung::tools {
namespace {

double percentile(const std::vector<double> &sorted, double share) {
  double position = share * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

} // namespace

Statistics summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  Statistics result;
  result.min = samples.front();
  result.median = percentile(samples, 0.5);
  result.p90 = percentile(samples, 0.9);
  result.p95 = percentile(samples, 0.95);
  result.p99 = percentile(samples, 0.99);
  result.max = samples.back();
  result.mean = std::accumulate(samples.begin(), samples.end(), 0.0) /
                static_cast<double>(samples.size());
  return result;
}

} // namespace rung::tools
