//===- SingleDispatchTest.cpp - when a whole run is one dispatch ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/SingleDispatch.h"
#include "compiler/target/Target.h"

#include <gtest/gtest.h>

namespace rung::tiling {
namespace {

Profile hopper() { return findProfile("nvidia-hopper").value(); }

TEST(SingleDispatch, TakesEveryComputeUnitAndNoMore) {
  Profile profile = hopper();
  SingleDispatch dispatch = chooseSingleDispatch(profile);
  EXPECT_EQ(dispatch.groups, profile.computeUnits);
  EXPECT_EQ(checkSingleDispatch(profile, dispatch), "");
  ++dispatch.groups;
  EXPECT_EQ(checkSingleDispatch(profile, dispatch),
            "133 workgroups wait for each other; profile 'nvidia-hopper' runs "
            "132 at once");
}

TEST(SingleDispatch, TakesNoMoreSharedMemoryThanThereIs) {
  Profile profile = hopper();
  SingleDispatch dispatch = chooseSingleDispatch(profile);
  dispatch.sharedBytes += 16;
  EXPECT_EQ(checkSingleDispatch(profile, dispatch),
            "kernel needs 49168 bytes of shared memory; profile "
            "'nvidia-hopper' has 49152");
}

TEST(SingleDispatch, NeedsWorkgroupsThatProgressTogether) {
  Profile profile = hopper();
  profile.jointProgress = false;
  EXPECT_EQ(checkSingleDispatch(profile, chooseSingleDispatch(profile)),
            "workgroups wait for each other; profile 'nvidia-hopper' does not "
            "promise that they progress together");
}

TEST(SingleDispatch, NeedsToKnowHowManyWorkgroupsRunAtOnce) {
  Profile profile = hopper();
  profile.computeUnits = 0;
  EXPECT_EQ(checkSingleDispatch(profile, chooseSingleDispatch(profile)),
            "workgroups wait for each other; how many profile 'nvidia-hopper' "
            "runs at once is not known");
}

TEST(SingleDispatch, NeedsAccessesOrderedBetweenWorkgroups) {
  Profile profile = hopper();
  std::erase(profile.features, Feature::DeviceScope);
  EXPECT_EQ(checkSingleDispatch(profile, chooseSingleDispatch(profile)),
            "workgroups wait for each other; profile 'nvidia-hopper' lacks "
            "DeviceScope");
}

} // namespace
} // namespace rung::tiling
