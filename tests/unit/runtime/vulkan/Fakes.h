//===- Fakes.h - devices that no machine has --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_FAKES_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_FAKES_H

#include "runtime/vulkan/DeviceSnapshot.h"

#include <algorithm>

namespace rung::test::fakes {

/// What every device of Vulkan 1.2 has, and no more.
inline DeviceSnapshot smallest(std::string name = "fake smallest") {
  DeviceSnapshot device;
  device.name = std::move(name);
  device.driver = "fake driver 1.0";
  device.kind = DeviceKind::Integrated;
  device.apiVersion = device.usableApiVersion = makeApiVersion(1, 2);
  device.subgroupSize = 4;
  device.limits = {.maxBufferSize = uint64_t(1) << 30,
                   .maxMemoryAllocationSize = uint64_t(1) << 30,
                   .maxStorageBufferRange = 1u << 27,
                   .minStorageBufferOffsetAlignment = 256,
                   .maxPerStageDescriptorStorageBuffers = 4,
                   .maxPushConstantsSize = 128,
                   .maxComputeSharedMemorySize = 16384,
                   .maxComputeWorkGroupInvocations = 128,
                   .maxComputeWorkGroupSize = {128, 128, 64},
                   .maxComputeWorkGroupCount = {65535, 65535, 65535},
                   .timestampPeriod = 1};
  device.queueFamilies = {{.compute = true, .graphics = true}};
  device.memoryBytes = device.memoryBudget = uint64_t(1) << 30;
  device.unifiedMemory = true;
  return device;
}

/// A large card with 16x16x16 tiles.
inline DeviceSnapshot discreteGpu(std::string name = "fake discrete") {
  DeviceSnapshot device = smallest(std::move(name));
  device.kind = DeviceKind::Discrete;
  device.apiVersion = makeApiVersion(1, 4, 312);
  device.usableApiVersion = makeApiVersion(1, 3);
  device.extensions = {"VK_EXT_memory_budget", "VK_KHR_cooperative_matrix",
                       "VK_KHR_shader_bfloat16"};
  // What it promises of f16 stands in `float16`.
  for (int i = 0; i <= int(Feature::SubgroupSizeControl); ++i)
    device.features.push_back(static_cast<Feature>(i));
  device.vulkanMemoryModelDeviceScope = true;
  device.fullSubgroups = true;
  device.subgroupSize = device.minSubgroupSize = device.maxSubgroupSize = 32;
  using enum ScalarType;
  device.cooperativeShapes = {{16, 16, 16, F16, F16, F32, F32},
                              {16, 16, 16, BF16, BF16, F32, F32}};
  device.float16 = {.roundToNearestEven = true, .preservesDenormals = true};
  device.limits.maxStorageBufferRange = ~0u;
  device.limits.maxPerStageDescriptorStorageBuffers = 1u << 20;
  device.limits.maxPushConstantsSize = 256;
  device.limits.maxComputeSharedMemorySize = 49152;
  device.limits.maxComputeWorkGroupInvocations = 1024;
  device.limits.maxComputeWorkGroupSize = {1024, 1024, 64};
  device.limits.maxComputeWorkGroupCount = {0x7fffffff, 65535, 65535};
  device.queueFamilies = {
      {.compute = true, .graphics = true, .timestampBits = 64},
      {.compute = false, .graphics = false},
      {.compute = true, .graphics = false, .timestampBits = 48}};
  device.memoryBytes = device.memoryBudget = uint64_t(80) << 30;
  device.limits.maxBufferSize = device.limits.maxMemoryAllocationSize =
      uint64_t(80) << 30;
  device.unifiedMemory = false;
  return device;
}

/// \p device without one feature.
inline DeviceSnapshot without(DeviceSnapshot device, Feature feature) {
  std::erase(device.features, feature);
  return device;
}

} // namespace rung::test::fakes

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_FAKES_H
