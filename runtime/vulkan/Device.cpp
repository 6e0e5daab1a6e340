//===- Device.cpp - a logical device and its queue --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Device.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/FeatureChain.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>
#include <vector>

namespace rung {

void Device::HandleDeleter::operator()(VkDevice device) const {
  vk->vkDestroyDevice(device, /*pAllocator=*/nullptr);
}

Result<std::unique_ptr<Device>> Device::create(const Instance &instance,
                                               const PhysicalDevice &physical,
                                               DevicePlan plan,
                                               Allocator::Kind kind) {
  std::unique_ptr<Device> device(
      new Device(instance, physical, std::move(plan)));
  const std::string context = concat("opening device '", device->name(), "'");
  RUNG_RETURN_IF_ERROR(device->createDevice().while_(context));
  RUNG_RETURN_IF_ERROR(device->createQueueObjects().while_(context));
  const AllocatorContext memory = {&instance, physical.handle, device->handle(),
                                   &device->table_};
  RUNG_ASSIGN_OR_RETURN(device->allocator_,
                        Allocator::create(kind, memory).while_(context));
  return device;
}

Status Device::createDevice() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = plan_.queueFamily;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;

  const FeatureChain features(plan_);
  std::vector<const char *> extensions;
  for (const std::string &extension : plan_.extensions)
    extensions.push_back(extension.c_str());
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = features.get();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();

  const InstanceTable &vk = instance_.vk();
  VkDevice handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      vk.vkCreateDevice(physical_, &info, /*pAllocator=*/nullptr, &handle),
      "vkCreateDevice"));
  table_.vkGetDeviceProcAddr = vk.vkGetDeviceProcAddr;
  table_.init(vk::Device(handle));
  device_ = {handle, HandleDeleter{&table_}};
  table_.vkGetDeviceQueue(handle, plan_.queueFamily, /*queueIndex=*/0, &queue_);
  return Status::ok();
}

Status Device::createQueueObjects() {
  VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = plan_.queueFamily;
  VkCommandPool poolHandle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(table_.vkCreateCommandPool(handle(), &pool,
                                          /*pAllocator=*/nullptr, &poolHandle),
               "vkCreateCommandPool"));
  commandPool_ = {poolHandle, deleter<&DeviceTable::vkDestroyCommandPool>()};

  RUNG_ASSIGN_OR_RETURN(fence_, createFence());
  return Status::ok();
}

Result<UniqueFence> Device::createFence() const {
  VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fenceHandle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(table_.vkCreateFence(handle(), &fence, /*pAllocator=*/nullptr,
                                    &fenceHandle),
               "vkCreateFence"));
  return UniqueFence(fenceHandle, deleter<&DeviceTable::vkDestroyFence>());
}

Status Device::submit(VkCommandBuffer commands, VkFence fence) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  return toStatus(table_.vkQueueSubmit(queue_, 1, &info, fence),
                  "vkQueueSubmit");
}

Status Device::waitAndReset(VkFence fence,
                            std::chrono::nanoseconds timeout) const {
  const VkResult result = table_.vkWaitForFences(
      handle(), 1, &fence, /*waitAll=*/VK_TRUE, uint64_t(timeout.count()));
  if (result == VK_TIMEOUT)
    return Status(StatusCode::Device,
                  concat("'", name(), "' did not finish within ",
                         std::chrono::duration<double>(timeout).count(),
                         " seconds"));
  RUNG_RETURN_IF_ERROR(toStatus(result, "vkWaitForFences"));
  return toStatus(table_.vkResetFences(handle(), 1, &fence), "vkResetFences");
}

uint64_t Device::availableMemory() const {
  if (!snapshot_.hasExtension(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
    return snapshot_.memoryBytes;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget};
  instance_.vk().vkGetPhysicalDeviceMemoryProperties2(physical_, &memory);
  uint64_t available = 0;
  for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    const VkMemoryHeap &heap = memory.memoryProperties.memoryHeaps[i];
    const uint64_t used = std::min(budget.heapUsage[i], budget.heapBudget[i]);
    if (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      available = std::max(available, budget.heapBudget[i] - used);
  }
  return available;
}

Result<VkCommandBuffer> Device::allocateCommands() {
  VkCommandBufferAllocateInfo info = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = commandPool_.get();
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(table_.vkAllocateCommandBuffers(handle(), &info, &commands),
               "vkAllocateCommandBuffers"));
  return commands;
}

/// A thread that sleeps is woken some 20 microseconds late or more, which
/// counts where a run takes as long; the first moments are spent asking.
VkResult Device::waitForFence(std::chrono::nanoseconds timeout) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds kAsking = std::chrono::microseconds(300);
  // A device in software needs the processor for its own threads.
  if (snapshot_.kind != DeviceKind::Cpu) {
    const Clock::time_point end = Clock::now() + std::min(kAsking, timeout);
    do {
      const VkResult result = table_.vkGetFenceStatus(handle(), fence_.get());
      if (result != VK_NOT_READY)
        return result;
    } while (Clock::now() < end);
  }
  VkFence fence = fence_.get();
  return table_.vkWaitForFences(handle(), 1, &fence, /*waitAll=*/VK_TRUE,
                                uint64_t(timeout.count()));
}

Status Device::submitAndWait(VkCommandBuffer commands,
                             std::chrono::nanoseconds timeout) {
  if (pending_)
    return Status(
        StatusCode::FailedPrecondition,
        concat("'", name(), "' is still busy with a run that took too long"));
  VkFence fence = fence_.get();
  RUNG_RETURN_IF_ERROR(submit(commands, fence));
  pending_ = true;
  VkResult result = waitForFence(timeout);
  if (result == VK_TIMEOUT)
    return Status(StatusCode::Device,
                  concat("'", name(), "' did not finish within ",
                         std::chrono::duration<double>(timeout).count(),
                         " seconds"));
  // A lost device is done with everything.
  pending_ = result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
  RUNG_RETURN_IF_ERROR(toStatus(result, "vkWaitForFences"));
  return toStatus(table_.vkResetFences(handle(), 1, &fence), "vkResetFences");
}

bool Device::isIdleWithin(std::chrono::nanoseconds timeout) {
  if (abandoned_)
    return false;
  if (!pending_)
    return true;
  VkFence fence = fence_.get();
  VkResult result =
      table_.vkWaitForFences(handle(), 1, &fence,
                             /*waitAll=*/VK_TRUE, uint64_t(timeout.count()));
  pending_ = result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
  return !pending_;
}

} // namespace rung
