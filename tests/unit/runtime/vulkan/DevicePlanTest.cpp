//===- DevicePlanTest.cpp - which kernels run on a device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/DevicePlan.h"
#include "tests/unit/runtime/vulkan/Fakes.h"
#include "tests/unit/runtime/vulkan/TestProgram.h"

#include <gtest/gtest.h>

namespace rung::test {

namespace {

using enum ScalarType;

VariantNeeds generic() {
  return {.profile = "generic",
          .apiVersion = makeApiVersion(1, 2),
          .workgroupInvocations = 128,
          .workgroupSize = {128, 1, 1},
          .pushConstantBytes = 16,
          .storageBuffers = 4};
}

VariantNeeds tiled(uint32_t size = 16) {
  VariantNeeds needs = generic();
  needs.profile = "tiled";
  needs.apiVersion = makeApiVersion(1, 3);
  needs.features = {Feature::Float16, Feature::Storage16,
                    Feature::CooperativeMatrix, Feature::VulkanMemoryModel};
  needs.subgroupSizes = {32};
  needs.cooperative = {{size, size, size, F16, F16, F32, F32}};
  return needs;
}

DevicePlan planFor(const DeviceSnapshot &device,
                   std::vector<VariantNeeds> variants) {
  Result<DevicePlan> plan = DevicePlan::make(device, variants);
  EXPECT_TRUE(plan.isOk()) << plan.status().message();
  return plan.isOk() ? *plan : DevicePlan();
}

std::string refusal(const DeviceSnapshot &device, VariantNeeds needs) {
  const std::vector<VariantNeeds> variants = {std::move(needs)};
  Result<DevicePlan> plan = DevicePlan::make(device, variants);
  EXPECT_FALSE(plan.isOk());
  EXPECT_EQ(plan.status().code(), StatusCode::Unsupported);
  return plan.status().message();
}

TEST(DevicePlanTest, TakesTheMostDemandingVariantThatFits) {
  const DevicePlan plan = planFor(fakes::discreteGpu(), {generic(), tiled()});
  EXPECT_EQ(plan.variant, 1u);
  EXPECT_EQ(plan.profile, "tiled");
  EXPECT_EQ(plan.explanation, "variant 'tiled' fits 'fake discrete'");
}

TEST(DevicePlanTest, HoldsADeviceToItsPromisesOfF16) {
  VariantNeeds needs = generic();
  needs.features = {Feature::Float16, Feature::Float16RoundToNearest,
                    Feature::Float16PreserveDenormals};
  DeviceSnapshot device = fakes::discreteGpu();
  EXPECT_EQ(planFor(device, {needs}).profile, "generic");
  device.float16.preservesDenormals = false;
  EXPECT_NE(refusal(device, needs)
                .find("feature Float16PreserveDenormals is missing"),
            std::string::npos);
}

TEST(DevicePlanTest, SaysWhyNotABetterVariant) {
  const DevicePlan plan =
      planFor(fakes::without(fakes::discreteGpu(), Feature::Float16),
              {generic(), tiled(8)});
  EXPECT_EQ(plan.variant, 0u);
  EXPECT_EQ(plan.explanation,
            "variant 'generic' fits 'fake discrete'\n"
            "variant 'tiled' does not fit: feature Float16 is missing; tile "
            "8x8x8 f16 x f16 + f32 -> f32 is not among the 2 cooperative "
            "shapes (16x16x16 f16 x f16 + f32 -> f32, 16x16x16 bf16 x bf16 + "
            "f32 -> f32)");
}

TEST(DevicePlanTest, SaysThatCooperativeMatricesAreSwitchedOff) {
  const DevicePlan plan = planFor(
      fakes::discreteGpu().withoutCooperativeMatrices(), {generic(), tiled()});
  EXPECT_EQ(plan.variant, 0u);
  EXPECT_EQ(plan.explanation,
            "variant 'generic' fits 'fake discrete'\n"
            "variant 'tiled' does not fit: feature CooperativeMatrix is "
            "switched off by RUNG_COOPMAT=0");
  EXPECT_FALSE(plan.has(Feature::CooperativeMatrix));
}

TEST(DevicePlanTest, RefusesADeviceThatNoVariantFits) {
  EXPECT_EQ(refusal(fakes::smallest(), tiled()),
            "none of the bundle's 1 variants fits 'fake smallest'\n"
            "variant 'tiled' does not fit: Vulkan 1.3 is needed and 1.2 is "
            "there; feature Float16 is missing; feature Storage16 is missing; "
            "feature CooperativeMatrix is missing; feature VulkanMemoryModel "
            "is missing; subgroup size 32 is needed and 4 is the only one");
}

TEST(DevicePlanTest, ComparesEveryLimitWithNumbers) {
  auto lacks = [](auto change) {
    VariantNeeds needs = generic();
    change(needs);
    const std::vector<std::string> found = findLacks(fakes::smallest(), needs);
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? "" : found.front();
  };
  EXPECT_EQ(lacks([](auto &n) { n.sharedMemoryBytes = 16385; }),
            "a shared memory of 16385 bytes exceeds 16384");
  EXPECT_EQ(lacks([](auto &n) { n.workgroupInvocations = 129; }),
            "a workgroup of 129 invocations exceeds 128");
  EXPECT_EQ(lacks([](auto &n) { n.workgroupSize[2] = 65; }),
            "a workgroup axis z of 65 invocations exceeds 64");
  EXPECT_EQ(lacks([](auto &n) { n.pushConstantBytes = 132; }),
            "a push constant block of 132 bytes exceeds 128");
  EXPECT_EQ(lacks([](auto &n) { n.storageBuffers = 5; }),
            "a kernel of 5 storage buffers exceeds 4");
}

TEST(DevicePlanTest, RunsWorkgroupsThatWaitForOneAnotherAtOnce) {
  VariantNeeds needs = generic();
  needs.jointWorkgroups = 128;
  DeviceSnapshot device = fakes::discreteGpu();
  device.computeUnits = 128;
  EXPECT_TRUE(findLacks(device, needs).empty());
  device.computeUnits = 127;
  EXPECT_EQ(findLacks(device, needs),
            std::vector<std::string>({"128 workgroups wait for one another, "
                                      "and 127 run at once"}));
  device.computeUnits = 0;
  EXPECT_EQ(findLacks(device, needs),
            std::vector<std::string>({"128 workgroups wait for one another, "
                                      "and how many run at once is not "
                                      "known"}));
}

TEST(DevicePlanTest, TurnsOnWhatIsNeededAndNoMore) {
  const DevicePlan plan = planFor(fakes::discreteGpu(), {tiled()});
  EXPECT_EQ(plan.features,
            std::vector<Feature>({Feature::Float16, Feature::Storage16,
                                  Feature::CooperativeMatrix,
                                  Feature::VulkanMemoryModel,
                                  Feature::SubgroupSizeControl}));
  EXPECT_TRUE(plan.memoryModelDeviceScope);
  EXPECT_TRUE(plan.fullSubgroups);
  EXPECT_EQ(plan.extensions,
            std::vector<std::string>(
                {"VK_KHR_cooperative_matrix", "VK_EXT_memory_budget"}));

  const DevicePlan plain = planFor(fakes::discreteGpu(), {generic()});
  EXPECT_TRUE(plain.features.empty());
  EXPECT_FALSE(plain.memoryModelDeviceScope);
  EXPECT_EQ(plain.extensions,
            std::vector<std::string>({"VK_EXT_memory_budget"}));
}

TEST(DevicePlanTest, TurnsOnCooperativeMatricesWithTheirBFloat16) {
  VariantNeeds needs = generic();
  needs.features = {Feature::BFloat16Cooperative};
  const DevicePlan plan = planFor(fakes::discreteGpu(), {needs});
  EXPECT_TRUE(plan.has(Feature::CooperativeMatrix));
  EXPECT_EQ(plan.extensions,
            std::vector<std::string>({"VK_KHR_cooperative_matrix",
                                      "VK_KHR_shader_bfloat16",
                                      "VK_EXT_memory_budget"}));
}

TEST(DevicePlanTest, AsksForSubgroupSizesThatADeviceCanChoose) {
  DeviceSnapshot device = fakes::discreteGpu();
  device.minSubgroupSize = 8;
  device.maxSubgroupSize = 32;
  device.subgroupSize = 16;
  VariantNeeds needs = generic();
  needs.subgroupSizes = {8, 32};
  EXPECT_TRUE(planFor(device, {needs}).has(Feature::SubgroupSizeControl));
  needs.subgroupSizes = {64};
  EXPECT_EQ(
      findLacks(device, needs),
      std::vector<std::string>({"subgroup size 64 is not within 8 to 32"}));
}

TEST(DevicePlanTest, NeedsNoControlForTheSizeThatADeviceHas) {
  VariantNeeds needs = generic();
  needs.subgroupSizes = {4};
  const DevicePlan plan = planFor(fakes::smallest(), {needs});
  EXPECT_FALSE(plan.has(Feature::SubgroupSizeControl));
}

TEST(DevicePlanTest, TakesSubgroupSizeControlAsAnExtensionOfVulkan12) {
  DeviceSnapshot device = fakes::smallest();
  device.features = {Feature::SubgroupSizeControl};
  device.minSubgroupSize = device.maxSubgroupSize = 4;
  VariantNeeds needs = generic();
  needs.subgroupSizes = {4};
  EXPECT_EQ(planFor(device, {needs}).extensions,
            std::vector<std::string>({"VK_EXT_subgroup_size_control"}));
}

TEST(DevicePlanTest, PrefersAQueueWithoutGraphics) {
  const DevicePlan plan = planFor(fakes::discreteGpu(), {generic()});
  EXPECT_EQ(plan.queueFamily, 2u);
  EXPECT_TRUE(plan.timestamps);
  const DevicePlan shared = planFor(fakes::smallest(), {generic()});
  EXPECT_EQ(shared.queueFamily, 0u);
  EXPECT_FALSE(shared.timestamps) << "its queue has 0 timestamp bits";
}

TEST(DevicePlanTest, RefusesADeviceThatCannotCompute) {
  DeviceSnapshot device = fakes::smallest();
  device.queueFamilies = {{.graphics = true}, {}};
  EXPECT_EQ(refusal(device, generic()),
            "none of the 2 queue families of 'fake smallest' can compute");
}

TEST(DevicePlanTest, ReadsNeedsFromAVariant) {
  TestProgram program("p");
  program.requirements().features = {fb::Feature::Int8,
                                     fb::Feature::SubgroupSizeControl};
  program.requirements().subgroup_size = 32;
  program.requirements().shared_memory_bytes = 1000;
  program.requirements().cooperative = {
      toBundle(CooperativeShape{8, 8, 16, F16, F16, F32, F32})};
  program.kernel({.name = "a", .localX = 64, .bindings = 3, .pushWords = 2});
  program.kernel({.name = "b",
                  .localX = 256,
                  .bindings = 1,
                  .pushWords = 5,
                  .subgroupSize = 16});
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Variant::Pack(builder, program.take().get()));
  const VariantNeeds needs =
      needsOf(*flatbuffers::GetRoot<fb::Variant>(builder.GetBufferPointer()));
  EXPECT_EQ(needs.profile, "p");
  EXPECT_EQ(needs.apiVersion, makeApiVersion(1, 2));
  EXPECT_EQ(needs.features, std::vector<Feature>(
                                {Feature::Int8, Feature::SubgroupSizeControl}));
  EXPECT_EQ(needs.subgroupSizes, std::vector<uint32_t>({16, 32}));
  EXPECT_EQ(needs.sharedMemoryBytes, 1000u);
  EXPECT_EQ(needs.workgroupInvocations, 256u);
  EXPECT_EQ(needs.workgroupSize, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(needs.pushConstantBytes, 20u);
  EXPECT_EQ(needs.storageBuffers, 3u);
  EXPECT_EQ(needs.cooperative,
            std::vector<CooperativeShape>({{8, 8, 16, F16, F16, F32, F32}}));
}

} // namespace

} // namespace rung::test
