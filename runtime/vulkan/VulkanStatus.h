//===- VulkanStatus.h - VkResult as Status ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_VULKANSTATUS_H
#define RUNG_RUNTIME_VULKAN_VULKANSTATUS_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/VulkanHeaders.h"

#include <string>
#include <string_view>

namespace rung {

/// "VK_ERROR_DEVICE_LOST (-4)"; the number alone for a value without a name.
std::string toString(VkResult result);

/// The outcome of calling \p function, as
/// `vkQueueSubmit returned VK_ERROR_DEVICE_LOST (-4): the device was lost`.
/// Only VK_SUCCESS is success: a caller that expects VK_TIMEOUT, VK_NOT_READY
/// or VK_INCOMPLETE must look at the result before it comes here.
Status toStatus(VkResult result, std::string_view function);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_VULKANSTATUS_H
