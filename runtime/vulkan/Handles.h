//===- Handles.h - the owners of Vulkan's handles ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_HANDLES_H
#define RUNG_RUNTIME_VULKAN_HANDLES_H

#include "runtime/vulkan/DeviceTable.h"
#include "runtime/vulkan/UniqueHandle.h"

namespace rung {

/// Destroys what `vkCreate…(device, …)` made with the table's \p Member.
template <auto Member> struct DeviceDeleter {
  VkDevice device = VK_NULL_HANDLE;
  const DeviceTable *vk = nullptr;
  template <typename Handle> void operator()(Handle handle) const {
    (vk->*Member)(device, handle, /*pAllocator=*/nullptr);
  }
};

template <typename Handle, auto Member>
using UniqueDeviceHandle = UniqueHandle<Handle, DeviceDeleter<Member>>;

using UniqueBuffer =
    UniqueDeviceHandle<VkBuffer, &DeviceTable::vkDestroyBuffer>;
using UniqueCommandPool =
    UniqueDeviceHandle<VkCommandPool, &DeviceTable::vkDestroyCommandPool>;
using UniqueDescriptorPool =
    UniqueDeviceHandle<VkDescriptorPool, &DeviceTable::vkDestroyDescriptorPool>;
using UniqueDescriptorSetLayout =
    UniqueDeviceHandle<VkDescriptorSetLayout,
                       &DeviceTable::vkDestroyDescriptorSetLayout>;
using UniqueFence = UniqueDeviceHandle<VkFence, &DeviceTable::vkDestroyFence>;
using UniqueMemory =
    UniqueDeviceHandle<VkDeviceMemory, &DeviceTable::vkFreeMemory>;
using UniquePipeline =
    UniqueDeviceHandle<VkPipeline, &DeviceTable::vkDestroyPipeline>;
using UniquePipelineCache =
    UniqueDeviceHandle<VkPipelineCache, &DeviceTable::vkDestroyPipelineCache>;
using UniquePipelineLayout =
    UniqueDeviceHandle<VkPipelineLayout, &DeviceTable::vkDestroyPipelineLayout>;
using UniqueQueryPool =
    UniqueDeviceHandle<VkQueryPool, &DeviceTable::vkDestroyQueryPool>;
using UniqueShaderModule =
    UniqueDeviceHandle<VkShaderModule, &DeviceTable::vkDestroyShaderModule>;

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_HANDLES_H
