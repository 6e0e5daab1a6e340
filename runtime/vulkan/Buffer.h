//===- Buffer.h - a buffer and its memory -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_BUFFER_H
#define RUNG_RUNTIME_VULKAN_BUFFER_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Allocator.h"
#include "runtime/vulkan/Handles.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace rung {

class Device;

/// Storage that kernels and copies may use. Movable; must not outlive its
/// device, nor be destroyed while the device works with it.
class Buffer {
public:
  Buffer() = default;

  /// Makes a buffer of \p size bytes, rounded up to whole blocks of 16 so that
  /// there always is one and kernels may read it in larger words.
  static Result<Buffer> create(const Device &device, uint64_t size,
                               MemoryUse use);

  VkBuffer handle() const { return handle_.get(); }
  uint64_t size() const { return size_; }
  /// The whole buffer, where the host can see it; otherwise empty.
  std::span<std::byte> mapped() const;

  /// The size that a buffer for \p size bytes has. At most 2^64 - 16 goes in.
  static constexpr uint64_t roundedSize(uint64_t size) {
    return size == 0 ? 16 : (size + 15) / 16 * 16;
  }

private:
  uint64_t size_ = 0;
  std::unique_ptr<BufferMemory> memory_;
  UniqueBuffer handle_; // Destroyed before its memory.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_BUFFER_H
