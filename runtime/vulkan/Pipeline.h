//===- Pipeline.h - a kernel made ready to run ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_PIPELINE_H
#define RUNG_RUNTIME_VULKAN_PIPELINE_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/Handles.h"

#include <cstdint>

namespace rung {

class Device;

/// A compute pipeline with its layouts: one descriptor set of storage buffers
/// and one block of push constants.
class Pipeline {
public:
  /// Compiles \p kernel; \p cache may be null. Takes long on some drivers.
  static Result<Pipeline> create(const Device &device, const fb::Kernel &kernel,
                                 VkPipelineCache cache);

  VkPipeline handle() const { return pipeline_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout setLayout() const { return setLayout_.get(); }
  uint32_t bindings() const { return bindings_; }

private:
  Status createSetLayout(const Device &device, const fb::Kernel &kernel);
  Status createLayout(const Device &device, const fb::Kernel &kernel);
  Status createPipeline(const Device &device, const fb::Kernel &kernel,
                        VkPipelineCache cache);

  uint32_t bindings_ = 0;
  UniqueDescriptorSetLayout setLayout_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_PIPELINE_H
