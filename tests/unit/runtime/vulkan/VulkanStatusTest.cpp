//===- VulkanStatusTest.cpp - VkResult as Status ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/VulkanStatus.h"

#include <gtest/gtest.h>

namespace rung {

namespace {

TEST(VulkanStatusTest, KeepsFunctionNameAndNumber) {
  const Status status = toStatus(VK_ERROR_DEVICE_LOST, "vkQueueSubmit");
  EXPECT_EQ(status.code(), StatusCode::Device);
  EXPECT_EQ(
      status.message(),
      "vkQueueSubmit returned VK_ERROR_DEVICE_LOST (-4): the device was lost");
}

TEST(VulkanStatusTest, TellsShortMemoryFromABrokenDevice) {
  for (VkResult result :
       {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
        VK_ERROR_OUT_OF_POOL_MEMORY})
    EXPECT_EQ(toStatus(result, "f").code(), StatusCode::ResourceExhausted)
        << toString(result);
  for (VkResult result :
       {VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT,
        VK_ERROR_INCOMPATIBLE_DRIVER})
    EXPECT_EQ(toStatus(result, "f").code(), StatusCode::Unsupported)
        << toString(result);
}

TEST(VulkanStatusTest, TakesOnlySuccessForSuccess) {
  EXPECT_TRUE(toStatus(VK_SUCCESS, "f").isOk());
  for (VkResult result : {VK_TIMEOUT, VK_INCOMPLETE, VK_NOT_READY})
    EXPECT_FALSE(toStatus(result, "f").isOk()) << toString(result);
}

TEST(VulkanStatusTest, GivesTheNumberOfAResultWithoutAName) {
  const Status status = toStatus(VkResult(-1234567), "vkFoo");
  EXPECT_EQ(status.code(), StatusCode::Device);
  EXPECT_EQ(status.message(), "vkFoo returned VkResult -1234567");
}

} // namespace

} // namespace rung
