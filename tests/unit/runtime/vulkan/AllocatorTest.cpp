//===- AllocatorTest.cpp - both ways to find memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Buffer.h"
#include "runtime/vulkan/Commands.h"
#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

#include <algorithm>

namespace rung::test {

namespace {

class AllocatorTest : public DeviceTest,
                      public testing::WithParamInterface<Allocator::Kind> {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    bundle_.emplace(readModel(affineModel(1)));
    device_ = makeDevice(*bundle_, GetParam());
    ASSERT_NE(device_, nullptr);
  }
  void TearDown() override {
    device_.reset();
    DeviceTest::TearDown();
  }

  std::optional<BundleReader> bundle_;
  std::unique_ptr<Device> device_;
};

INSTANTIATE_TEST_SUITE_P(
    , AllocatorTest, testing::ValuesIn(Allocator::kinds()),
    [](const testing::TestParamInfo<Allocator::Kind> &info) {
      return info.param == Allocator::Kind::Pooled ? "Pooled" : "Dedicated";
    });

TEST_P(AllocatorTest, MapsWhatTheHostUses) {
  for (MemoryUse use :
       {MemoryUse::Upload, MemoryUse::Feed, MemoryUse::Readback}) {
    Result<Buffer> buffer = Buffer::create(*device_, 100, use);
    ASSERT_TRUE(buffer.isOk()) << buffer.status().message();
    EXPECT_EQ(buffer->size(), 112u);
    ASSERT_EQ(buffer->mapped().size(), 112u);
    std::ranges::fill(buffer->mapped(), std::byte(7));
    EXPECT_EQ(buffer->mapped()[111], std::byte(7));
  }
  Result<Buffer> hidden = Buffer::create(*device_, 100, MemoryUse::Device);
  ASSERT_TRUE(hidden.isOk()) << hidden.status().message();
  EXPECT_TRUE(hidden->mapped().empty());
}

TEST_P(AllocatorTest, CarriesBytesToTheDeviceAndBack) {
  Result<Buffer> up = Buffer::create(*device_, 4096, MemoryUse::Upload);
  Result<Buffer> far = Buffer::create(*device_, 4096, MemoryUse::Device);
  Result<Buffer> down = Buffer::create(*device_, 4096, MemoryUse::Readback);
  Result<VkCommandBuffer> commands = device_->allocateCommands();
  ASSERT_TRUE(up.isOk() && far.isOk() && down.isOk() && commands.isOk());
  for (size_t i = 0; i < 4096; ++i)
    up->mapped()[i] = std::byte(i * 31);
  const VkBufferCopy region = {0, 0, 4096};
  ASSERT_TRUE(beginCommands(*device_, *commands).isOk());
  const DeviceTable &vk = device_->vk();
  vk.vkCmdCopyBuffer(*commands, up->handle(), far->handle(), 1, &region);
  recordBarrier(*device_, *commands, Actor::Copy, Actor::Copy);
  vk.vkCmdCopyBuffer(*commands, far->handle(), down->handle(), 1, &region);
  recordBarrier(*device_, *commands, Actor::Copy, Actor::Host);
  ASSERT_TRUE(endCommands(*device_, *commands).isOk());
  const Status status =
      device_->submitAndWait(*commands, std::chrono::seconds(30));
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_TRUE(std::ranges::equal(up->mapped(), down->mapped()));
}

TEST_P(AllocatorTest, MakesABufferForNothing) {
  Result<Buffer> buffer = Buffer::create(*device_, 0, MemoryUse::Upload);
  ASSERT_TRUE(buffer.isOk()) << buffer.status().message();
  EXPECT_EQ(buffer->size(), 16u);
}

TEST_P(AllocatorTest, ReleasesMemoryForTheNext) {
  // Far more in sum than there is, so that only freed memory serves.
  const uint64_t size =
      std::min<uint64_t>(device_->availableMemory() / 4, uint64_t(64) << 20);
  for (uint64_t total = 0; total < (uint64_t(2) << 30); total += size) {
    Result<Buffer> buffer = Buffer::create(*device_, size, MemoryUse::Device);
    ASSERT_TRUE(buffer.isOk()) << buffer.status().message();
  }
}

} // namespace

} // namespace rung::test
