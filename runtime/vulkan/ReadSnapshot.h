//===- ReadSnapshot.h - snapshots of real devices ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_READSNAPSHOT_H
#define RUNG_RUNTIME_VULKAN_READSNAPSHOT_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/DeviceSnapshot.h"
#include "runtime/vulkan/Instance.h"

#include <vector>

namespace rung {

/// Asks \p device for everything that a snapshot holds.
Result<DeviceSnapshot> readSnapshot(const Instance &instance,
                                    VkPhysicalDevice device);

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  DeviceSnapshot snapshot;
};

/// All devices of Vulkan 1.2 or newer, in the loader's order; without their
/// cooperative matrices if RUNG_COOPMAT is 0 in the environment.
Result<std::vector<PhysicalDevice>> readDevices(const Instance &instance);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_READSNAPSHOT_H
