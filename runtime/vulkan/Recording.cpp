//===- Recording.cpp - a run as a command buffer ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Recording.h"

#include "runtime/vulkan/Commands.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/HazardTracker.h"

namespace rung {

namespace {

/// Before and behind the uploads, and before and behind the downloads.
constexpr uint32_t kMostTimestamps = 4;

std::vector<BufferAccess> accessesOf(const PlannedDispatch &dispatch) {
  std::vector<BufferAccess> accesses;
  for (uint32_t i = 0; i < dispatch.regions.size(); ++i) {
    const fb::Access access = dispatch.command->arguments()->Get(i)->access();
    accesses.push_back({.buffer = dispatch.regions[i],
                        .reads = access != fb::Access::Write,
                        .writes = access != fb::Access::Read});
  }
  return accesses;
}

/// Records the dispatches of a plan.
class DispatchRecorder {
public:
  DispatchRecorder(const Device &device, VkCommandBuffer commands,
                   const RunPlan &plan, std::span<const Pipeline> pipelines)
      : device_(device), commands_(commands), plan_(plan),
        pipelines_(pipelines), hazards_(plan.regions.size()) {}

  /// \p sets has one for each dispatch of the plan, in order.
  void record(const DescriptorSets &sets) {
    size_t first = 0;
    for (const PlannedCommands &group : plan_.commands) {
      std::vector<std::vector<BufferAccess>> accesses;
      for (const PlannedDispatch &dispatch : group.dispatches)
        accesses.push_back(accessesOf(dispatch));
      for (uint32_t step = 0; step < group.iterations; ++step)
        for (size_t i = 0; i < group.dispatches.size(); ++i)
          if (step < group.dispatches[i].iterations)
            recordDispatch(group.dispatches[i], accesses[i], sets[first + i],
                           step);
      first += group.dispatches.size();
    }
  }

  uint64_t barriers() const { return barriers_; }

private:
  void recordDispatch(const PlannedDispatch &dispatch,
                      std::span<const BufferAccess> accesses,
                      VkDescriptorSet set, uint32_t step) {
    const DeviceTable &vk = device_.vk();
    const Pipeline &pipeline = pipelines_[dispatch.command->kernel()];
    const bool apart = current_ && (dispatch.alone || afterAlone_);
    afterAlone_ = dispatch.alone;
    if (apart)
      hazards_.addBarrier();
    if (hazards_.needsBarrier(accesses) || apart) {
      recordBarrier(device_, commands_, Actor::Kernel, Actor::Kernel);
      ++barriers_;
    }
    if (&pipeline != current_)
      vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE,
                           pipeline.handle());
    current_ = &pipeline;
    vk.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE,
                               pipeline.layout(), /*firstSet=*/0, 1, &set,
                               /*dynamicOffsetCount=*/0, nullptr);
    push_.clear();
    for (const fb::Push *push : *dispatch.command->push())
      push_.push_back(pushValue(*push, dispatch.steps, plan_.batch, step));
    if (!push_.empty())
      vk.vkCmdPushConstants(commands_, pipeline.layout(),
                            VK_SHADER_STAGE_COMPUTE_BIT, /*offset=*/0,
                            uint32_t(push_.size() * sizeof(uint32_t)),
                            push_.data());
    vk.vkCmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1],
                     dispatch.groups[2]);
  }

  const Device &device_;
  VkCommandBuffer commands_;
  const RunPlan &plan_;
  std::span<const Pipeline> pipelines_;
  HazardTracker hazards_;
  const Pipeline *current_ = nullptr;
  bool afterAlone_ = false;
  std::vector<uint32_t> push_;
  uint64_t barriers_ = 0;
};

Result<DescriptorSets> createSets(const Device &device, const RunPlan &plan,
                                  const FunctionBuffers &buffers,
                                  std::span<const Pipeline> pipelines) {
  std::vector<SetContents> contents;
  for (const PlannedCommands &group : plan.commands)
    for (const PlannedDispatch &dispatch : group.dispatches) {
      SetContents set = {pipelines[dispatch.command->kernel()].setLayout()};
      for (uint32_t region : dispatch.regions)
        set.buffers.push_back(buffers.bound(plan.regions[region]));
      contents.push_back(std::move(set));
    }
  return DescriptorSets::create(device, contents);
}

} // namespace

Result<Recording> Recording::create(Device &device, bool clock) {
  Recording recording;
  RUNG_ASSIGN_OR_RETURN(recording.commands_, device.allocateCommands());
  RUNG_ASSIGN_OR_RETURN(
      recording.timestamps_,
      Timestamps::create(device, clock ? kMostTimestamps : 0));
  return recording;
}

Status Recording::record(const Device &device, const RunPlan &plan,
                         const FunctionBuffers &buffers,
                         std::span<const Pipeline> pipelines) {
  // The old commands refer to the old sets, so they go first.
  RUNG_RETURN_IF_ERROR(beginCommands(device, commands_));
  RUNG_ASSIGN_OR_RETURN(sets_, createSets(device, plan, buffers, pipelines));
  copies_ = buffers.copies();
  timestamps_.reset(device, commands_);
  if (copies_)
    timestamps_.mark(device, commands_);
  buffers.recordUploads(device, commands_, plan);
  timestamps_.mark(device, commands_);
  DispatchRecorder recorder(device, commands_, plan, pipelines);
  recorder.record(sets_);
  barriers_ = recorder.barriers();
  timestamps_.mark(device, commands_);
  buffers.recordDownloads(device, commands_, plan);
  if (copies_)
    timestamps_.mark(device, commands_);
  return endCommands(device, commands_);
}

Result<RunTimes> Recording::times(const Device &device) const {
  RUNG_ASSIGN_OR_RETURN(std::vector<double> intervals,
                        timestamps_.read(device));
  RunTimes times;
  if (intervals.size() == 1)
    times.deviceMs = intervals[0];
  if (intervals.size() == 3) {
    times.deviceMs = intervals[1];
    times.transferMs = intervals[0] + intervals[2];
  }
  return times;
}

} // namespace rung
