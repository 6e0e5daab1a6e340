//===- FeatureChain.cpp - a plan's features as structs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/FeatureChain.h"

namespace rung {

FeatureChain::FeatureChain(const DevicePlan &plan) {
  features_.features.shaderInt16 = plan.has(Feature::Int16);
  core11_.storageBuffer16BitAccess = plan.has(Feature::Storage16);
  core12_.storageBuffer8BitAccess = plan.has(Feature::Storage8);
  core12_.shaderFloat16 = plan.has(Feature::Float16);
  core12_.shaderInt8 = plan.has(Feature::Int8);
  core12_.vulkanMemoryModel = plan.has(Feature::VulkanMemoryModel);
  core12_.vulkanMemoryModelDeviceScope = plan.memoryModelDeviceScope;
  subgroup_.subgroupSizeControl = plan.has(Feature::SubgroupSizeControl);
  subgroup_.computeFullSubgroups = plan.fullSubgroups;
  integerDot_.shaderIntegerDotProduct = plan.has(Feature::IntegerDot);
  cooperative_.cooperativeMatrix = plan.has(Feature::CooperativeMatrix);
  bfloat16_.shaderBFloat16Type = plan.has(Feature::BFloat16Cooperative);
  bfloat16_.shaderBFloat16CooperativeMatrix =
      plan.has(Feature::BFloat16Cooperative);

  features_.pNext = &core11_;
  core11_.pNext = &core12_;
  void **link = &core12_.pNext;
  auto append = [&link](bool wanted, auto &structure) {
    if (!wanted)
      return;
    *link = &structure;
    link = &structure.pNext;
  };
  append(subgroup_.subgroupSizeControl, subgroup_);
  append(integerDot_.shaderIntegerDotProduct, integerDot_);
  append(cooperative_.cooperativeMatrix, cooperative_);
  append(bfloat16_.shaderBFloat16Type, bfloat16_);
}

} // namespace rung
