//===- PackedWeights.cpp - a variant's weights on the device ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/PackedWeights.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Commands.h"
#include "runtime/vulkan/Device.h"

#include <algorithm>
#include <cstring>

namespace rung {

/// Enough to keep a bus busy, little enough to have anywhere.
static constexpr uint64_t kStagingBytes = uint64_t(8) << 20;

PackedWeights::Key PackedWeights::keyOf(const fb::Buffer &buffer) {
  // A reader made sure that the size is a number that fits the blob.
  return {buffer.packed_offset(), *evaluate(*buffer.size(), 0, 0)};
}

const Buffer &PackedWeights::find(const fb::Buffer &buffer) const {
  return buffers_.at(keyOf(buffer));
}

Status PackedWeights::planSchedule(const Device &device,
                                   const fb::Schedule &schedule,
                                   uint64_t limit) {
  for (const fb::Buffer *buffer : *schedule.buffers()) {
    if (buffer->role() != fb::BufferRole::Packed)
      continue;
    const Key key = keyOf(*buffer);
    if (!buffers_.try_emplace(key).second)
      continue;
    const uint64_t size = Buffer::roundedSize(key.second);
    if (size > limit)
      return Status(StatusCode::ResourceExhausted,
                    concat("weights at offset ", key.first, " take ", size,
                           " bytes; the largest storage buffer of '",
                           device.name(), "' has ", limit));
    totalBytes_ += size;
  }
  return Status::ok();
}

Status PackedWeights::plan(const Device &device, const fb::Variant &variant) {
  const uint64_t limit = device.snapshot().limits.largestStorageBuffer();
  for (const fb::Schedule *schedule : *variant.schedules()) {
    RUNG_RETURN_IF_ERROR(planSchedule(device, *schedule, limit));
    if (schedule->single_row())
      RUNG_RETURN_IF_ERROR(
          planSchedule(device, *schedule->single_row(), limit));
  }
  if (uint64_t available = device.availableMemory(); totalBytes_ > available)
    return Status(StatusCode::ResourceExhausted,
                  concat("the weights take ", totalBytes_, " bytes; '",
                         device.name(), "' has ", available, " left"));
  return Status::ok();
}

Status PackedWeights::uploadInPlace(const Device &device,
                                    std::span<const std::byte> blob) {
  for (auto &[key, buffer] : buffers_) {
    RUNG_ASSIGN_OR_RETURN(
        buffer, Buffer::create(device, key.second, MemoryUse::Shared));
    std::ranges::copy(blob.subspan(key.first, key.second),
                      buffer.mapped().begin());
  }
  return Status::ok();
}

Status PackedWeights::uploadStaged(Device &device,
                                   std::span<const std::byte> blob,
                                   std::chrono::nanoseconds timeout) {
  uint64_t largest = 0;
  for (const auto &[key, buffer] : buffers_)
    largest = std::max(largest, key.second);
  RUNG_ASSIGN_OR_RETURN(Buffer staging,
                        Buffer::create(device, std::min(largest, kStagingBytes),
                                       MemoryUse::Upload));
  RUNG_ASSIGN_OR_RETURN(VkCommandBuffer commands, device.allocateCommands());
  for (auto &[key, buffer] : buffers_) {
    RUNG_ASSIGN_OR_RETURN(
        buffer, Buffer::create(device, key.second, MemoryUse::Device));
    for (uint64_t done = 0; done < key.second;) {
      const uint64_t size = std::min(key.second - done, staging.size());
      std::ranges::copy(blob.subspan(key.first + done, size),
                        staging.mapped().begin());
      const VkBufferCopy region = {/*srcOffset=*/0, /*dstOffset=*/done, size};
      RUNG_RETURN_IF_ERROR(beginCommands(device, commands));
      device.vk().vkCmdCopyBuffer(commands, staging.handle(), buffer.handle(),
                                  1, &region);
      RUNG_RETURN_IF_ERROR(endCommands(device, commands));
      RUNG_RETURN_IF_ERROR(device.submitAndWait(commands, timeout));
      done += size;
    }
  }
  return Status::ok();
}

Result<PackedWeights> PackedWeights::upload(Device &device,
                                            const fb::Variant &variant,
                                            std::span<const std::byte> blob,
                                            bool inPlace,
                                            std::chrono::nanoseconds timeout) {
  PackedWeights weights;
  RUNG_RETURN_IF_ERROR(weights.plan(device, variant));
  Status status = inPlace ? weights.uploadInPlace(device, blob)
                          : weights.uploadStaged(device, blob, timeout);
  RUNG_RETURN_IF_ERROR(std::move(status).while_("uploading the weights"));
  return weights;
}

} // namespace rung
