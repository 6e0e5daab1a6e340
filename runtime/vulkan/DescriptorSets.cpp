//===- DescriptorSets.cpp - what each dispatch works on ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/DescriptorSets.h"

#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>

namespace rung {

static Result<UniqueDescriptorPool>
createPool(const Device &device, uint32_t sets, uint32_t buffers) {
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers};
  VkDescriptorPoolCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = sets;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreateDescriptorPool(device.handle(), &info,
                                         /*pAllocator=*/nullptr, &handle),
      "vkCreateDescriptorPool"));
  return UniqueDescriptorPool(
      handle, device.deleter<&DeviceTable::vkDestroyDescriptorPool>());
}

static void writeSet(const Device &device, VkDescriptorSet set,
                     std::span<const BoundBuffer> buffers) {
  std::vector<VkDescriptorBufferInfo> infos;
  for (const BoundBuffer &bound : buffers)
    infos.push_back({bound.buffer, bound.offset, bound.size});
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = 0; // Consecutive bindings of one type are one array.
  write.descriptorCount = static_cast<uint32_t>(infos.size());
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = infos.data();
  device.vk().vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
}

Result<DescriptorSets>
DescriptorSets::create(const Device &device,
                       std::span<const SetContents> contents) {
  DescriptorSets result;
  if (contents.empty())
    return result;
  size_t buffers = 0;
  std::vector<VkDescriptorSetLayout> layouts;
  for (const SetContents &each : contents) {
    buffers += each.buffers.size();
    layouts.push_back(each.layout);
  }
  const auto count = static_cast<uint32_t>(contents.size());
  RUNG_ASSIGN_OR_RETURN(
      result.pool_, createPool(device, count, static_cast<uint32_t>(buffers)));

  VkDescriptorSetAllocateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = result.pool_.get();
  info.descriptorSetCount = count;
  info.pSetLayouts = layouts.data();
  result.sets_.resize(count);
  RUNG_RETURN_IF_ERROR(
      toStatus(device.vk().vkAllocateDescriptorSets(device.handle(), &info,
                                                    result.sets_.data()),
               "vkAllocateDescriptorSets"));
  for (size_t i = 0; i < contents.size(); ++i)
    writeSet(device, result.sets_[i], contents[i].buffers);
  return result;
}

} // namespace rung
