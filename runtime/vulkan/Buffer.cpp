//===- Buffer.cpp - a buffer and its memory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Buffer.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

namespace rung {

static Result<UniqueBuffer> createHandle(const Device &device, uint64_t size) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(device.vk().vkCreateBuffer(device.handle(), &info,
                                          /*pAllocator=*/nullptr, &handle),
               "vkCreateBuffer"));
  return UniqueBuffer(handle, device.deleter<&DeviceTable::vkDestroyBuffer>());
}

Result<Buffer> Buffer::create(const Device &device, uint64_t size,
                              MemoryUse use) {
  Buffer buffer;
  buffer.size_ = roundedSize(size);
  const std::string context =
      concat("allocating ", buffer.size_, " bytes on '", device.name(), "'");
  RUNG_ASSIGN_OR_RETURN(buffer.handle_,
                        createHandle(device, buffer.size_).while_(context));
  RUNG_ASSIGN_OR_RETURN(
      buffer.memory_,
      device.allocator().bind(buffer.handle(), use).while_(context));
  return buffer;
}

std::span<std::byte> Buffer::mapped() const {
  std::byte *data = memory_ ? memory_->mapped() : nullptr;
  return data ? std::span(data, size_) : std::span<std::byte>();
}

} // namespace rung
