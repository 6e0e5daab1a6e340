//===- PipelineCache.h - compiled kernels kept on disk ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_PIPELINECACHE_H
#define RUNG_RUNTIME_VULKAN_PIPELINECACHE_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/DeviceSnapshot.h"
#include "runtime/vulkan/Handles.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rung {

class Device;

/// Where caches lie: `rung` in $XDG_CACHE_HOME, or in ~/.cache. Empty if
/// neither variable is set: then nothing is kept.
std::string pipelineCacheFolder();

/// The name of a device's cache file. Drivers change the UUID in it when they
/// could not use their old data.
std::string pipelineCacheName(const DeviceSnapshot &snapshot);

/// A cache file's bytes: a header with size and checksum, then the driver's
/// data. Drivers are known to trust theirs too much.
std::vector<std::byte>
encodePipelineCache(const DeviceSnapshot &snapshot,
                    std::span<const std::byte> driverData);

/// The driver's data in \p file; none if the file is not whole or is not of
/// that device.
std::optional<std::span<const std::byte>>
decodePipelineCache(const DeviceSnapshot &snapshot,
                    std::span<const std::byte> file);

/// A driver's cache of compiled kernels that starts from what an earlier
/// process left on disk.
class PipelineCache {
public:
  /// A missing, unreadable or damaged file gives an empty cache. An empty
  /// \p folder keeps nothing.
  static Result<PipelineCache> open(const Device &device,
                                    const std::string &folder);

  VkPipelineCache handle() const { return cache_.get(); }

  /// Writes the cache if it grew since it was opened. Two processes may do so
  /// at once: the file is replaced as a whole. A failure costs the next process
  /// time and no more.
  Status save(const Device &device);

private:
  std::string path_;
  size_t sizeOnDisk_ = 0;
  UniquePipelineCache cache_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_PIPELINECACHE_H
