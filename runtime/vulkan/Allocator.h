//===- Allocator.h - memory for buffers -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_ALLOCATOR_H
#define RUNG_RUNTIME_VULKAN_ALLOCATOR_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Instance.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace rung {

enum class MemoryUse {
  Device,   ///< By the device alone.
  Upload,   ///< Written by the host, copied by the device.
  Feed,     ///< Written by the host, read by kernels where it lies.
  Readback, ///< Written by the device, read by the host.
  Shared,   ///< Used by both in place; unified memory only.
};

/// Memory bound to one buffer; freed with the object, which must not outlive
/// its allocator. Mapped memory is coherent: nothing has to be flushed.
class BufferMemory {
public:
  virtual ~BufferMemory() = default;
  /// Null for MemoryUse::Device.
  virtual std::byte *mapped() const = 0;
};

/// The device that memory comes from; all of it outlives the allocator.
struct AllocatorContext {
  const Instance *instance = nullptr;
  VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  const DeviceTable *vk = nullptr;
};

class Allocator {
public:
  enum class Kind {
    /// One allocation a buffer. Enough for the few dozen long-lived buffers of
    /// a session, and all that there is where VulkanMemoryAllocator is not
    /// packaged (Debian 12).
    Dedicated,
    /// VulkanMemoryAllocator: small buffers share allocations.
    Pooled,
  };
  /// Pooled where this build has it.
  static Kind defaultKind();
  /// All that this build has.
  static std::vector<Kind> kinds();
  static Result<std::unique_ptr<Allocator>> create(Kind kind,
                                                   const AllocatorContext &);

  virtual ~Allocator() = default;

  /// Allocates memory for \p buffer and binds it.
  virtual Result<std::unique_ptr<BufferMemory>> bind(VkBuffer buffer,
                                                     MemoryUse use) = 0;
};

/// Memory properties that a use cannot do without, and those it is faster with.
struct MemoryFlags {
  VkMemoryPropertyFlags required = 0;
  VkMemoryPropertyFlags preferred = 0;
};
MemoryFlags flagsFor(MemoryUse use);

Result<std::unique_ptr<Allocator>>
createDedicatedAllocator(const AllocatorContext &context);
Result<std::unique_ptr<Allocator>>
createPooledAllocator(const AllocatorContext &context);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_ALLOCATOR_H
