//===- Stabbing.cpp - lines through vertical segments --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Stabbing.h"

#include <algorithm>
#include <limits>

namespace rung::numerics {

double Stabbing::leastSlope(const std::vector<Point> &hull, Point to) {
  auto slope = [&](size_t i) {
    return (to.y - hull[i].y) / (to.x - hull[i].x);
  };
  // Along an upper hull the slope falls to the tangent's point, then rises.
  size_t first = 0, last = hull.size() - 1;
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (slope(middle) <= slope(middle + 1))
      last = middle;
    else
      first = middle + 1;
  }
  return slope(first);
}

void Stabbing::extend(std::vector<Point> &hull, Point point) {
  auto isUnder = [](Point a, Point b, Point c) { // b is not above a to c
    return (b.y - a.y) * (c.x - a.x) <= (c.y - a.y) * (b.x - a.x);
  };
  while (hull.size() > 1 && isUnder(hull[hull.size() - 2], hull.back(), point))
    hull.pop_back();
  hull.push_back(point);
}

bool Stabbing::add(double x, double low, double high) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double least = -kAny, most = kAny;
  if (!lows_.empty()) {
    most = leastSlope(lows_, {x, high});
    least = -leastSlope(mirroredHighs_, {x, -low});
    if (lows_.size() > 1 || mirroredHighs_.size() > 1) {
      most = std::min(most, maxSlope_);
      least = std::max(least, minSlope_);
    }
    if (least > most)
      return false;
  }
  minSlope_ = least;
  maxSlope_ = most;
  extend(lows_, {x, low});
  extend(mirroredHighs_, {x, -high});
  return true;
}

Line Stabbing::middle() const {
  Line line;
  if (lows_.size() > 1 || mirroredHighs_.size() > 1)
    line.slope = (minSlope_ + maxSlope_) / 2;
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (Point point : lows_)
    low = std::max(low, point.y - line.slope * point.x);
  for (Point point : mirroredHighs_)
    high = std::min(high, -point.y - line.slope * point.x);
  line.offset = (low + high) / 2;
  return line;
}

} // namespace rung::numerics
