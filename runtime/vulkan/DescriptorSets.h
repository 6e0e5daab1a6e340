//===- DescriptorSets.h - what each dispatch works on -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_DESCRIPTORSETS_H
#define RUNG_RUNTIME_VULKAN_DESCRIPTORSETS_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Handles.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rung {

class Device;

/// The part of a buffer that kernels see.
struct BoundBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t size = 0;
  uint64_t offset = 0;
};

/// The buffers of one dispatch, in the order of the kernel's bindings.
struct SetContents {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  std::vector<BoundBuffer> buffers;
};

/// Descriptor sets that are made, and go, together.
class DescriptorSets {
public:
  DescriptorSets() = default;
  static Result<DescriptorSets> create(const Device &device,
                                       std::span<const SetContents> contents);

  /// One for each of the contents.
  VkDescriptorSet operator[](size_t index) const { return sets_[index]; }

private:
  UniqueDescriptorPool pool_; // Owns the sets.
  std::vector<VkDescriptorSet> sets_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_DESCRIPTORSETS_H
