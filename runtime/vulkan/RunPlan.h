//===- RunPlan.h - a schedule with its sizes known --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_RUNPLAN_H
#define RUNG_RUNTIME_VULKAN_RUNPLAN_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/DeviceSnapshot.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace rung {

/// What a run asks for.
struct RunShape {
  uint32_t steps = 1; ///< T
  uint32_t batch = 1; ///< B
  /// Bytes that the run's buffers may take, those of weights aside.
  uint64_t memoryLimit = std::numeric_limits<uint64_t>::max();
  /// Steps of a segment of time, rounded up to what the device can address; 0:
  /// all that memory allows.
  uint32_t segmentSteps = 0;
};

/// A part of a storage, which kernels see as a buffer.
struct PlannedRegion {
  uint32_t storage = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// A dispatch with at least one workgroup.
struct PlannedDispatch {
  const fb::Command *command = nullptr; ///< In the bundle.
  std::array<uint32_t, 3> groups{};
  uint32_t steps = 0;      ///< T of its segment.
  uint32_t iterations = 1; ///< Of the repeat it is in.
  uint32_t position = 0;   ///< In that repeat's body.
  /// Its workgroups wait for one another: nothing else runs meanwhile, which
  /// could keep some of them from the device.
  bool alone = false;
  std::vector<uint32_t> regions; ///< One an argument of the command.
};

/// Dispatches in their order, done for each iteration that they have.
struct PlannedCommands {
  uint32_t iterations = 1; ///< The most that one of them has.
  std::vector<PlannedDispatch> dispatches;
};

/// One function's schedule for one T and B: every size is evaluated and within
/// the device's limits, so that a driver sees nothing that it could refuse but
/// for want of memory.
///
/// Where the function allows it and memory or the caller demand it, the steps
/// are cut into segments: each command then runs once a segment, in the order
/// of a pipeline, with scratch for a few segments only. The results are the
/// same bits as those of shorter runs one after the other.
struct RunPlan {
  uint32_t steps = 0;
  uint32_t batch = 0;
  uint32_t segments = 1;
  /// Of each of the schedule's buffers, then of states between segments.
  std::vector<uint64_t> storageBytes;
  std::vector<PlannedRegion> regions; ///< Two of them are apart, or the same.
  std::vector<PlannedCommands> commands;

  /// Fails with ResourceExhausted for what \p device has too little of, and
  /// with InvalidArgument for a T and B that no device could run.
  static Result<RunPlan> make(const DeviceSnapshot &device,
                              const fb::Variant &variant,
                              const fb::Schedule &schedule,
                              const fb::Function &function,
                              const RunShape &shape);
};

/// The value of a push constant in one iteration of the enclosing repeat.
uint32_t pushValue(const fb::Push &push, uint32_t steps, uint32_t batch,
                   uint32_t iteration);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_RUNPLAN_H
