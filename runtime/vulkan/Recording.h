//===- Recording.h - a run as a command buffer ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_RECORDING_H
#define RUNG_RUNTIME_VULKAN_RECORDING_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/DescriptorSets.h"
#include "runtime/vulkan/FunctionBuffers.h"
#include "runtime/vulkan/Pipeline.h"
#include "runtime/vulkan/RunPlan.h"
#include "runtime/vulkan/Timestamps.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rung {

/// The marks in a recording's timestamps.
enum RecordingMark : uint32_t {
  kMarkBegin,
  kMarkUploaded,
  kMarkComputed,
  kMarkDownloaded,
  kMarkCount
};

/// One run recorded as one command buffer: uploads, every dispatch with
/// repeats unrolled, barriers where hazards are, downloads.
class Recording {
public:
  Recording() = default;
  static Result<Recording> create(Device &device);

  /// Replaces what is recorded. The device must be idle.
  Status record(const Device &device, const RunPlan &plan,
                const FunctionBuffers &buffers,
                std::span<const Pipeline> pipelines);

  VkCommandBuffer commands() const { return commands_; }
  const Timestamps &timestamps() const { return timestamps_; }
  /// Between kernels, of the last recording.
  uint64_t barriers() const { return barriers_; }

private:
  VkCommandBuffer commands_ = VK_NULL_HANDLE; // Owned by the device's pool.
  Timestamps timestamps_;
  DescriptorSets sets_;
  uint64_t barriers_ = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_RECORDING_H
