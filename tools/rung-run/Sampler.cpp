//===- Sampler.cpp - the next token out of its scores ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace rung::tools {

int32_t argmax(std::span<const double> scores) {
  size_t best = 0;
  for (size_t i = 1; i < scores.size(); ++i)
    if (scores[i] > scores[best] || std::isnan(scores[best]))
      best = i;
  return static_cast<int32_t>(best);
}

int32_t Sampler::next(std::span<const double> scores) {
  std::vector<int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN would break the order that sorting relies on, so it ranks last.
  auto rank = [&](int32_t i) {
    return std::isnan(scores[i]) ? -HUGE_VAL : scores[i];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return rank(a) > rank(b); });
  if (topK_ != 0 && topK_ < order.size())
    order.resize(topK_);

  std::vector<double> weights;
  double total = 0;
  double best = rank(order.front());
  for (int32_t i : order) {
    double distance = rank(i) == best ? 0 : (rank(i) - best) / temperature_;
    weights.push_back(std::exp(distance));
    total += weights.back();
  }
  double u = static_cast<double>(generator_() >> 11) * 0x1p-53;
  double threshold = u * total, sum = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    sum += weights[i];
    if (sum > threshold)
      return order[i];
  }
  return order.back();
}

} // namespace rung::tools
