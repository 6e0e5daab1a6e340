//===- HazardTrackerTest.cpp - where barriers must stand --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/HazardTracker.h"

#include <gtest/gtest.h>

#include <random>

namespace rung {

namespace {

BufferAccess reads(uint32_t buffer) { return {buffer, true, false}; }
BufferAccess writes(uint32_t buffer) { return {buffer, false, true}; }
BufferAccess updates(uint32_t buffer) { return {buffer, true, true}; }

/// Whether a dispatch with each of the accesses needs a barrier before it.
std::vector<bool> barriers(std::vector<std::vector<BufferAccess>> dispatches) {
  HazardTracker tracker(8);
  std::vector<bool> result;
  for (const auto &accesses : dispatches)
    result.push_back(tracker.needsBarrier(accesses));
  return result;
}

using Flags = std::vector<bool>;

TEST(HazardTrackerTest, WaitsForWhatIsRead) {
  EXPECT_EQ(barriers({{writes(0)}, {reads(0)}}), Flags({false, true}));
}

TEST(HazardTrackerTest, WaitsBeforeOverwritingWhatIsRead) {
  EXPECT_EQ(barriers({{reads(0)}, {writes(0)}}), Flags({false, true}));
}

TEST(HazardTrackerTest, WaitsBeforeWritingTwice) {
  EXPECT_EQ(barriers({{writes(0)}, {writes(0)}}), Flags({false, true}));
}

TEST(HazardTrackerTest, LetsReadersRunTogether) {
  EXPECT_EQ(barriers({{writes(0)}, {reads(0)}, {reads(0)}, {reads(0)}}),
            Flags({false, true, false, false}));
}

TEST(HazardTrackerTest, LetsDifferentBuffersAlone) {
  EXPECT_EQ(barriers({{reads(0), writes(1)}, {reads(0), writes(2)}}),
            Flags({false, false}));
}

TEST(HazardTrackerTest, DoesNotWaitTwiceForTheSame) {
  EXPECT_EQ(barriers({{writes(0)}, {writes(1)}, {reads(0)}, {reads(1)}}),
            Flags({false, false, true, false}));
}

TEST(HazardTrackerTest, SeesTheSameBufferInPlaceAtEachStep) {
  EXPECT_EQ(barriers({{updates(0)}, {updates(0)}, {updates(0)}}),
            Flags({false, true, true}));
}

TEST(HazardTrackerTest, AllowsOneDispatchToReadWhatItWrites) {
  EXPECT_EQ(barriers({{reads(0), writes(0)}}), Flags({false}));
}

/// The rule as it is defined: two dispatches conflict if one writes what the
/// other touches, and between two that conflict there is a barrier.
TEST(HazardTrackerTest, SeparatesEveryPairThatConflicts) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<BufferAccess>> dispatches(40);
    for (auto &accesses : dispatches)
      for (int i = 0; i < 3; ++i)
        accesses.push_back(
            {uint32_t(random() % 8), random() % 2 == 0, random() % 3 == 0});
    const Flags before = barriers(dispatches);
    for (size_t later = 1; later < dispatches.size(); ++later) {
      bool separated = false;
      bool conflicts = false;
      for (size_t earlier = later; earlier-- > 0;) {
        separated |= before[earlier + 1];
        bool conflict = false;
        for (const BufferAccess &a : dispatches[earlier])
          for (const BufferAccess &b : dispatches[later])
            conflict |=
                a.buffer == b.buffer &&
                ((a.writes && (b.reads || b.writes)) || (a.reads && b.writes));
        EXPECT_TRUE(!conflict || separated) << earlier << ", " << later;
        bool betweenThem = false;
        for (size_t i = earlier + 1; i < later; ++i)
          betweenThem |= before[i];
        conflicts |= conflict && !betweenThem;
      }
      EXPECT_EQ(before[later], conflicts) << "no barrier without a conflict";
    }
  }
}

} // namespace

} // namespace rung
