//===- DeviceSnapshotTest.cpp - devices as profiles -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/DeviceSnapshot.h"
#include "tests/unit/runtime/vulkan/Fakes.h"

#include <gtest/gtest.h>

namespace rung::test {

namespace {

TEST(DeviceSnapshotTest, BecomesAProfileForTheCompiler) {
  DeviceSnapshot device = fakes::discreteGpu("NVIDIA  H200 (rev 1)");
  device.computeUnits = 132;
  const Profile profile = toProfile(device);
  EXPECT_EQ(profile.name, "nvidia-h200-rev-1");
  EXPECT_EQ(profile.description, "NVIDIA  H200 (rev 1), fake driver 1.0");
  EXPECT_EQ(profile.apiVersion, makeApiVersion(1, 4, 312));
  EXPECT_EQ(profile.subgroupSize, 32u);
  EXPECT_EQ(profile.sharedMemoryBytes, 49152u);
  EXPECT_EQ(profile.maxWorkgroupInvocations, 1024u);
  EXPECT_EQ(profile.maxPushConstantBytes, 256u);
  EXPECT_EQ(profile.maxStorageBufferBytes, 0xffffffffu);
  EXPECT_EQ(profile.computeUnits, 132u);
  EXPECT_EQ(profile.features, device.features);
  EXPECT_EQ(profile.cooperative, device.cooperativeShapes);
  EXPECT_EQ(profile.float16, device.float16);
  EXPECT_FALSE(profile.jointProgress);
}

TEST(DeviceSnapshotTest, MakesProfilesThatReadBack) {
  const Profile profile = toProfile(fakes::discreteGpu());
  Result<Profile> again = parseProfile(writeProfile(profile));
  ASSERT_TRUE(again.isOk()) << again.status().message();
  EXPECT_EQ(*again, profile);
}

TEST(DeviceSnapshotTest, NamesTheSoftwareDriverAsItsShippedProfile) {
  DeviceSnapshot device = fakes::smallest("llvmpipe (LLVM 19.1.7, 256 bits)");
  device.isLavapipe = true;
  EXPECT_EQ(toProfile(device).name, "lavapipe");
  EXPECT_EQ(toProfile(fakes::smallest("???")).name, "device");
}

TEST(DeviceSnapshotTest, LosesAllOfCooperativeMatricesTogether) {
  const DeviceSnapshot device =
      fakes::discreteGpu().withoutCooperativeMatrices();
  EXPECT_FALSE(device.has(Feature::CooperativeMatrix));
  EXPECT_FALSE(device.has(Feature::BFloat16Cooperative));
  EXPECT_TRUE(device.has(Feature::Float16));
  EXPECT_TRUE(device.cooperativeShapes.empty());
  EXPECT_TRUE(device.cooperativeSwitchedOff);
  EXPECT_FALSE(
      fakes::smallest().withoutCooperativeMatrices().cooperativeSwitchedOff)
      << "there was nothing to switch off";
}

TEST(DeviceSnapshotTest, FindsExtensions) {
  const DeviceSnapshot device = fakes::discreteGpu();
  EXPECT_TRUE(device.hasExtension("VK_KHR_cooperative_matrix"));
  EXPECT_FALSE(device.hasExtension("VK_KHR_cooperative"));
}

} // namespace

} // namespace rung::test
