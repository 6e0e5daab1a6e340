//===- VulkanBackend.h - bundles on Vulkan devices --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_VULKANBACKEND_H
#define RUNG_RUNTIME_VULKAN_VULKANBACKEND_H

#include "runtime/api/Backend.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Reader.h"
#include "runtime/vulkan/DeviceSnapshot.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// Opens a device for \p bundle and makes it ready to run: \p device is as
/// selectDevices takes it, and the first of the devices meant that some variant
/// fits is taken.
Result<std::unique_ptr<Backend>>
makeVulkanBackend(std::shared_ptr<const BundleReader> bundle,
                  std::string_view device, const BackendOptions &options);

/// The machine's devices in the order of their indices.
struct DeviceList {
  std::vector<DeviceSnapshot> devices;
  std::string note; ///< Why there are none; empty if there are some.
};
Result<DeviceList> listDevices();

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_VULKANBACKEND_H
