//===- StepStream.h - steps that await their input on the device *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_STEPSTREAM_H
#define RUNG_RUNTIME_VULKAN_STEPSTREAM_H

#include "runtime/api/Backend.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/Buffer.h"
#include "runtime/vulkan/DescriptorSets.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/PackedWeights.h"
#include "runtime/vulkan/Pipeline.h"
#include "runtime/vulkan/RunPlan.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace rung {

/// A stream of steps of one row. Many are submitted ahead, one dispatch each,
/// and each awaits its number in memory of the device that the host writes into
/// while kernels run: no submission lies between a step's input and its output.
/// Outputs come as words of the host's memory that carry the number.
///
/// A dispatch that waits in vain ends, and so do all behind it; the next step
/// submits anew. A step reads its states from one set of buffers and writes the
/// other, so that one that was begun in part is simply done again.
class StepStream final : public BackendStream {
public:
  /// Whether \p schedule is a stream's.
  static bool isFor(const fb::Schedule &schedule);

  /// The rest must outlive the stream.
  static Result<std::unique_ptr<StepStream>>
  create(Device &device, const fb::Variant &variant,
         const fb::Schedule &schedule, const fb::Function &function,
         const PackedWeights &weights, std::span<const Pipeline> pipelines,
         std::chrono::nanoseconds timeout);
  ~StepStream() override;

  /// Ends what is submitted. Fails if the device does not come to an end.
  Status pause();
  /// Sets the states of \p request, zeros where it has none. Pauses.
  Status setStates(const RunRequest &request);
  /// Reads the states into the outputs of \p request that have room. Pauses.
  Status states(const RunRequest &request) override;
  /// Step \p at of \p request: of its inputs and outputs that are no states.
  Status step(const RunRequest &request, uint32_t at);
  Status step(const RunRequest &request) override { return step(request, 0); }

  uint64_t deviceBytes() const;

private:
  struct Port {
    uint32_t port = 0, buffer = 0; ///< Of the function, of the schedule.
    uint64_t bytes = 0;            ///< Of one step.
    uint32_t elementBytes = 0;
  };
  struct State {
    uint32_t input = 0, output = 0;             ///< Ports.
    uint32_t inputBuffer = 0, outputBuffer = 0; ///< Of the schedule.
    std::array<Buffer, 2> memory;
  };
  struct Batch {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    UniqueFence fence;
    bool pending = false;
  };

  StepStream(Device &device, const fb::Schedule &schedule,
             const PackedWeights &weights, std::chrono::nanoseconds timeout)
      : device_(device), schedule_(schedule), weights_(weights),
        timeout_(timeout),
        // A device in software works off in the host's time what is ahead.
        ahead_(device.snapshot().kind == DeviceKind::Cpu ? 8 : 128) {}
  Status makeBuffers(const RunPlan &plan, const fb::Function &function);
  Status makeSets(const RunPlan &plan, std::span<const Pipeline> pipelines);
  BoundBuffer bound(const PlannedRegion &region, uint32_t parity) const;
  Status record(uint32_t batch);
  Status submit(uint32_t batch);
  Status finish(Batch &batch);
  /// Pauses, and submits both batches from the next step on.
  Status resume();

  /// Of the step that is next.
  uint32_t number() const { return uint32_t(done_ % (2 * ahead_)) + 1; }
  Status submitAhead();
  void writeInputs(const RunRequest &request, uint32_t at);
  void announce();
  Result<bool> awaitOutputs(const RunRequest &request, uint32_t at);
  bool gaveUp() const;

  Device &device_;
  const fb::Schedule &schedule_;
  const PackedWeights &weights_;
  std::chrono::nanoseconds timeout_;
  /// Steps that one command buffer holds; even, so that it can be submitted
  /// again.
  uint32_t ahead_;
  RunPlan plan_;
  const Pipeline *pipeline_ = nullptr;
  std::vector<Buffer> buffers_; ///< Of the schedule's, where they are ours.
  std::vector<Port> inputs_, outputs_;
  std::vector<State> states_;
  uint32_t signals_ = 0;
  DescriptorSets sets_; ///< By which of the states' buffers are read.
  std::array<Batch, 2> batches_;
  bool running_ = false;
  uint32_t parity_ = 0; ///< Which buffers hold the states.
  uint32_t first_ = 0;  ///< `parity_` when the batches were recorded.
  uint64_t done_ = 0;   ///< Steps since then.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_STEPSTREAM_H
