//===- SegmentLayout.cpp - the memory of a run in segments ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/SegmentLayout.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Buffer.h"

#include <algorithm>
#include <numeric>

namespace rung {

static bool isPort(const fb::Buffer &buffer) {
  return buffer.role() == fb::BufferRole::Input ||
         buffer.role() == fb::BufferRole::Output;
}

Result<uint64_t> SegmentLayout::bytesOf(uint32_t buffer, uint32_t steps) const {
  return evaluate(*schedule_.buffers()->Get(buffer)->size(), steps,
                  shape_.batch)
      .while_(concat("computing the size of buffer ", buffer));
}

/// What offsets of regions are multiples of. Kernels read in words of 16 bytes.
static uint64_t alignmentOf(const DeviceSnapshot &device) {
  return std::max<uint64_t>(device.limits.minStorageBufferOffsetAlignment, 16);
}

Result<uint32_t> SegmentLayout::unit() const {
  const uint64_t alignment = alignmentOf(device_);
  uint64_t unit = 1;
  for (uint32_t b = 0; b < schedule_.buffers()->size(); ++b) {
    const fb::Buffer &buffer = *schedule_.buffers()->Get(b);
    if (!isPort(buffer) || !hasSteps(buffer))
      continue;
    RUNG_ASSIGN_OR_RETURN(uint64_t row, bytesOf(b, 1));
    unit = std::max(unit, alignment / std::gcd(alignment, row));
  }
  return static_cast<uint32_t>(unit);
}

uint32_t SegmentLayout::stepsOf(uint32_t segment) const {
  return segment + 1 < segments_ ? steps_ : shape_.steps - segment * steps_;
}

Status SegmentLayout::place(uint32_t steps) {
  steps_ = steps;
  segments_ =
      steps == 0
          ? 1
          : std::max<uint32_t>(1, (uint64_t(shape_.steps) + steps - 1) / steps);
  placed_.clear();
  storageBytes_.clear();
  regions_.clear();
  for (uint32_t b = 0; b < schedule_.buffers()->size(); ++b)
    RUNG_RETURN_IF_ERROR(placeBuffer(b));
  for (const TimeStages::Chain &chain : stages_.chains)
    if (segments_ > 1)
      RUNG_RETURN_IF_ERROR(placeSlots(chain.output, chain.slots));
  return checkTotal();
}

Status SegmentLayout::placeBuffer(uint32_t buffer) {
  const fb::Buffer &entry = *schedule_.buffers()->Get(buffer);
  if (isPort(entry) && hasSteps(entry))
    return placePort(buffer);
  // Words of progress begin as zeros, which a run has only once.
  return placeSlots(buffer, entry.role() == fb::BufferRole::Progress
                                ? segments_
                                : stages_.slots[buffer]);
}

Status SegmentLayout::placePort(uint32_t buffer) {
  const auto storage = static_cast<uint32_t>(storageBytes_.size());
  RUNG_ASSIGN_OR_RETURN(uint64_t bytes, bytesOf(buffer, shape_.steps));
  RUNG_ASSIGN_OR_RETURN(uint64_t part,
                        bytesOf(buffer, std::min(steps_, shape_.steps)));
  RUNG_RETURN_IF_ERROR(checkStorage(storage, bytes, part));
  storageBytes_.push_back(bytes);
  placed_.push_back({static_cast<uint32_t>(regions_.size()), segments_});
  for (uint32_t segment = 0; segment < segments_; ++segment)
    regions_.push_back(
        {storage, segment * part, std::min(part, bytes - segment * part)});
  return Status::ok();
}

Status SegmentLayout::placeSlots(uint32_t buffer, uint32_t slots) {
  const auto storage = static_cast<uint32_t>(storageBytes_.size());
  RUNG_ASSIGN_OR_RETURN(uint64_t bytes,
                        bytesOf(buffer, std::min(steps_, shape_.steps)));
  return addSlots(storage, bytes, std::min(slots, segments_));
}

Status SegmentLayout::addSlots(uint32_t storage, uint64_t bytes,
                               uint32_t slots) {
  const uint64_t alignment = alignmentOf(device_);
  RUNG_RETURN_IF_ERROR(checkStorage(storage, bytes, bytes));
  const uint64_t pitch =
      slots == 1 ? bytes : (bytes + alignment - 1) / alignment * alignment;
  // Each factor is below 2^48 and 2^16: the check above bounds the bytes.
  const uint64_t total = pitch * (slots - 1) + bytes;
  RUNG_RETURN_IF_ERROR(checkStorage(storage, total, bytes));
  storageBytes_.push_back(total);
  placed_.push_back({static_cast<uint32_t>(regions_.size()), slots});
  for (uint32_t slot = 0; slot < slots; ++slot)
    regions_.push_back({storage, slot * pitch, bytes});
  return Status::ok();
}

Status SegmentLayout::checkStorage(uint32_t storage, uint64_t bytes,
                                   uint64_t region) const {
  const bool single = bytes == region;
  const uint64_t limit = single ? device_.limits.largestStorageBuffer()
                                : device_.limits.largestBuffer();
  if (bytes > limit || Buffer::roundedSize(bytes) > limit)
    return Status(StatusCode::ResourceExhausted,
                  concat("buffer ", storage, " needs ", bytes,
                         " bytes; the largest ", single ? "storage " : "",
                         "buffer of '", device_.name, "' has ", limit));
  if (region > device_.limits.largestStorageBuffer())
    return checkStorage(storage, region, region);
  return Status::ok();
}

Status SegmentLayout::checkTotal() const {
  uint64_t total = 0;
  for (uint32_t i = 0; i < storageBytes_.size(); ++i)
    if (i >= schedule_.buffers()->size() ||
        schedule_.buffers()->Get(i)->role() != fb::BufferRole::Packed)
      total += Buffer::roundedSize(storageBytes_[i]);
  if (total > shape_.memoryLimit)
    return Status(StatusCode::ResourceExhausted,
                  concat("the run's buffers take ", total, " bytes in ",
                         segments_, segments_ == 1 ? " segment" : " segments",
                         "; the limit is ", shape_.memoryLimit));
  return Status::ok();
}

uint32_t SegmentLayout::region(uint32_t buffer, uint32_t segment) const {
  auto at = [&](size_t place, uint32_t turn) {
    return placed_[place].first + turn % placed_[place].count;
  };
  for (size_t i = 0; i < stages_.chains.size(); ++i) {
    const size_t place = schedule_.buffers()->size() + i;
    if (buffer == stages_.chains[i].input && segment > 0)
      return at(place, segment - 1);
    if (buffer == stages_.chains[i].output && segment + 1 < segments_)
      return at(place, segment);
  }
  return at(buffer, segment);
}

} // namespace rung
