//===- HazardTracker.h - where barriers must stand --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_HAZARDTRACKER_H
#define RUNG_RUNTIME_VULKAN_HAZARDTRACKER_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rung {

/// How a dispatch uses one buffer.
struct BufferAccess {
  uint32_t buffer = 0;
  bool reads = false;
  bool writes = false;
};

/// Follows the dispatches of a command buffer and says before which of them a
/// barrier must stand. A barrier is taken to order everything before it against
/// everything after it.
class HazardTracker {
public:
  explicit HazardTracker(size_t buffers) : states_(buffers) {}

  /// True if the dispatch reads what an earlier one since the last barrier
  /// writes, or writes what an earlier one reads or writes. The caller then
  /// records a barrier in front of it.
  bool needsBarrier(std::span<const BufferAccess> accesses) {
    bool hazard = false;
    for (const BufferAccess &access : accesses) {
      const State &state = states_[access.buffer];
      const bool written = state.writtenIn == epoch_;
      const bool read = state.readIn == epoch_;
      hazard |=
          (access.reads && written) || (access.writes && (written || read));
    }
    if (hazard)
      ++epoch_;
    for (const BufferAccess &access : accesses) {
      State &state = states_[access.buffer];
      if (access.reads)
        state.readIn = epoch_;
      if (access.writes)
        state.writtenIn = epoch_;
    }
    return hazard;
  }

  /// The caller records a barrier for a reason of its own.
  void addBarrier() { ++epoch_; }

private:
  /// The last epoch, the time between two barriers, of each kind of access.
  struct State {
    uint64_t readIn = 0;
    uint64_t writtenIn = 0;
  };
  std::vector<State> states_;
  uint64_t epoch_ = 1;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_HAZARDTRACKER_H
