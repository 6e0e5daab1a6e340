//===- Stabbing.h - lines through vertical segments --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_STABBING_H
#define RUNG_COMPILER_NUMERICS_STABBING_H

#include <vector>

namespace rung::numerics {

struct Line {
  double slope = 0, offset = 0;

  double at(double x) const { return slope * x + offset; }
};

/// The lines that meet every one of a growing set of vertical segments, given
/// from left to right (O'Rourke, 1981). A line of slope m does so if no lower
/// end lies above an upper end when both are seen along m; so the slopes that
/// remain are an interval, and a new segment can only narrow it by the tangents
/// from its ends to the hulls of those before.
class Stabbing {
public:
  /// Adds the segment from \p low to \p high at \p x, right of all others.
  /// False if no line meets all of them; the set is then as before.
  bool add(double x, double low, double high);

  /// A line of the middle slope that meets all segments, as far from their
  /// ends as that slope allows.
  Line middle() const;

private:
  struct Point {
    double x, y;
  };

  /// The least slope from \p hull to \p to, \p hull being the upper hull of
  /// points left of it.
  static double leastSlope(const std::vector<Point> &hull, Point to);
  static void extend(std::vector<Point> &hull, Point point);

  // Lower ends as they are; upper ends mirrored at the axis, so that both need
  // an upper hull.
  std::vector<Point> lows_, mirroredHighs_;
  double minSlope_ = 0, maxSlope_ = 0;
};

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_STABBING_H
