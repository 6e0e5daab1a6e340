//===- PackedWeights.h - a variant's weights on the device ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_PACKEDWEIGHTS_H
#define RUNG_RUNTIME_VULKAN_PACKEDWEIGHTS_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/Buffer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

namespace rung {

/// The packed buffers of all functions of one variant; functions that name the
/// same bytes share a buffer.
class PackedWeights {
public:
  PackedWeights() = default;

  /// Uploads them from the bundle's \p blob, once.
  static Result<PackedWeights> upload(Device &device,
                                      const fb::Variant &variant,
                                      std::span<const std::byte> blob,
                                      bool inPlace,
                                      std::chrono::nanoseconds timeout);

  /// The buffer for a packed buffer of one of the variant's schedules.
  const Buffer &find(const fb::Buffer &buffer) const;

  uint64_t totalBytes() const { return totalBytes_; }

private:
  using Key = std::pair<uint64_t, uint64_t>; // offset, size
  static Key keyOf(const fb::Buffer &buffer);

  Status plan(const Device &device, const fb::Variant &variant);
  Status planSchedule(const Device &device, const fb::Schedule &schedule,
                      uint64_t limit);
  Status uploadInPlace(const Device &device, std::span<const std::byte> blob);
  Status uploadStaged(Device &device, std::span<const std::byte> blob,
                      std::chrono::nanoseconds timeout);

  std::map<Key, Buffer> buffers_;
  uint64_t totalBytes_ = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_PACKEDWEIGHTS_H
