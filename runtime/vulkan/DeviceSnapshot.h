//===- DeviceSnapshot.h - what a physical device says of itself -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_DEVICESNAPSHOT_H
#define RUNG_RUNTIME_VULKAN_DEVICESNAPSHOT_H

#include "runtime/base/Profile.h"
#include "runtime/base/Status.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// Best first: the order in which a device is chosen when none is asked for.
enum class DeviceKind : uint8_t { Discrete, Integrated, Virtual, Cpu, Other };

/// "discrete", "integrated", "virtual", "cpu", "other".
std::string_view toString(DeviceKind kind);

struct QueueFamily {
  bool compute = false;
  bool graphics = false;
  uint32_t timestampBits = 0; ///< 0: no timestamps.
};

/// Limits under the names that Vulkan gives them.
struct DeviceLimits {
  uint64_t maxBufferSize = 0;
  uint64_t maxMemoryAllocationSize = 0;
  uint32_t maxStorageBufferRange = 0;
  uint64_t minStorageBufferOffsetAlignment = 1; ///< A power of two.
  uint32_t maxPerStageDescriptorStorageBuffers = 0;
  uint32_t maxPushConstantsSize = 0;
  uint32_t maxComputeSharedMemorySize = 0;
  uint32_t maxComputeWorkGroupInvocations = 0;
  std::array<uint32_t, 3> maxComputeWorkGroupSize{};
  std::array<uint32_t, 3> maxComputeWorkGroupCount{};
  double timestampPeriod = 0; ///< Nanoseconds a tick.

  /// Bytes of the largest buffer.
  uint64_t largestBuffer() const {
    return std::min(maxBufferSize, maxMemoryAllocationSize);
  }
  /// Bytes of the largest part of a buffer that a kernel can be given.
  uint64_t largestStorageBuffer() const {
    return std::min(uint64_t(maxStorageBufferRange), largestBuffer());
  }
};

/// Everything that decisions about a device depend on, as a plain value: read
/// once from a physical device (readSnapshot), or made up by a test.
struct DeviceSnapshot {
  std::string name;   ///< As the driver gives it.
  std::string driver; ///< Driver's name and version.
  DeviceKind kind = DeviceKind::Other;
  bool isLavapipe = false; ///< Mesa's software driver.
  uint32_t apiVersion = 0;
  uint32_t usableApiVersion = 0; ///< No more than the instance's.
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::array<uint8_t, 16> pipelineCacheUuid{};

  std::vector<std::string> extensions; ///< Sorted.
  std::vector<Feature> features;       ///< Ascending; what is really usable.
  bool vulkanMemoryModelDeviceScope = false;
  /// Workgroups can be made of full subgroups only.
  bool fullSubgroups = false;
  /// Cooperative matrices were there but are switched off (RUNG_COOPMAT=0).
  bool cooperativeSwitchedOff = false;

  uint32_t subgroupSize = 0; ///< Of a pipeline that asks for none.
  uint32_t minSubgroupSize = 0, maxSubgroupSize = 0;
  std::vector<CooperativeShape> cooperativeShapes; ///< Subgroup scope.
  Float16Controls float16;
  uint32_t computeUnits = 0; ///< 0: not known.

  DeviceLimits limits;
  std::vector<QueueFamily> queueFamilies;
  uint64_t memoryBytes = 0;  ///< Of the largest device-local heap.
  uint64_t memoryBudget = 0; ///< What is left of it for this process.
  /// The device works in host memory: buffers need no copies.
  bool unifiedMemory = false;

  bool has(Feature feature) const;
  bool hasExtension(std::string_view name) const;

  /// The same device with cooperative matrices turned off.
  DeviceSnapshot withoutCooperativeMatrices() const;
};

/// What the compiler needs to know of a device.
Profile toProfile(const DeviceSnapshot &snapshot);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_DEVICESNAPSHOT_H
