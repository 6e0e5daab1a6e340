//===- Allocator.cpp - one allocation a buffer ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Allocator.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Handles.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <optional>

namespace rung {

namespace {

class DedicatedMemory final : public BufferMemory {
public:
  DedicatedMemory(UniqueMemory memory, std::byte *mapped)
      : memory_(std::move(memory)), mapped_(mapped) {}
  std::byte *mapped() const override { return mapped_; }

private:
  UniqueMemory memory_; // Freeing it unmaps it.
  std::byte *mapped_;
};

class DedicatedAllocator final : public Allocator {
public:
  explicit DedicatedAllocator(const AllocatorContext &context)
      : context_(context) {
    context.instance->vk().vkGetPhysicalDeviceMemoryProperties(
        context.physicalDevice, &properties_);
  }

  Result<std::unique_ptr<BufferMemory>> bind(VkBuffer buffer,
                                             MemoryUse use) override {
    const DeviceTable &vk = *context_.vk;
    VkMemoryRequirements needs;
    vk.vkGetBufferMemoryRequirements(context_.device, buffer, &needs);
    const MemoryFlags flags = flagsFor(use);
    std::optional<uint32_t> type = findType(needs.memoryTypeBits, flags);
    if (!type)
      return Status(StatusCode::Unsupported,
                    concat("none of the ", properties_.memoryTypeCount,
                           " memory types has the properties ",
                           flags.required));

    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    info.memoryTypeIndex = *type;
    VkDeviceMemory handle = VK_NULL_HANDLE;
    RUNG_RETURN_IF_ERROR(
        toStatus(vk.vkAllocateMemory(context_.device, &info,
                                     /*pAllocator=*/nullptr, &handle),
                 "vkAllocateMemory"));
    UniqueMemory memory(handle, {context_.device, &vk});
    RUNG_RETURN_IF_ERROR(toStatus(
        vk.vkBindBufferMemory(context_.device, buffer, handle, /*offset=*/0),
        "vkBindBufferMemory"));
    void *mapped = nullptr;
    if (use != MemoryUse::Device)
      RUNG_RETURN_IF_ERROR(
          toStatus(vk.vkMapMemory(context_.device, handle, /*offset=*/0,
                                  VK_WHOLE_SIZE, /*flags=*/0, &mapped),
                   "vkMapMemory"));
    return std::unique_ptr<BufferMemory>(std::make_unique<DedicatedMemory>(
        std::move(memory), static_cast<std::byte *>(mapped)));
  }

private:
  std::optional<uint32_t> findType(uint32_t allowed, MemoryFlags flags) const {
    for (VkMemoryPropertyFlags wanted :
         {flags.required | flags.preferred, flags.required})
      for (uint32_t i = 0; i < properties_.memoryTypeCount; ++i)
        if ((allowed >> i & 1) &&
            (properties_.memoryTypes[i].propertyFlags & wanted) == wanted)
          return i;
    return std::nullopt;
  }

  AllocatorContext context_;
  VkPhysicalDeviceMemoryProperties properties_{};
};

} // namespace

MemoryFlags flagsFor(MemoryUse use) {
  constexpr VkMemoryPropertyFlags kMapped =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (use) {
  case MemoryUse::Device:
    return {.required = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
  case MemoryUse::Upload:
    return {.required = kMapped};
  case MemoryUse::Feed:
    return {.required = kMapped,
            .preferred = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
  case MemoryUse::Readback:
    return {.required = kMapped,
            .preferred = VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
  case MemoryUse::Shared:
    return {.required = kMapped | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
            .preferred = VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
  }
  return {};
}

Result<std::unique_ptr<Allocator>>
createDedicatedAllocator(const AllocatorContext &context) {
  return std::unique_ptr<Allocator>(
      std::make_unique<DedicatedAllocator>(context));
}

Allocator::Kind Allocator::defaultKind() { return kinds().back(); }

std::vector<Allocator::Kind> Allocator::kinds() {
#if RUNG_HAVE_VMA
  return {Kind::Dedicated, Kind::Pooled};
#else
  return {Kind::Dedicated};
#endif
}

Result<std::unique_ptr<Allocator>>
Allocator::create(Kind kind, const AllocatorContext &context) {
#if RUNG_HAVE_VMA
  if (kind == Kind::Pooled)
    return createPooledAllocator(context);
#else
  if (kind == Kind::Pooled)
    return Status(StatusCode::Unsupported,
                  "this build has no VulkanMemoryAllocator");
#endif
  return createDedicatedAllocator(context);
}

} // namespace rung
