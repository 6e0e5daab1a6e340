//===- SegmentLayout.h - the memory of a run in segments --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_SEGMENTLAYOUT_H
#define RUNG_RUNTIME_VULKAN_SEGMENTLAYOUT_H

#include "runtime/bundle/TimeSegments.h"
#include "runtime/vulkan/RunPlan.h"

#include <cstdint>
#include <vector>

namespace rung {

/// Where each segment of a run finds each buffer of its schedule.
class SegmentLayout {
public:
  SegmentLayout(const DeviceSnapshot &device, const fb::Schedule &schedule,
                const TimeStages &stages, const RunShape &shape)
      : device_(device), schedule_(schedule), stages_(stages), shape_(shape) {}

  /// The fewest steps, a power of two, after which every port with time is at
  /// an address that kernels can be given.
  Result<uint32_t> unit() const;

  /// Lays out segments of \p steps, a multiple of the unit but for a run in one
  /// segment. Fails with ResourceExhausted for sizes over a limit.
  Status place(uint32_t steps);

  uint32_t segments() const { return segments_; }
  uint32_t stepsOf(uint32_t segment) const;
  /// The region that \p buffer is in \p segment.
  uint32_t region(uint32_t buffer, uint32_t segment) const;

  std::vector<uint64_t> takeStorage() { return std::move(storageBytes_); }
  std::vector<PlannedRegion> takeRegions() { return std::move(regions_); }

private:
  Result<uint64_t> bytesOf(uint32_t buffer, uint32_t steps) const;
  Status placeBuffer(uint32_t buffer);
  Status placePort(uint32_t buffer);
  Status placeSlots(uint32_t buffer, uint32_t slots);
  Status addSlots(uint32_t storage, uint64_t bytes, uint32_t slots);
  Status checkStorage(uint32_t storage, uint64_t bytes, uint64_t region) const;
  Status checkTotal() const;

  const DeviceSnapshot &device_;
  const fb::Schedule &schedule_;
  const TimeStages &stages_;
  RunShape shape_;
  uint32_t steps_ = 0, segments_ = 1;
  /// Of each buffer, then of each chain of states: its first region, and how
  /// many there are; segments take them in turn.
  struct Regions {
    uint32_t first = 0, count = 1;
  };
  std::vector<Regions> placed_;
  std::vector<uint64_t> storageBytes_;
  std::vector<PlannedRegion> regions_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_SEGMENTLAYOUT_H
