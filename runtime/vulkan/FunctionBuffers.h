//===- FunctionBuffers.h - the memory that a function works in --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_FUNCTIONBUFFERS_H
#define RUNG_RUNTIME_VULKAN_FUNCTIONBUFFERS_H

#include "runtime/api/Backend.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/Buffer.h"
#include "runtime/vulkan/DescriptorSets.h"
#include "runtime/vulkan/PackedWeights.h"
#include "runtime/vulkan/RunPlan.h"

#include <cstdint>
#include <vector>

namespace rung {

/// The buffers of one function's schedule. They grow and never shrink, so that
/// runs of changing T and B soon allocate nothing.
class FunctionBuffers {
public:
  /// With \p inPlace the host reads and writes inputs and outputs where kernels
  /// use them; otherwise they are copied from and to staging buffers.
  FunctionBuffers(const fb::Schedule &schedule, const PackedWeights &weights,
                  bool inPlace)
      : schedule_(&schedule), weights_(&weights), inPlace_(inPlace),
        buffers_(schedule.buffers()->size()),
        staging_(schedule.buffers()->size()) {}

  /// Makes room for \p plan. Buffers that are too small are replaced, and then
  /// nothing recorded before may be submitted again.
  Status grow(const Device &device, const RunPlan &plan);

  /// One of the schedule's buffers, as large as the plan makes it.
  BoundBuffer bound(const RunPlan &plan, uint32_t index) const;

  /// Copies between staging buffers and those that kernels use; nothing to do
  /// in place.
  void recordUploads(const Device &device, VkCommandBuffer commands,
                     const RunPlan &plan) const;
  void recordDownloads(const Device &device, VkCommandBuffer commands,
                       const RunPlan &plan) const;

  /// Copies between the caller's memory and what the host can see.
  void writeInputs(const RunRequest &request) const;
  void readOutputs(const RunRequest &request) const;

private:
  const fb::Buffer &entry(uint32_t index) const {
    return *schedule_->buffers()->Get(index);
  }
  uint32_t count() const { return schedule_->buffers()->size(); }
  const Buffer &hostSide(uint32_t index) const {
    return inPlace_ ? buffers_[index] : staging_[index];
  }
  Status checkBudget(const Device &device, const RunPlan &plan) const;

  const fb::Schedule *schedule_;
  const PackedWeights *weights_;
  bool inPlace_;
  std::vector<Buffer> buffers_; ///< None for packed ones.
  std::vector<Buffer> staging_; ///< Of inputs and outputs, if not in place.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_FUNCTIONBUFFERS_H
