//===- DeviceTable.h - Vulkan's functions as a table ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The only place that includes vulkan.hpp, for its dispatcher: a structure with
// a pointer for every Vulkan function, under the function's own name. The parts
// of vulkan.hpp that nothing here uses are left out; they cost two thirds of
// the time to compile it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_RUNTIME_VULKAN_DEVICETABLE_H
#define RUNG_RUNTIME_VULKAN_DEVICETABLE_H

#include "runtime/vulkan/VulkanHeaders.h"

#define VULKAN_HPP_DISPATCH_LOADER_DYNAMIC 1
#define VULKAN_HPP_ENABLE_DYNAMIC_LOADER_TOOL 0
#define VULKAN_HPP_DISABLE_ENHANCED_MODE
#define VULKAN_HPP_NO_CONSTRUCTORS
#define VULKAN_HPP_NO_EXCEPTIONS
#define VULKAN_HPP_NO_SETTERS
#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#define VULKAN_HPP_NO_TO_STRING
#include <vulkan/vulkan.hpp>

// The dispatcher is in `vk` or, in newer headers, in `vk::detail`.
namespace vk::detail {}
namespace rung::dispatch {
using namespace vk;
using namespace vk::detail;
using Loader = DispatchLoaderDynamic;
} // namespace rung::dispatch

namespace rung {

/// Functions of an instance: those that take an instance or physical device.
struct InstanceTable : dispatch::Loader {};

/// Functions of a device, found without the loader's detour. An entry that the
/// device lacks is null; what may be called follows from the device plan.
struct DeviceTable : dispatch::Loader {};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_DEVICETABLE_H
