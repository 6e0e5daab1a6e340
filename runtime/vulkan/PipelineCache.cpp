//===- PipelineCache.cpp - compiled kernels kept on disk --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/PipelineCache.h"

#include "runtime/base/File.h"
#include "runtime/base/Text.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <zlib.h>

namespace rung {

namespace {

/// In front of the driver's data, in the host's byte order: the file never
/// leaves the machine.
struct CacheHeader {
  char magic[8];
  uint32_t vendorId;
  uint32_t deviceId;
  uint8_t uuid[16];
  uint64_t size;
  uint32_t checksum;
  uint32_t reserved;
};
static_assert(sizeof(CacheHeader) == 48, "the file has no padding");

CacheHeader makeHeader(const DeviceSnapshot &snapshot,
                       std::span<const std::byte> data) {
  CacheHeader header = {.magic = {'R', 'U', 'N', 'G', 'P', 'I', 'P', '1'},
                        .vendorId = snapshot.vendorId,
                        .deviceId = snapshot.deviceId,
                        .size = data.size()};
  std::memcpy(header.uuid, snapshot.pipelineCacheUuid.data(),
              sizeof(header.uuid));
  header.checksum = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(data.data()), data.size()));
  return header;
}

} // namespace

std::string pipelineCacheFolder() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return concat(cache, "/rung");
  if (const char *home = std::getenv("HOME"); home && *home)
    return concat(home, "/.cache/rung");
  return "";
}

std::string pipelineCacheName(const DeviceSnapshot &snapshot) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name = "pipelines-";
  for (uint8_t byte : snapshot.pipelineCacheUuid) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name + ".bin";
}

std::vector<std::byte>
encodePipelineCache(const DeviceSnapshot &snapshot,
                    std::span<const std::byte> driverData) {
  const CacheHeader header = makeHeader(snapshot, driverData);
  std::vector<std::byte> file(sizeof(header) + driverData.size());
  std::memcpy(file.data(), &header, sizeof(header));
  std::ranges::copy(driverData, file.begin() + sizeof(header));
  return file;
}

std::optional<std::span<const std::byte>>
decodePipelineCache(const DeviceSnapshot &snapshot,
                    std::span<const std::byte> file) {
  if (file.size() < sizeof(CacheHeader))
    return std::nullopt;
  std::span<const std::byte> data = file.subspan(sizeof(CacheHeader));
  const CacheHeader expected = makeHeader(snapshot, data);
  if (std::memcmp(file.data(), &expected, sizeof(expected)) != 0)
    return std::nullopt;
  return data;
}

Result<PipelineCache> PipelineCache::open(const Device &device,
                                          const std::string &folder) {
  PipelineCache cache;
  MappedFile file;
  std::optional<std::span<const std::byte>> data;
  if (!folder.empty()) {
    cache.path_ = concat(folder, "/", pipelineCacheName(device.snapshot()));
    if (Result<MappedFile> opened = MappedFile::open(cache.path_);
        opened.isOk()) {
      file = *std::move(opened);
      data = decodePipelineCache(device.snapshot(), file.bytes());
    }
  }

  VkPipelineCacheCreateInfo info = {
      VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (data) {
    info.initialDataSize = data->size();
    info.pInitialData = data->data();
    cache.sizeOnDisk_ = data->size();
  }
  VkPipelineCache handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreatePipelineCache(device.handle(), &info,
                                        /*pAllocator=*/nullptr, &handle),
      "vkCreatePipelineCache"));
  cache.cache_ = {handle,
                  device.deleter<&DeviceTable::vkDestroyPipelineCache>()};
  return cache;
}

Status PipelineCache::save(const Device &device) {
  if (path_.empty())
    return Status::ok();
  constexpr const char *kFunction = "vkGetPipelineCacheData";
  size_t size = 0;
  RUNG_RETURN_IF_ERROR(toStatus(device.vk().vkGetPipelineCacheData(
                                    device.handle(), handle(), &size, nullptr),
                                kFunction));
  if (size <= sizeOnDisk_)
    return Status::ok();
  std::vector<std::byte> data(size);
  RUNG_RETURN_IF_ERROR(
      toStatus(device.vk().vkGetPipelineCacheData(device.handle(), handle(),
                                                  &size, data.data()),
               kFunction));
  data.resize(size);
  std::error_code error;
  std::filesystem::create_directories(
      std::filesystem::path(path_).parent_path(), error);
  if (error)
    return Status(StatusCode::Io,
                  concat("the folder of '", path_,
                         "' cannot be made: ", error.message()));
  RUNG_RETURN_IF_ERROR(
      writeFile(path_, encodePipelineCache(device.snapshot(), data)));
  sizeOnDisk_ = size;
  return Status::ok();
}

} // namespace rung
