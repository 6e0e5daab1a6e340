//===- StabbingTest.cpp - lines through vertical segments -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Stabbing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace rung::numerics;

namespace {

struct Segment {
  double x, low, high;
};

/// Slopes of lines that meet every segment, from all pairs.
bool someLineMeetsAll(const std::vector<Segment> &segments) {
  double least = -std::numeric_limits<double>::infinity(), most = -least;
  for (size_t j = 1; j < segments.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      double width = segments[j].x - segments[i].x;
      least = std::max(least, (segments[j].low - segments[i].high) / width);
      most = std::min(most, (segments[j].high - segments[i].low) / width);
    }
  return least <= most;
}

TEST(Stabbing, AgreesWithAllPairs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> bend(-1, 1), size(0, 0.4);
  for (int trial = 0; trial < 500; ++trial) {
    Stabbing lines;
    std::vector<Segment> segments;
    double slope = bend(random), curve = 0.05 * bend(random);
    for (int i = 0; i < 40; ++i) {
      double middle = slope * i + curve * i * i + 0.2 * bend(random);
      double half = size(random);
      segments.push_back({double(i), middle - half, middle + half});
      bool fits = someLineMeetsAll(segments);
      ASSERT_EQ(lines.add(i, middle - half, middle + half), fits) << i;
      if (!fits)
        break;
      Line line = lines.middle();
      for (const Segment &segment : segments) {
        ASSERT_GE(line.at(segment.x), segment.low - 1e-12);
        ASSERT_LE(line.at(segment.x), segment.high + 1e-12);
      }
    }
  }
}

TEST(Stabbing, KeepsItsLinesWhenASegmentIsRefused) {
  Stabbing lines;
  EXPECT_TRUE(lines.add(0, 0, 0));
  EXPECT_TRUE(lines.add(1, 1, 1));
  EXPECT_FALSE(lines.add(2, 3, 4));
  EXPECT_DOUBLE_EQ(lines.middle().slope, 1);
  EXPECT_TRUE(lines.add(2, 1.5, 2.5));
}

} // namespace
