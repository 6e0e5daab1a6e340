//===- KernelRunner.cpp - runs single kernels by the device's clock -------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/KernelRunner.h"

#include "runtime/base/Npy.h"
#include "runtime/base/Text.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/Commands.h"
#include "runtime/vulkan/ReadSnapshot.h"
#include "runtime/vulkan/SelectDevice.h"

#include <algorithm>
#include <cstring>

namespace rung::tools {
namespace {

// A device that has been idle needs so long to raise its clock.
constexpr std::chrono::milliseconds kWarmup(150);

/// The kernel as a bundle would hold it.
class BundledKernel {
public:
  explicit BundledKernel(const KernelJob &job) {
    builder_.Finish(fb::CreateKernelDirect(
        builder_, job.name.c_str(), job.entry.c_str(), &job.spirv,
        job.localSize[0], job.localSize[1], job.localSize[2],
        uint32_t(job.buffers.size()),
        uint32_t(job.push.size() * sizeof(uint32_t)), job.subgroupSize));
  }
  const fb::Kernel &get() const {
    return *flatbuffers::GetRoot<fb::Kernel>(builder_.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder builder_;
};

/// Everything that one run of a job is: buffers zeroed, dispatches between two
/// marks.
Status recordRun(const Device &device, VkCommandBuffer commands,
                 const KernelJob &job, const std::vector<Buffer> &buffers,
                 const Pipeline &pipeline, VkDescriptorSet set,
                 Timestamps &timestamps) {
  const DeviceTable &vk = device.vk();
  RUNG_RETURN_IF_ERROR(beginCommands(device, commands));
  timestamps.reset(device, commands);
  for (size_t i = 0; i < buffers.size(); ++i)
    if (job.buffers[i].clear)
      vk.vkCmdFillBuffer(commands, buffers[i].handle(), /*dstOffset=*/0,
                         VK_WHOLE_SIZE, /*data=*/0);
  recordBarrier(device, commands, Actor::Copy, Actor::Kernel);
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                       pipeline.handle());
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                             pipeline.layout(), /*firstSet=*/0, 1, &set,
                             /*dynamicOffsetCount=*/0, nullptr);
  if (!job.push.empty())
    vk.vkCmdPushConstants(
        commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, /*offset=*/0,
        uint32_t(job.push.size() * sizeof(uint32_t)), job.push.data());
  timestamps.mark(device, commands);
  for (uint32_t i = 0; i < job.dispatches; ++i) {
    if (i > 0)
      recordBarrier(device, commands, Actor::Kernel, Actor::Kernel);
    vk.vkCmdDispatch(commands, job.groups[0], job.groups[1], job.groups[2]);
  }
  timestamps.mark(device, commands);
  recordBarrier(device, commands, Actor::Kernel, Actor::Copy);
  return endCommands(device, commands);
}

} // namespace

Result<std::unique_ptr<KernelRunner>>
KernelRunner::open(const std::string &wanted,
                   std::chrono::nanoseconds timeout) {
  std::unique_ptr<KernelRunner> runner(new KernelRunner);
  runner->timeout_ = timeout;
  RUNG_ASSIGN_OR_RETURN(runner->instance_,
                        Instance::create(InstanceOptions::fromEnvironment()));
  RUNG_ASSIGN_OR_RETURN(std::vector<PhysicalDevice> devices,
                        readDevices(*runner->instance_));
  std::vector<const DeviceSnapshot *> snapshots;
  for (const PhysicalDevice &device : devices)
    snapshots.push_back(&device.snapshot);
  RUNG_ASSIGN_OR_RETURN(std::vector<size_t> candidates,
                        selectDevices(snapshots, wanted));
  const PhysicalDevice &chosen = devices[candidates.front()];
  VariantNeeds everything;
  everything.features = chosen.snapshot.features;
  RUNG_ASSIGN_OR_RETURN(
      DevicePlan plan,
      DevicePlan::make(chosen.snapshot, std::span(&everything, 1)));
  RUNG_ASSIGN_OR_RETURN(runner->device_,
                        Device::create(*runner->instance_, chosen, plan));
  RUNG_ASSIGN_OR_RETURN(runner->commands_, runner->device_->allocateCommands());
  RUNG_ASSIGN_OR_RETURN(runner->copies_, runner->device_->allocateCommands());
  return runner;
}

KernelRunner::~KernelRunner() {
  // What the device still works with must not be destroyed.
  if (!device_ || device_->isIdleWithin(timeout_))
    return;
  static_cast<void>(device_.release());
  static_cast<void>(instance_.release());
}

Status KernelRunner::check(const KernelJob &job) const {
  VariantNeeds needs;
  const auto &local = job.localSize;
  needs.workgroupSize = local;
  needs.workgroupInvocations = local[0] * local[1] * local[2];
  needs.pushConstantBytes = uint32_t(job.push.size() * sizeof(uint32_t));
  needs.storageBuffers = uint32_t(job.buffers.size());
  if (job.subgroupSize != 0)
    needs.subgroupSizes = {job.subgroupSize};
  std::vector<std::string> lacks = findLacks(device_->snapshot(), needs);
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t limit =
        device_->snapshot().limits.maxComputeWorkGroupCount[axis];
    if (job.groups[axis] > limit)
      lacks.push_back(concat("groups of axis ", "xyz"[axis], " are ",
                             job.groups[axis], ", more than ", limit));
  }
  if (lacks.empty())
    return Status::ok();
  return Status(StatusCode::Unsupported, joined(lacks));
}

Status
KernelRunner::submitCopies(const std::function<void(VkCommandBuffer)> &record) {
  RUNG_RETURN_IF_ERROR(beginCommands(*device_, copies_));
  record(copies_);
  recordBarrier(*device_, copies_, Actor::Copy, Actor::Kernel);
  recordBarrier(*device_, copies_, Actor::Copy, Actor::Host);
  RUNG_RETURN_IF_ERROR(endCommands(*device_, copies_));
  return device_->submitAndWait(copies_, timeout_);
}

/// Repeats the first \p block bytes of \p buffer up to \p bytes, doubling what
/// is there.
static void recordRepeats(const Device &device, VkCommandBuffer commands,
                          const Buffer &buffer, uint64_t block,
                          uint64_t bytes) {
  for (uint64_t done = block; done < bytes; done *= 2) {
    recordBarrier(device, commands, Actor::Copy, Actor::Copy);
    const VkBufferCopy region = {/*srcOffset=*/0, /*dstOffset=*/done,
                                 std::min(done, bytes - done)};
    device.vk().vkCmdCopyBuffer(commands, buffer.handle(), buffer.handle(), 1,
                                &region);
  }
}

Result<Buffer> KernelRunner::upload(const KernelBuffer &from, Tensor &shape) {
  RUNG_ASSIGN_OR_RETURN(Tensor block, from.block());
  shape.type = block.type;
  shape.shape =
      from.elements > 0 ? std::vector<uint64_t>{from.elements} : block.shape;
  const uint64_t bytes = shape.elementCount() * byteSize(shape.type);
  const uint64_t first = std::min<uint64_t>(bytes, block.data.size());
  RUNG_ASSIGN_OR_RETURN(Buffer buffer,
                        Buffer::create(*device_, bytes, MemoryUse::Device));
  if (bytes == 0)
    return buffer;
  Buffer staging;
  if (!from.isZero()) {
    RUNG_ASSIGN_OR_RETURN(staging,
                          Buffer::create(*device_, first, MemoryUse::Upload));
    std::memcpy(staging.mapped().data(), block.data.data(), first);
  }
  RUNG_RETURN_IF_ERROR(submitCopies([&](VkCommandBuffer commands) {
    if (from.isZero()) {
      device_->vk().vkCmdFillBuffer(commands, buffer.handle(), /*dstOffset=*/0,
                                    VK_WHOLE_SIZE, /*data=*/0);
      return;
    }
    const VkBufferCopy region = {/*srcOffset=*/0, /*dstOffset=*/0, first};
    device_->vk().vkCmdCopyBuffer(commands, staging.handle(), buffer.handle(),
                                  1, &region);
    recordRepeats(*device_, commands, buffer, first, bytes);
  }));
  return buffer;
}

Result<Tensor> KernelRunner::download(const Buffer &buffer, ScalarType type,
                                      std::vector<uint64_t> shape) {
  Tensor tensor = Tensor::zeros(type, std::move(shape));
  if (tensor.data.empty())
    return tensor;
  RUNG_ASSIGN_OR_RETURN(
      Buffer staging,
      Buffer::create(*device_, tensor.data.size(), MemoryUse::Readback));
  RUNG_RETURN_IF_ERROR(submitCopies([&](VkCommandBuffer commands) {
    const VkBufferCopy region = {/*srcOffset=*/0, /*dstOffset=*/0,
                                 tensor.data.size()};
    device_->vk().vkCmdCopyBuffer(commands, buffer.handle(), staging.handle(),
                                  1, &region);
  }));
  std::memcpy(tensor.data.data(), staging.mapped().data(), tensor.data.size());
  return tensor;
}

Status KernelRunner::examine(const KernelJob &job, const Loaded &loaded,
                             KernelOutcome &outcome) {
  for (size_t i = 0; i < loaded.buffers.size(); ++i) {
    const KernelBuffer &want = job.buffers[i];
    const Tensor &shape = loaded.shapes[i];
    if (!want.dump.empty()) {
      RUNG_ASSIGN_OR_RETURN(
          Tensor got, download(loaded.buffers[i], shape.type, shape.shape));
      RUNG_RETURN_IF_ERROR(writeNpy(want.dump, got));
    }
    if (want.expected.empty())
      continue;
    RUNG_ASSIGN_OR_RETURN(Tensor expected, readNpy(want.expected));
    const uint64_t count = expected.elementCount();
    if (count > shape.elementCount())
      return Status(StatusCode::InvalidData,
                    concat("buffer ", i, " of ", toString(shape),
                           " has fewer elements than the expected ",
                           toString(expected)));
    expected.shape = {count};
    RUNG_ASSIGN_OR_RETURN(Tensor got,
                          download(loaded.buffers[i], shape.type, {count}));
    outcome.comparisons.push_back(
        compare(concat("buffer ", i), got, expected, want.tolerance));
  }
  return Status::ok();
}

Result<std::unique_ptr<KernelRunner::Loaded>>
KernelRunner::load(const KernelJob &job) {
  RUNG_RETURN_IF_ERROR(check(job));
  auto loaded = std::make_unique<Loaded>();
  BundledKernel kernel(job);
  RUNG_ASSIGN_OR_RETURN(
      loaded->pipeline,
      Pipeline::create(*device_, kernel.get(), VK_NULL_HANDLE));
  SetContents binding = {loaded->pipeline.setLayout(), {}};
  for (const KernelBuffer &one : job.buffers) {
    Tensor shape;
    RUNG_ASSIGN_OR_RETURN(Buffer buffer, upload(one, shape));
    binding.buffers.push_back({buffer.handle(), buffer.size()});
    loaded->buffers.push_back(std::move(buffer));
    loaded->shapes.push_back(std::move(shape));
  }
  RUNG_ASSIGN_OR_RETURN(
      loaded->sets, DescriptorSets::create(*device_, std::span(&binding, 1)));
  RUNG_ASSIGN_OR_RETURN(loaded->timestamps,
                        Timestamps::create(*device_, /*marks=*/2));
  return loaded;
}

Result<double> KernelRunner::once(const Loaded &loaded) {
  RUNG_RETURN_IF_ERROR(device_->submitAndWait(commands_, timeout_));
  RUNG_ASSIGN_OR_RETURN(std::vector<double> intervals,
                        loaded.timestamps.read(*device_));
  if (intervals.empty())
    return Status(StatusCode::Unsupported,
                  concat("'", device(), "' has no clock"));
  return intervals[0];
}

Status KernelRunner::repeat(const KernelJob &job, Loaded &loaded,
                            KernelOutcome &outcome) {
  using Clock = std::chrono::steady_clock;
  RUNG_RETURN_IF_ERROR(recordRun(*device_, commands_, job, loaded.buffers,
                                 loaded.pipeline, loaded.sets[0],
                                 loaded.timestamps));
  RUNG_RETURN_IF_ERROR(once(loaded).status());
  RUNG_RETURN_IF_ERROR(examine(job, loaded, outcome));
  const Clock::time_point began = Clock::now();
  for (uint32_t i = 0; i < job.warmup || Clock::now() - began < kWarmup; ++i)
    RUNG_RETURN_IF_ERROR(once(loaded).status());
  for (uint32_t i = 0; i < job.repeat; ++i) {
    RUNG_ASSIGN_OR_RETURN(double ms, once(loaded));
    outcome.ms.push_back(ms);
  }
  return Status::ok();
}

Result<KernelOutcome> KernelRunner::run(const KernelJob &job) {
  RUNG_ASSIGN_OR_RETURN(std::unique_ptr<Loaded> loaded, load(job));
  KernelOutcome outcome;
  Status status = repeat(job, *loaded, outcome);
  if (!device_->isIdleWithin(timeout_))
    static_cast<void>(loaded.release()); // The device may write there still.
  RUNG_RETURN_IF_ERROR(std::move(status));
  RUNG_RETURN_IF_ERROR(instance_->messages()->takeAsStatus());
  return outcome;
}

} // namespace rung::tools
