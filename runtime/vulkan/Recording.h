//===- Recording.h - a run as a command buffer ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_RECORDING_H
#define RUNG_RUNTIME_VULKAN_RECORDING_H

#include "runtime/api/Backend.h"
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

/// One run recorded as one command buffer: uploads, every dispatch with
/// repeats unrolled, barriers where hazards are, downloads.
class Recording {
public:
  Recording() = default;
  /// With \p clock the device's times are taken; that lengthens short runs.
  static Result<Recording> create(Device &device, bool clock);

  /// Replaces what is recorded. The device must be idle.
  Status record(const Device &device, const RunPlan &plan,
                const FunctionBuffers &buffers,
                std::span<const Pipeline> pipelines);

  VkCommandBuffer commands() const { return commands_; }
  /// After the commands are done: where the device's time went; `deviceMs` is
  /// negative without a clock.
  Result<RunTimes> times(const Device &device) const;
  /// Between kernels, of the last recording.
  uint64_t barriers() const { return barriers_; }

private:
  VkCommandBuffer commands_ = VK_NULL_HANDLE; // Owned by the device's pool.
  Timestamps timestamps_;
  bool copies_ = false; ///< Inputs or outputs are copied on the device.
  DescriptorSets sets_;
  uint64_t barriers_ = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_RECORDING_H
