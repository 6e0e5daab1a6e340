//===- TimestampsTest.cpp - arithmetic of the device's clock ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Timestamps.h"

#include <gtest/gtest.h>

namespace rung {

namespace {

TEST(TimestampsTest, ScalesTicksToMilliseconds) {
  EXPECT_DOUBLE_EQ(elapsedMs(1000, 3000, 64, 1.0), 0.002);
  EXPECT_DOUBLE_EQ(elapsedMs(1000, 3000, 64, 52.08), 2000 * 52.08e-6);
}

TEST(TimestampsTest, SurvivesAClockThatWrapsAround) {
  const uint64_t end = (uint64_t(1) << 36) - 10;
  EXPECT_DOUBLE_EQ(elapsedMs(end, 5, 36, 1e6), 15);
  EXPECT_DOUBLE_EQ(elapsedMs(~uint64_t(0), 1, 64, 1e6), 2);
}

} // namespace

} // namespace rung
