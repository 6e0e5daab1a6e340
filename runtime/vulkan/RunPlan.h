//===- RunPlan.h - a schedule with its sizes known --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_RUNPLAN_H
#define RUNG_RUNTIME_VULKAN_RUNPLAN_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/DeviceSnapshot.h"

#include <array>
#include <cstdint>
#include <vector>

namespace rung {

/// A dispatch with at least one workgroup.
struct PlannedDispatch {
  const fb::Command *command = nullptr; ///< In the bundle.
  std::array<uint32_t, 3> groups{};
};

/// Dispatches that are done one after the other, `iterations` times.
struct PlannedCommands {
  uint32_t iterations = 1;
  std::vector<PlannedDispatch> dispatches;
};

/// One function's schedule for one T and B: every size is evaluated and within
/// the device's limits, so that a driver sees nothing that it could refuse but
/// for want of memory.
struct RunPlan {
  uint32_t steps = 0;
  uint32_t batch = 0;
  std::vector<uint64_t> bufferBytes; ///< Of each of the schedule's buffers.
  std::vector<PlannedCommands> commands;

  /// Fails with ResourceExhausted for what \p device has too little of, and
  /// with InvalidArgument for a T and B that no device could run.
  static Result<RunPlan> make(const DeviceSnapshot &device,
                              const fb::Variant &variant, uint32_t function,
                              uint32_t steps, uint32_t batch);
};

/// The value of a push constant in one iteration of the enclosing repeat.
uint32_t pushValue(const fb::Push &push, uint32_t steps, uint32_t batch,
                   uint32_t iteration);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_RUNPLAN_H
