//===- Timestamps.cpp - times by the device's own clock ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Timestamps.h"

#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

namespace rung {

double elapsedMs(uint64_t from, uint64_t to, uint32_t bits,
                 double nanosecondsPerTick) {
  const uint64_t mask = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return double((to - from) & mask) * nanosecondsPerTick * 1e-6;
}

Result<Timestamps> Timestamps::create(const Device &device, uint32_t capacity) {
  Timestamps result;
  if (!device.plan().timestamps || capacity == 0)
    return result;
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = capacity;
  VkQueryPool handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(device.vk().vkCreateQueryPool(device.handle(), &info,
                                             /*pAllocator=*/nullptr, &handle),
               "vkCreateQueryPool"));
  result.pool_ = {handle, device.deleter<&DeviceTable::vkDestroyQueryPool>()};
  result.capacity_ = capacity;
  return result;
}

void Timestamps::reset(const Device &device, VkCommandBuffer commands) {
  marks_ = 0;
  if (pool_)
    device.vk().vkCmdResetQueryPool(commands, pool_.get(), /*firstQuery=*/0,
                                    capacity_);
}

void Timestamps::mark(const Device &device, VkCommandBuffer commands) {
  if (marks_ < capacity_)
    device.vk().vkCmdWriteTimestamp(
        commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_.get(), marks_++);
}

Result<std::vector<double>> Timestamps::read(const Device &device) const {
  std::vector<double> intervals;
  if (marks_ == 0)
    return intervals;
  std::vector<uint64_t> ticks(marks_);
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkGetQueryPoolResults(
          device.handle(), pool_.get(), /*firstQuery=*/0, marks_,
          ticks.size() * sizeof(uint64_t), ticks.data(), sizeof(uint64_t),
          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "vkGetQueryPoolResults"));
  const DeviceSnapshot &snapshot = device.snapshot();
  const uint32_t bits =
      snapshot.queueFamilies[device.plan().queueFamily].timestampBits;
  for (uint32_t i = 1; i < marks_; ++i)
    intervals.push_back(elapsedMs(ticks[i - 1], ticks[i], bits,
                                  snapshot.limits.timestampPeriod));
  return intervals;
}

} // namespace rung
