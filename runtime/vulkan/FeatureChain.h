//===- FeatureChain.h - a plan's features as Vulkan's structs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_FEATURECHAIN_H
#define RUNG_RUNTIME_VULKAN_FEATURECHAIN_H

#include "runtime/vulkan/DevicePlan.h"
#include "runtime/vulkan/VulkanHeaders.h"

namespace rung {

/// The pNext chain that turns on a plan's features, for vkCreateDevice. Structs
/// of extensions that the plan leaves off are not in it.
class FeatureChain {
public:
  explicit FeatureChain(const DevicePlan &plan);
  FeatureChain(const FeatureChain &) = delete; // The chain points into itself.

  /// The head of the chain.
  const VkPhysicalDeviceFeatures2 *get() const { return &features_; }

private:
  VkPhysicalDeviceFeatures2 features_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features core11_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features core12_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
  VkPhysicalDeviceShaderIntegerDotProductFeatures integerDot_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR};
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_FEATURECHAIN_H
