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

/// A fixed number of marks in a command buffer, each with the time at which the
/// device was done with all commands before it. On a device without a clock
/// every operation does nothing.
class Timestamps {
public:
  Timestamps() = default;
  static Result<Timestamps> create(const Device &device, uint32_t marks);

  /// Forgets earlier times; comes before the first mark of a command buffer.
  void reset(const Device &device, VkCommandBuffer commands) const;
  void mark(const Device &device, VkCommandBuffer commands,
            uint32_t index) const;

  /// After the commands are done: milliseconds from each mark to the next.
  /// Empty on a device without a clock.
  Result<std::vector<double>> read(const Device &device) const;

private:
  uint32_t marks_ = 0;
  UniqueQueryPool pool_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_TIMESTAMPS_H
