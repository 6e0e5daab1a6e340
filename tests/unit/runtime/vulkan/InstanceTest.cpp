//===- InstanceTest.cpp - loader, devices, snapshots ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/DeviceTest.h"

#include <algorithm>
#include <cstdlib>

namespace rung::test {

namespace {

using InstanceTest = DeviceTest;

TEST_F(InstanceTest, ReadsAWholeSnapshot) {
  const DeviceSnapshot &device = snapshot();
  EXPECT_FALSE(device.name.empty());
  EXPECT_FALSE(device.driver.empty());
  EXPECT_GE(device.apiVersion, uint32_t(VK_API_VERSION_1_2));
  EXPECT_LE(device.usableApiVersion, device.apiVersion);
  EXPECT_GT(device.subgroupSize, 0u);
  EXPECT_GT(device.memoryBytes, 0u);
  EXPECT_GT(device.memoryBudget, 0u);
  EXPECT_FALSE(device.queueFamilies.empty());
  EXPECT_TRUE(std::ranges::is_sorted(device.extensions));
  EXPECT_TRUE(std::ranges::is_sorted(device.features));
  EXPECT_EQ(std::ranges::adjacent_find(device.features), device.features.end());
  // What every device of Vulkan 1.2 offers.
  const DeviceLimits &limits = device.limits;
  EXPECT_GE(limits.maxStorageBufferRange, 1u << 27);
  EXPECT_GE(limits.maxPushConstantsSize, 128u);
  EXPECT_GE(limits.maxComputeSharedMemorySize, 16384u);
  EXPECT_GE(limits.maxComputeWorkGroupInvocations, 128u);
  EXPECT_GE(limits.maxComputeWorkGroupCount[0], 65535u);
  EXPECT_GE(limits.maxMemoryAllocationSize, uint64_t(1) << 30);
  EXPECT_GT(limits.maxBufferSize, 0u);
}

TEST_F(InstanceTest, ListsShapesExactlyWithCooperativeMatrices) {
  EXPECT_EQ(snapshot().has(Feature::CooperativeMatrix),
            !snapshot().cooperativeShapes.empty());
}

TEST_F(InstanceTest, MakesAProfileThatTheCompilerReads) {
  const Profile profile = toProfile(snapshot());
  Result<Profile> again = parseProfile(writeProfile(profile));
  ASSERT_TRUE(again.isOk()) << again.status().message();
  EXPECT_EQ(*again, profile);
}

TEST_F(InstanceTest, HidesCooperativeMatricesWhenToldTo) {
  setenv("RUNG_COOPMAT", "0", 1);
  Result<std::vector<PhysicalDevice>> devices = readDevices(instance());
  unsetenv("RUNG_COOPMAT");
  ASSERT_TRUE(devices.isOk()) << devices.status().message();
  EXPECT_FALSE(devices->front().snapshot.has(Feature::CooperativeMatrix));
  EXPECT_TRUE(devices->front().snapshot.cooperativeShapes.empty());
}

} // namespace

} // namespace rung::test
