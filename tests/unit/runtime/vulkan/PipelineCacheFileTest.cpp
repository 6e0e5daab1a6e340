//===- PipelineCacheFileTest.cpp - a cache file's bytes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/PipelineCache.h"
#include "tests/unit/runtime/vulkan/Fakes.h"
#include "tests/unit/support/Mutate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace rung::test {

namespace {

DeviceSnapshot device() {
  DeviceSnapshot snapshot = fakes::discreteGpu();
  snapshot.vendorId = 0x10de;
  snapshot.deviceId = 0x2335;
  for (uint8_t i = 0; i < 16; ++i)
    snapshot.pipelineCacheUuid[i] = uint8_t(i * 17);
  return snapshot;
}

const std::vector<std::byte> kData(100, std::byte(42));

TEST(PipelineCacheFileTest, GivesBackWhatWasPutIn) {
  const std::vector<std::byte> file = encodePipelineCache(device(), kData);
  auto data = decodePipelineCache(device(), file);
  ASSERT_TRUE(data.has_value());
  EXPECT_TRUE(std::ranges::equal(*data, kData));
}

TEST(PipelineCacheFileTest, IgnoresAnyDamage) {
  const std::vector<std::byte> file = encodePipelineCache(device(), kData);
  for (size_t i = 0; i < file.size(); ++i) {
    std::vector<std::byte> copy = file;
    copy[i] ^= std::byte(1);
    EXPECT_FALSE(decodePipelineCache(device(), copy)) << "byte " << i;
    copy = file;
    copy.resize(i);
    EXPECT_FALSE(decodePipelineCache(device(), copy)) << "length " << i;
  }
  Mutator mutator(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<std::byte> copy = mutator.bytes(file);
    EXPECT_TRUE(copy == file || !decodePipelineCache(device(), copy)) << i;
  }
}

TEST(PipelineCacheFileTest, IgnoresAnotherDevicesFile) {
  const std::vector<std::byte> file = encodePipelineCache(device(), kData);
  DeviceSnapshot other = device();
  other.pipelineCacheUuid[15] ^= 1;
  EXPECT_FALSE(decodePipelineCache(other, file));
  other = device();
  other.deviceId ^= 1;
  EXPECT_FALSE(decodePipelineCache(other, file));
}

TEST(PipelineCacheFileTest, IsNamedForTheDriversUuid) {
  EXPECT_EQ(pipelineCacheName(device()),
            "pipelines-00112233445566778899aabbccddeeff.bin");
}

TEST(PipelineCacheFileTest, LiesInTheUsersCache) {
  setenv("XDG_CACHE_HOME", "/c", 1);
  EXPECT_EQ(pipelineCacheFolder(), "/c/rung");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/h", 1);
  EXPECT_EQ(pipelineCacheFolder(), "/h/.cache/rung");
  unsetenv("HOME");
  EXPECT_EQ(pipelineCacheFolder(), "");
}

} // namespace

} // namespace rung::test
