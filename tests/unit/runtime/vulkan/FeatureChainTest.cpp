//===- FeatureChainTest.cpp - a plan's features as structs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/FeatureChain.h"

#include <gtest/gtest.h>

#include <vector>

namespace rung {

namespace {

std::vector<VkStructureType> typesOf(const FeatureChain &chain) {
  std::vector<VkStructureType> types;
  for (auto *next = reinterpret_cast<const VkBaseInStructure *>(chain.get());
       next; next = next->pNext)
    types.push_back(next->sType);
  return types;
}

template <typename Struct>
const Struct &find(const FeatureChain &chain, VkStructureType type) {
  auto *next = reinterpret_cast<const VkBaseInStructure *>(chain.get());
  while (next && next->sType != type)
    next = next->pNext;
  EXPECT_NE(next, nullptr);
  return *reinterpret_cast<const Struct *>(next);
}

using Types = std::vector<VkStructureType>;
constexpr VkStructureType
    kCore = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    kCore11 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    kCore12 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;

TEST(FeatureChainTest, LeavesExtensionsOutThatAreOff) {
  const FeatureChain chain{DevicePlan()};
  EXPECT_EQ(typesOf(chain), Types({kCore, kCore11, kCore12}));
  EXPECT_FALSE(chain.get()->features.shaderInt16);
}

TEST(FeatureChainTest, TurnsOnWhatThePlanSays) {
  DevicePlan plan;
  plan.features = {Feature::Float16,  Feature::Int16,
                   Feature::Int8,     Feature::Storage16,
                   Feature::Storage8, Feature::VulkanMemoryModel};
  plan.memoryModelDeviceScope = true;
  const FeatureChain chain(plan);
  EXPECT_TRUE(chain.get()->features.shaderInt16);
  const auto &core11 = find<VkPhysicalDeviceVulkan11Features>(chain, kCore11);
  EXPECT_TRUE(core11.storageBuffer16BitAccess);
  const auto &core12 = find<VkPhysicalDeviceVulkan12Features>(chain, kCore12);
  EXPECT_TRUE(core12.shaderFloat16 && core12.shaderInt8 &&
              core12.storageBuffer8BitAccess && core12.vulkanMemoryModel &&
              core12.vulkanMemoryModelDeviceScope);
}

TEST(FeatureChainTest, ChainsTheStructsOfExtensions) {
  DevicePlan plan;
  plan.features = {Feature::CooperativeMatrix, Feature::BFloat16Cooperative,
                   Feature::SubgroupSizeControl, Feature::IntegerDot};
  plan.fullSubgroups = true;
  const FeatureChain chain(plan);
  EXPECT_EQ(
      typesOf(chain),
      Types(
          {kCore, kCore11, kCore12,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR}));
  EXPECT_TRUE(
      find<VkPhysicalDeviceSubgroupSizeControlFeatures>(
          chain,
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES)
          .computeFullSubgroups);
}

} // namespace

} // namespace rung
