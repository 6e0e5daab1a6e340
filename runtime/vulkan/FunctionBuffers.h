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

/// How inputs and outputs come to the device and back.
struct PortOptions {
  /// Host and kernels use the same memory. For devices that have it.
  bool unified = true;
  /// Elsewhere, ports up to that size lie where both can reach them: kernels
  /// read inputs from memory that the host writes through, and write outputs
  /// into the host's. A copy on the device takes longer than that, whatever
  /// its size; larger ports and outputs that kernels read are copied.
  uint64_t mappedBytes = uint64_t(64) << 10;
};

/// The buffers of one function's schedule. They grow and never shrink, so that
/// runs of changing T and B soon allocate nothing.
class FunctionBuffers {
public:
  FunctionBuffers(const fb::Schedule &schedule, const PackedWeights &weights,
                  const PortOptions &options);

  /// Makes room for \p plan within \p limit bytes, which the plan keeps.
  /// Buffers that are too small are replaced, all of them where they would
  /// exceed the limit together; then nothing recorded before may be submitted
  /// again.
  Status grow(const Device &device, const RunPlan &plan, uint64_t limit);

  /// A region of the plan as kernels are given it.
  BoundBuffer bound(const PlannedRegion &region) const;

  /// Bytes of the buffers that kernels use.
  uint64_t deviceBytes() const;
  /// Bytes of the buffers that are only copied from and to.
  uint64_t stagingBytes() const;

  /// Whether any port is copied on the device.
  bool copies() const;

  /// Copies between staging buffers and those that kernels use, and what makes
  /// outputs visible to the host. Progress buffers that
  /// the host does not reach are zeroed and read so.
  void recordUploads(const Device &device, VkCommandBuffer commands,
                     const RunPlan &plan) const;
  void recordDownloads(const Device &device, VkCommandBuffer commands,
                       const RunPlan &plan) const;

  /// Copies between the caller's memory and what the host can see.
  void writeInputs(const RunPlan &plan, const RunRequest &request) const;
  void readOutputs(const RunRequest &request) const;

  /// Zeroes progress buffers that the host reaches; before every submission.
  void clearProgress(const RunPlan &plan) const;
  /// After a run: an error if a workgroup waited for another in vain.
  Status checkProgress(const RunPlan &plan) const;

private:
  /// Where a port's bytes are for the host.
  enum class Place { None, Staged, Direct };

  const fb::Buffer &entry(uint32_t index) const {
    return *schedule_->buffers()->Get(index);
  }
  /// Behind the schedule's buffers lie states between segments.
  fb::BufferRole role(uint32_t index) const {
    return index < count() ? entry(index).role() : fb::BufferRole::Scratch;
  }
  uint32_t count() const { return schedule_->buffers()->size(); }
  const Buffer &hostSide(uint32_t index) const {
    return places_[index] == Place::Staged ? staging_[index] : buffers_[index];
  }
  bool isStaged(uint32_t index, fb::BufferRole role) const {
    return entry(index).role() == role && places_[index] == Place::Staged;
  }
  Place placeFor(uint32_t index, uint64_t size) const;
  MemoryUse useFor(uint32_t index, Place place) const;
  bool isProgress(uint32_t index) const {
    return entry(index).role() == fb::BufferRole::Progress;
  }
  /// Whether the host reads it after a run.
  bool isResult(uint32_t index) const {
    return entry(index).role() == fb::BufferRole::Output || isProgress(index);
  }
  uint64_t growthFor(const RunPlan &plan) const;
  Status growBuffer(const Device &device, uint32_t index, uint64_t size);

  const fb::Schedule *schedule_;
  const PackedWeights *weights_;
  PortOptions options_;
  std::vector<bool> isRead_; ///< By some kernel.
  std::vector<Place> places_;
  std::vector<Buffer> buffers_; ///< None for packed ones.
  std::vector<Buffer> staging_; ///< Of what is copied.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_FUNCTIONBUFFERS_H
