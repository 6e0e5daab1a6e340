//===- Executor.h - runs one variant of a bundle ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_EXECUTOR_H
#define RUNG_RUNTIME_VULKAN_EXECUTOR_H

#include "runtime/api/Backend.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Reader.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/FunctionBuffers.h"
#include "runtime/vulkan/PackedWeights.h"
#include "runtime/vulkan/Pipeline.h"
#include "runtime/vulkan/Recording.h"
#include "runtime/vulkan/RunPlan.h"
#include "runtime/vulkan/StepStream.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rung {

struct ExecutorOptions {
  /// Longest that one submission may take.
  std::chrono::nanoseconds timeout = std::chrono::seconds(600);
  /// Whether runs take times by the device's clock.
  bool clock = true;
  PortOptions ports;
  /// Bytes of the device that weights and one function's buffers may take; 0:
  /// what the device has.
  uint64_t memoryLimit = 0;
  /// As RunShape's.
  uint32_t segmentSteps = 0;
  /// Folder of the pipeline cache; empty: none.
  std::string cacheFolder;
};

/// The variant that the device's plan names, compiled, with its weights on the
/// device. A run is one submission; what was recorded for a function is used
/// again as long as T and B stay the same.
///
/// After an error of the device (code Device) nothing runs any more.
class Executor {
public:
  /// \p device and \p bundle must outlive the executor.
  static Result<std::unique_ptr<Executor>>
  create(Device &device, const BundleReader &bundle, ExecutorOptions options);

  Result<RunTimes> run(const RunRequest &request);

  /// As Backend's.
  Result<std::unique_ptr<BackendStream>> openStream(const RunRequest &request);

  /// Ends what streams have submitted; before the device's end.
  void endStreams() { streams_.clear(); }

  MemoryUsed memory() const;

  /// How often commands were recorded, for all functions together.
  uint64_t recordings() const { return recordings_; }
  /// Barriers between the kernels of the last run of \p function.
  uint64_t barriers(uint32_t function) const {
    return functions_.at(variant().schedules()->Get(function))
        ->recording.barriers();
  }

private:
  struct FunctionState {
    FunctionBuffers buffers;
    Recording recording;
    /// What is recorded; none until a recording succeeds.
    std::optional<RunPlan> plan;
  };

  Executor(Device &device, const BundleReader &bundle, ExecutorOptions options)
      : device_(device), bundle_(bundle), options_(std::move(options)) {
    options_.ports.unified &= device.snapshot().unifiedMemory;
  }

  const fb::Variant &variant() const {
    return *bundle_.root().variants()->Get(
        static_cast<uint32_t>(device_.plan().variant));
  }
  Status createPipelines();
  /// The function's schedule, or the one for runs of a single row.
  const fb::Schedule &scheduleOf(const RunRequest &request) const;
  Result<FunctionState *> prepare(const RunRequest &request);
  uint64_t memoryFor(const FunctionState &state) const;
  Status record(FunctionState &state, const RunRequest &request);
  Result<RunTimes> runChecked(const RunRequest &request);
  bool isStream(uint32_t function) const {
    return StepStream::isFor(*variant().schedules()->Get(function));
  }
  Result<std::unique_ptr<StepStream>> makeStream(const RunRequest &request);
  Result<RunTimes> runSteps(const RunRequest &request);

  Device &device_;
  const BundleReader &bundle_;
  ExecutorOptions options_;
  PackedWeights weights_;
  std::vector<Pipeline> pipelines_;
  std::map<const fb::Schedule *, std::unique_ptr<FunctionState>> functions_;
  std::vector<std::unique_ptr<StepStream>> streams_; ///< For runs of them.
  uint64_t recordings_ = 0;
  Status broken_; ///< The device's error, if it had one.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_EXECUTOR_H
