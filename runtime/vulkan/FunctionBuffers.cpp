//===- FunctionBuffers.cpp - the memory of one function ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/FunctionBuffers.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Commands.h"
#include "runtime/vulkan/Device.h"

#include <algorithm>
#include <cstring>

namespace rung {

static bool isPort(fb::BufferRole role) {
  return role == fb::BufferRole::Input || role == fb::BufferRole::Output;
}

static void
markReads(const flatbuffers::Vector<flatbuffers::Offset<fb::Command>> &commands,
          std::vector<bool> &isRead) {
  for (const fb::Command *command : commands) {
    for (const fb::Argument *argument : *command->arguments())
      if (argument->access() != fb::Access::Write)
        isRead[argument->buffer()] = true;
    if (command->repeat())
      markReads(*command->repeat()->body(), isRead);
  }
}

FunctionBuffers::FunctionBuffers(const fb::Schedule &schedule,
                                 const PackedWeights &weights,
                                 const PortOptions &options)
    : schedule_(&schedule), weights_(&weights), options_(options),
      isRead_(count()), places_(count(), Place::None), buffers_(count()),
      staging_(count()) {
  markReads(*schedule.commands(), isRead_);
}

FunctionBuffers::Place FunctionBuffers::placeFor(uint32_t index,
                                                 uint64_t size) const {
  const fb::BufferRole role = this->role(index);
  if (!isPort(role) && role != fb::BufferRole::Progress)
    return Place::None;
  // Kernels would wait for each word that they read from the host's memory.
  const bool mapped = size <= options_.mappedBytes &&
                      (role != fb::BufferRole::Output || !isRead_[index]);
  return options_.unified || mapped ? Place::Direct : Place::Staged;
}

MemoryUse FunctionBuffers::useFor(uint32_t index, Place place) const {
  if (place != Place::Direct)
    return MemoryUse::Device;
  if (options_.unified)
    return MemoryUse::Shared;
  return entry(index).role() == fb::BufferRole::Output ? MemoryUse::Readback
                                                       : MemoryUse::Feed;
}

static uint64_t totalBytes(const std::vector<Buffer> &buffers) {
  uint64_t total = 0;
  for (const Buffer &buffer : buffers)
    total += buffer.size();
  return total;
}

uint64_t FunctionBuffers::deviceBytes() const { return totalBytes(buffers_); }
uint64_t FunctionBuffers::stagingBytes() const { return totalBytes(staging_); }

/// What the buffers take more once \p plan has room. The plan bounds each size,
/// so the sum does not wrap.
uint64_t FunctionBuffers::growthFor(const RunPlan &plan) const {
  uint64_t growth = 0;
  for (uint32_t i = 0; i < plan.storageBytes.size(); ++i) {
    const uint64_t size = Buffer::roundedSize(plan.storageBytes[i]);
    const uint64_t before = i < buffers_.size() ? buffers_[i].size() : 0;
    if (role(i) != fb::BufferRole::Packed && size > before)
      growth += size - before;
  }
  return growth;
}

/// The old buffer goes first: two at once may not fit.
static Status replaceIfSmaller(const Device &device, Buffer &buffer,
                               uint64_t size, MemoryUse use) {
  if (buffer.size() >= Buffer::roundedSize(size))
    return Status::ok();
  buffer = Buffer();
  RUNG_ASSIGN_OR_RETURN(buffer, Buffer::create(device, size, use));
  return Status::ok();
}

Status FunctionBuffers::growBuffer(const Device &device, uint32_t index,
                                   uint64_t size) {
  const Place place = placeFor(index, size);
  if (place != places_[index]) {
    buffers_[index] = Buffer();
    staging_[index] = Buffer();
    places_[index] = place;
  }
  RUNG_RETURN_IF_ERROR(
      replaceIfSmaller(device, buffers_[index], size, useFor(index, place)));
  if (place != Place::Staged)
    return Status::ok();
  return replaceIfSmaller(device, staging_[index], size,
                          entry(index).role() == fb::BufferRole::Input
                              ? MemoryUse::Upload
                              : MemoryUse::Readback);
}

Status FunctionBuffers::grow(const Device &device, const RunPlan &plan,
                             uint64_t limit) {
  const size_t storages = std::max(buffers_.size(), plan.storageBytes.size());
  if (uint64_t growth = growthFor(plan); growth > 0) {
    if (deviceBytes() + growth > limit) {
      std::ranges::generate(buffers_, [] { return Buffer(); });
      growth = growthFor(plan);
    }
    if (uint64_t available = device.availableMemory(); growth > available)
      return Status(StatusCode::ResourceExhausted,
                    concat("the run needs ", growth, " more bytes; '",
                           device.name(), "' has ", available, " left"));
  }
  buffers_.resize(storages);
  staging_.resize(storages);
  places_.resize(storages, Place::None);
  for (uint32_t i = 0; i < plan.storageBytes.size(); ++i)
    if (role(i) != fb::BufferRole::Packed)
      RUNG_RETURN_IF_ERROR(growBuffer(device, i, plan.storageBytes[i]));
  return Status::ok();
}

bool FunctionBuffers::copies() const {
  return std::ranges::find(places_, Place::Staged) != places_.end();
}

BoundBuffer FunctionBuffers::bound(const PlannedRegion &region) const {
  const bool packed = role(region.storage) == fb::BufferRole::Packed;
  const Buffer &buffer =
      packed ? weights_->find(entry(region.storage)) : buffers_[region.storage];
  return {buffer.handle(), Buffer::roundedSize(region.bytes), region.offset};
}

static void recordCopy(const Device &device, VkCommandBuffer commands,
                       const Buffer &from, const Buffer &to, uint64_t size) {
  const VkBufferCopy region = {/*srcOffset=*/0, /*dstOffset=*/0, size};
  if (size > 0)
    device.vk().vkCmdCopyBuffer(commands, from.handle(), to.handle(), 1,
                                &region);
}

void FunctionBuffers::recordUploads(const Device &device,
                                    VkCommandBuffer commands,
                                    const RunPlan &plan) const {
  // What the host wrote in place is visible to whatever it submits later.
  bool any = false;
  for (uint32_t i = 0; i < count(); ++i)
    if (isStaged(i, fb::BufferRole::Input)) {
      recordCopy(device, commands, staging_[i], buffers_[i],
                 plan.storageBytes[i]);
      any = true;
    }
  for (uint32_t i = 0; i < count(); ++i)
    if (isStaged(i, fb::BufferRole::Progress)) {
      device.vk().vkCmdFillBuffer(commands, buffers_[i].handle(),
                                  /*dstOffset=*/0, VK_WHOLE_SIZE, /*data=*/0);
      any = true;
    }
  if (any)
    recordBarrier(device, commands, Actor::Copy, Actor::Kernel);
}

void FunctionBuffers::recordDownloads(const Device &device,
                                      VkCommandBuffer commands,
                                      const RunPlan &plan) const {
  bool staged = false, direct = false;
  for (uint32_t i = 0; i < count(); ++i)
    if (isResult(i))
      (places_[i] == Place::Staged ? staged : direct) = true;
  if (direct)
    recordBarrier(device, commands, Actor::Kernel, Actor::Host);
  if (!staged)
    return;
  recordBarrier(device, commands, Actor::Kernel, Actor::Copy);
  for (uint32_t i = 0; i < count(); ++i)
    if (isResult(i) && places_[i] == Place::Staged)
      recordCopy(device, commands, buffers_[i], staging_[i],
                 plan.storageBytes[i]);
  recordBarrier(device, commands, Actor::Copy, Actor::Host);
}

void FunctionBuffers::writeInputs(const RunPlan &plan,
                                  const RunRequest &request) const {
  for (uint32_t i = 0; i < count(); ++i) {
    if (entry(i).role() != fb::BufferRole::Input)
      continue;
    const RunRequest::Input &input = request.inputs[entry(i).port()];
    const std::span<std::byte> to = hostSide(i).mapped();
    if (input.given)
      std::ranges::copy(input.bytes, to.begin());
    else
      std::ranges::fill(to.first(plan.storageBytes[i]), std::byte(0));
  }
}

void FunctionBuffers::readOutputs(const RunRequest &request) const {
  for (uint32_t i = 0; i < count(); ++i) {
    if (entry(i).role() != fb::BufferRole::Output)
      continue;
    const std::span<std::byte> to = request.outputs[entry(i).port()];
    std::ranges::copy(hostSide(i).mapped().first(to.size()), to.begin());
  }
}

void FunctionBuffers::clearProgress(const RunPlan &plan) const {
  for (uint32_t i = 0; i < count(); ++i)
    if (isProgress(i) && places_[i] == Place::Direct)
      std::ranges::fill(buffers_[i].mapped().first(plan.storageBytes[i]),
                        std::byte(0));
}

Status FunctionBuffers::checkProgress(const RunPlan &plan) const {
  constexpr uint32_t kGaveUp = uint32_t(1) << 30;
  for (uint32_t i = 0; i < count(); ++i) {
    if (!isProgress(i))
      continue;
    const std::span<std::byte> bytes = hostSide(i).mapped();
    for (uint64_t at = 0; at + 4 <= plan.storageBytes[i]; at += 4) {
      uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof(word));
      if (word & kGaveUp)
        return Status(StatusCode::Device,
                      concat("a workgroup waited for another in vain (word ",
                             at / 4, " of buffer ", i,
                             "): the device does not run them together"));
    }
  }
  return Status::ok();
}

} // namespace rung
