//===- PooledAllocator.cpp - VulkanMemoryAllocator --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Allocator.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>

#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#define VMA_IMPLEMENTATION
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <vk_mem_alloc.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

namespace rung {

namespace {

struct AllocatorDeleter {
  void operator()(VmaAllocator allocator) const {
    vmaDestroyAllocator(allocator);
  }
};
struct AllocationDeleter {
  VmaAllocator allocator = VK_NULL_HANDLE;
  void operator()(VmaAllocation allocation) const {
    vmaFreeMemory(allocator, allocation);
  }
};
using UniqueAllocator = UniqueHandle<VmaAllocator, AllocatorDeleter>;
using UniqueAllocation = UniqueHandle<VmaAllocation, AllocationDeleter>;

class PooledMemory final : public BufferMemory {
public:
  PooledMemory(UniqueAllocation allocation, void *mapped)
      : allocation_(std::move(allocation)),
        mapped_(static_cast<std::byte *>(mapped)) {}
  std::byte *mapped() const override { return mapped_; }

private:
  UniqueAllocation allocation_;
  std::byte *mapped_;
};

class PooledAllocator final : public Allocator {
public:
  explicit PooledAllocator(UniqueAllocator allocator)
      : allocator_(std::move(allocator)) {}

  Result<std::unique_ptr<BufferMemory>> bind(VkBuffer buffer,
                                             MemoryUse use) override {
    const MemoryFlags flags = flagsFor(use);
    VmaAllocationCreateInfo info = {};
    info.requiredFlags = flags.required;
    info.preferredFlags = flags.preferred;
    if (use != MemoryUse::Device)
      info.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
    VmaAllocation handle = VK_NULL_HANDLE;
    VmaAllocationInfo details = {};
    RUNG_RETURN_IF_ERROR(
        toStatus(vmaAllocateMemoryForBuffer(allocator_.get(), buffer, &info,
                                            &handle, &details),
                 "vmaAllocateMemoryForBuffer"));
    UniqueAllocation allocation(handle, {allocator_.get()});
    RUNG_RETURN_IF_ERROR(
        toStatus(vmaBindBufferMemory(allocator_.get(), handle, buffer),
                 "vmaBindBufferMemory"));
    return std::unique_ptr<BufferMemory>(std::make_unique<PooledMemory>(
        std::move(allocation), details.pMappedData));
  }

private:
  UniqueAllocator allocator_;
};

} // namespace

Result<std::unique_ptr<Allocator>>
createPooledAllocator(const AllocatorContext &context) {
  VmaVulkanFunctions functions = {};
  functions.vkGetInstanceProcAddr =
      context.instance->vk().vkGetInstanceProcAddr;
  functions.vkGetDeviceProcAddr = context.instance->vk().vkGetDeviceProcAddr;
  VmaAllocatorCreateInfo info = {};
  // One thread at a time uses a session.
  info.flags = VMA_ALLOCATOR_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  info.physicalDevice = context.physicalDevice;
  info.device = context.device;
  info.instance = context.instance->handle();
  info.vulkanApiVersion = VK_API_VERSION_1_2;
  info.pVulkanFunctions = &functions;
  VmaAllocator handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(vmaCreateAllocator(&info, &handle), "vmaCreateAllocator"));
  return std::unique_ptr<Allocator>(
      std::make_unique<PooledAllocator>(UniqueAllocator(handle, {})));
}

} // namespace rung
