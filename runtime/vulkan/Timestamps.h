//===- Timestamps.h - times by the device's own clock -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_TIMESTAMPS_H
#define RUNG_RUNTIME_VULKAN_TIMESTAMPS_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Handles.h"

#include <cstdint>
#include <vector>

namespace rung {

class Device;

/// Milliseconds from one reading of a clock with \p bits significant bits to a
/// later one; the clock may have wrapped around once.
double elapsedMs(uint64_t from, uint64_t to, uint32_t bits,
                 double nanosecondsPerTick);

/// Marks in a command buffer, each with the time at which the device was done
/// with all commands before it. On a device without a clock, and where none are
/// wanted, every operation does nothing.
class Timestamps {
public:
  Timestamps() = default;
  /// Room for \p capacity marks; 0: none are wanted.
  static Result<Timestamps> create(const Device &device, uint32_t capacity);

  /// Forgets earlier marks; comes before the first one of a command buffer.
  void reset(const Device &device, VkCommandBuffer commands);
  void mark(const Device &device, VkCommandBuffer commands);

  /// After the commands are done: milliseconds from each mark to the next.
  /// Empty on a device without a clock.
  Result<std::vector<double>> read(const Device &device) const;

private:
  uint32_t capacity_ = 0;
  uint32_t marks_ = 0; ///< Of what is recorded.
  UniqueQueryPool pool_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_TIMESTAMPS_H
