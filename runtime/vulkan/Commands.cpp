//===- Commands.cpp - recording into command buffers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Commands.h"

#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

namespace rung {

namespace {

struct ActorMasks {
  VkPipelineStageFlags stage;
  VkAccessFlags reads;
  VkAccessFlags writes;
};

ActorMasks masksOf(Actor actor) {
  switch (actor) {
  case Actor::Kernel:
    return {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
            VK_ACCESS_SHADER_WRITE_BIT};
  case Actor::Copy:
    return {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
            VK_ACCESS_TRANSFER_WRITE_BIT};
  case Actor::Host:
    return {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT,
            VK_ACCESS_HOST_WRITE_BIT};
  }
  return {};
}

} // namespace

Status beginCommands(const Device &device, VkCommandBuffer commands) {
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  return toStatus(device.vk().vkBeginCommandBuffer(commands, &info),
                  "vkBeginCommandBuffer");
}

Status endCommands(const Device &device, VkCommandBuffer commands) {
  return toStatus(device.vk().vkEndCommandBuffer(commands),
                  "vkEndCommandBuffer");
}

void recordBarrier(const Device &device, VkCommandBuffer commands, Actor before,
                   Actor after) {
  const ActorMasks from = masksOf(before);
  const ActorMasks to = masksOf(after);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = from.writes;
  barrier.dstAccessMask = to.reads | to.writes;
  device.vk().vkCmdPipelineBarrier(commands, from.stage, to.stage,
                                   /*dependencyFlags=*/0, 1, &barrier, 0,
                                   nullptr, 0, nullptr);
}

} // namespace rung
