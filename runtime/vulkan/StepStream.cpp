//===- StepStream.cpp - steps that await their input on the device --------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/StepStream.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Commands.h"
#include "runtime/vulkan/StepWords.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <tuple>

namespace rung {

using Clock = std::chrono::steady_clock;

namespace {

/// What sets the word behind the number, whoever it is.
constexpr uint32_t kGaveUp = uint32_t(1) << 30;

void storeWord(std::byte *at, uint32_t value) {
  std::atomic_ref(*reinterpret_cast<uint32_t *>(at))
      .store(value, std::memory_order_release);
}

/// Lets all writes so far leave the processor before those that follow, and
/// now: mapped memory of a device is written through buffers of its own.
void pushWrites() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_sfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

uint64_t elementsOf(const fb::TensorType &type) {
  uint64_t elements = 1;
  for (int32_t dim : *type.dims())
    elements *= dim > 0 ? uint64_t(dim) : 1;
  return elements;
}

} // namespace

bool StepStream::isFor(const fb::Schedule &schedule) {
  return std::ranges::any_of(*schedule.buffers(), [](const fb::Buffer *buffer) {
    return buffer->words();
  });
}

Result<std::unique_ptr<StepStream>> StepStream::create(
    Device &device, const fb::Variant &variant, const fb::Schedule &schedule,
    const fb::Function &function, const PackedWeights &weights,
    std::span<const Pipeline> pipelines, std::chrono::nanoseconds timeout) {
  std::unique_ptr<StepStream> stream(
      new StepStream(device, schedule, weights, timeout));
  RUNG_ASSIGN_OR_RETURN(stream->plan_,
                        RunPlan::make(device.snapshot(), variant, schedule,
                                      function, {.steps = 1, .batch = 1}));
  RUNG_RETURN_IF_ERROR(stream->makeBuffers(stream->plan_, function));
  RUNG_RETURN_IF_ERROR(stream->makeSets(stream->plan_, pipelines));
  for (Batch &batch : stream->batches_) {
    RUNG_ASSIGN_OR_RETURN(batch.commands, device.allocateCommands());
    RUNG_ASSIGN_OR_RETURN(batch.fence, device.createFence());
  }
  return stream;
}

Status StepStream::makeBuffers(const RunPlan &plan,
                               const fb::Function &function) {
  buffers_.resize(schedule_.buffers()->size());
  for (const fb::StateLink *link : *function.states()) {
    states_.push_back({.input = link->input(), .output = link->output()});
    for (Buffer &memory : states_.back().memory) {
      const fb::TensorType &type =
          *function.inputs()->Get(link->input())->type();
      RUNG_ASSIGN_OR_RETURN(
          memory, Buffer::create(device_,
                                 elementsOf(type) *
                                     byteSize(toScalarType(type.element())),
                                 MemoryUse::Shared));
    }
  }
  auto stateOf = [&](uint32_t port, auto member) -> State * {
    auto found = std::ranges::find(states_, port, member);
    return found == states_.end() ? nullptr : &*found;
  };
  for (uint32_t i = 0; i < buffers_.size(); ++i) {
    const fb::Buffer &entry = *schedule_.buffers()->Get(i);
    MemoryUse use = MemoryUse::Device;
    const bool input = entry.role() == fb::BufferRole::Input;
    if (input || entry.role() == fb::BufferRole::Output) {
      State *state = input ? stateOf(entry.port(), &State::input)
                           : stateOf(entry.port(), &State::output);
      if (state) {
        (input ? state->inputBuffer : state->outputBuffer) = i;
        continue;
      }
      const fb::TensorType &type =
          *(input ? function.inputs() : function.outputs())
               ->Get(entry.port())
               ->type();
      const uint32_t bytes = byteSize(toScalarType(type.element()));
      (input ? inputs_ : outputs_)
          .push_back({.port = entry.port(),
                      .buffer = i,
                      .bytes = elementsOf(type) * bytes,
                      .elementBytes = bytes});
      use = input ? MemoryUse::Shared : MemoryUse::Readback;
    } else if (entry.role() == fb::BufferRole::Packed) {
      continue;
    } else if (entry.role() == fb::BufferRole::Progress) {
      use = MemoryUse::Shared;
      signals_ = i;
    }
    RUNG_ASSIGN_OR_RETURN(buffers_[i],
                          Buffer::create(device_, plan.storageBytes[i], use));
  }
  return Status::ok();
}

BoundBuffer StepStream::bound(const PlannedRegion &region,
                              uint32_t parity) const {
  const uint64_t bytes = Buffer::roundedSize(region.bytes);
  for (const State &state : states_) {
    if (region.storage == state.inputBuffer)
      return {state.memory[parity].handle(), bytes, region.offset};
    if (region.storage == state.outputBuffer)
      return {state.memory[1 - parity].handle(), bytes, region.offset};
  }
  const fb::Buffer &entry = *schedule_.buffers()->Get(region.storage);
  const Buffer &buffer = entry.role() == fb::BufferRole::Packed
                             ? weights_.find(entry)
                             : buffers_[region.storage];
  return {buffer.handle(), bytes, region.offset};
}

/// The reader lets no stream through that has not one dispatch.
Status StepStream::makeSets(const RunPlan &plan,
                            std::span<const Pipeline> pipelines) {
  const PlannedDispatch &dispatch = plan.commands.front().dispatches.front();
  pipeline_ = &pipelines[dispatch.command->kernel()];
  std::vector<SetContents> contents;
  for (uint32_t parity : {0, 1}) {
    contents.push_back({pipeline_->setLayout()});
    for (uint32_t region : dispatch.regions)
      contents.back().buffers.push_back(bound(plan.regions[region], parity));
  }
  RUNG_ASSIGN_OR_RETURN(sets_, DescriptorSets::create(device_, contents));
  return Status::ok();
}

uint64_t StepStream::deviceBytes() const {
  uint64_t total = 0;
  for (const Buffer &buffer : buffers_)
    total += buffer.size();
  for (const State &state : states_)
    total += state.memory[0].size() + state.memory[1].size();
  return total;
}

//===----------------------------------------------------------------------===//
// What is submitted
//===----------------------------------------------------------------------===//

/// Step i of a batch has number i + 1, and those of the second go on behind
/// the first.
Status StepStream::record(uint32_t index) {
  const DeviceTable &vk = device_.vk();
  const PlannedDispatch &dispatch = plan_.commands.front().dispatches.front();
  VkCommandBuffer commands = batches_[index].commands;
  RUNG_RETURN_IF_ERROR(beginCommands(device_, commands));
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                       pipeline_->handle());
  std::vector<uint32_t> push;
  for (uint32_t i = 0; i < ahead_; ++i) {
    const VkDescriptorSet set = sets_[(first_ + i) % 2];
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                               pipeline_->layout(), /*firstSet=*/0, 1, &set,
                               /*dynamicOffsetCount=*/0, nullptr);
    push.clear();
    for (const fb::Push *each : *dispatch.command->push())
      push.push_back(pushValue(*each, /*steps=*/1, /*batch=*/1,
                               /*iteration=*/index * ahead_ + i + 1));
    vk.vkCmdPushConstants(
        commands, pipeline_->layout(), VK_SHADER_STAGE_COMPUTE_BIT,
        /*offset=*/0, uint32_t(push.size() * sizeof(uint32_t)), push.data());
    vk.vkCmdDispatch(commands, dispatch.groups[0], dispatch.groups[1],
                     dispatch.groups[2]);
    recordBarrier(device_, commands, Actor::Kernel, Actor::Kernel);
  }
  recordBarrier(device_, commands, Actor::Kernel, Actor::Host);
  return endCommands(device_, commands);
}

Status StepStream::submit(uint32_t index) {
  Batch &batch = batches_[index];
  RUNG_RETURN_IF_ERROR(finish(batch));
  RUNG_RETURN_IF_ERROR(device_.submit(batch.commands, batch.fence.get()));
  batch.pending = true;
  return Status::ok();
}

Status StepStream::finish(Batch &batch) {
  if (!batch.pending)
    return Status::ok();
  RUNG_RETURN_IF_ERROR(device_.waitAndReset(batch.fence.get(), timeout_));
  batch.pending = false;
  return Status::ok();
}

Status StepStream::pause() {
  if (running_) {
    // The step that waits now goes through, to buffers that nobody reads; those
    // behind it do not wait.
    storeWord(buffers_[signals_].mapped().data() + 4, kGaveUp);
    pushWrites();
    announce();
    running_ = false;
  }
  // Batches are pending without it, too, where a start or an end failed.
  RUNG_RETURN_IF_ERROR(finish(batches_[0]));
  return finish(batches_[1]);
}

Status StepStream::resume() {
  RUNG_RETURN_IF_ERROR(pause());
  first_ = parity_;
  done_ = 0;
  for (const Port &output : outputs_)
    std::ranges::fill(buffers_[output.buffer].mapped(), std::byte(0));
  std::byte *signals = buffers_[signals_].mapped().data();
  storeWord(signals, 0);
  storeWord(signals + 4, 0);
  pushWrites();
  for (uint32_t index : {0, 1}) {
    RUNG_RETURN_IF_ERROR(record(index));
    RUNG_RETURN_IF_ERROR(submit(index));
  }
  running_ = true;
  return Status::ok();
}

StepStream::~StepStream() {
  if (pause().isOk())
    return;
  // What the device may still work with is left alone for good.
  device_.abandon();
  static_cast<void>(new std::tuple(std::move(buffers_), std::move(states_),
                                   std::move(sets_), std::move(batches_)));
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

Status StepStream::setStates(const RunRequest &request) {
  RUNG_RETURN_IF_ERROR(pause());
  for (State &state : states_) {
    const std::span<std::byte> to = state.memory[parity_].mapped();
    const RunRequest::Input &input = request.inputs[state.input];
    if (input.given)
      std::ranges::copy(input.bytes, to.begin());
    else
      std::ranges::fill(to, std::byte(0));
  }
  return Status::ok();
}

Status StepStream::states(const RunRequest &request) {
  RUNG_RETURN_IF_ERROR(pause());
  for (const State &state : states_) {
    const std::span<std::byte> to = request.outputs[state.output];
    std::ranges::copy(state.memory[parity_].mapped().first(to.size()),
                      to.begin());
  }
  return Status::ok();
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

Status StepStream::step(const RunRequest &request, uint32_t at) {
  writeInputs(request, at);
  if (!running_)
    RUNG_RETURN_IF_ERROR(resume());
  const Clock::time_point start = Clock::now();
  for (;;) {
    announce();
    RUNG_ASSIGN_OR_RETURN(bool came, awaitOutputs(request, at));
    if (came)
      break;
    if (Clock::now() - start > timeout_)
      return Status(StatusCode::Device,
                    concat("'", device_.name(), "' gave no output within ",
                           std::chrono::duration<double>(timeout_).count(),
                           " seconds"));
    RUNG_RETURN_IF_ERROR(resume());
  }
  parity_ = 1 - parity_;
  ++done_;
  return submitAhead();
}

/// Submits a batch again, some steps behind its end and long before the other
/// one's.
Status StepStream::submitAhead() {
  if (done_ < ahead_ || done_ % ahead_ != ahead_ / 4)
    return Status::ok();
  return submit(done_ % (2 * ahead_) < ahead_ ? 1 : 0);
}

void StepStream::writeInputs(const RunRequest &request, uint32_t at) {
  for (const Port &input : inputs_) {
    const std::span<const std::byte> from =
        request.inputs[input.port].bytes.subspan(at * input.bytes, input.bytes);
    std::memcpy(buffers_[input.buffer].mapped().data(), from.data(),
                from.size());
  }
  pushWrites();
}

void StepStream::announce() {
  storeWord(buffers_[signals_].mapped().data(), number() << 16);
  pushWrites();
}

/// Reading it takes a microsecond or more.
bool StepStream::gaveUp() const {
  return loadShared<uint32_t>(buffers_[signals_].mapped().data() + 4) != 0;
}

/// False: the step will not come, because its dispatch gave up before.
Result<bool> StepStream::awaitOutputs(const RunRequest &request, uint32_t at) {
  constexpr std::chrono::microseconds kPatience(20);
  const bool software = device_.snapshot().kind == DeviceKind::Cpu;
  const Clock::time_point start = Clock::now();
  Clock::time_point asked = start;
  for (const Port &output : outputs_) {
    std::byte *to = request.outputs[output.port].data() + at * output.bytes;
    StepWords words(buffers_[output.buffer].mapped().data(),
                    output.bytes / output.elementBytes, output.elementBytes,
                    number());
    for (uint32_t looks = 1; !words.take(to); ++looks) {
      if (software)
        std::this_thread::yield();
      if (looks % 64 != 0)
        continue;
      const Clock::time_point now = Clock::now();
      if (now - asked < kPatience)
        continue;
      asked = now;
      if (gaveUp() || now - start > timeout_)
        return false;
    }
  }
  return true;
}

} // namespace rung
