//===- Pipeline.cpp - a kernel made ready to run ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Pipeline.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <vector>

namespace rung {

Result<Pipeline> Pipeline::create(const Device &device,
                                  const fb::Kernel &kernel,
                                  VkPipelineCache cache) {
  Pipeline pipeline;
  const std::string context =
      concat("compiling kernel ", quote(kernel.name()->string_view()), " for '",
             device.name(), "'");
  RUNG_RETURN_IF_ERROR(
      pipeline.createSetLayout(device, kernel).while_(context));
  RUNG_RETURN_IF_ERROR(pipeline.createLayout(device, kernel).while_(context));
  RUNG_RETURN_IF_ERROR(
      pipeline.createPipeline(device, kernel, cache).while_(context));
  return pipeline;
}

Status Pipeline::createSetLayout(const Device &device,
                                 const fb::Kernel &kernel) {
  bindings_ = kernel.bindings();
  std::vector<VkDescriptorSetLayoutBinding> bindings(bindings_);
  for (uint32_t i = 0; i < bindings_; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkDescriptorSetLayoutCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = bindings_;
  info.pBindings = bindings.data();
  VkDescriptorSetLayout handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreateDescriptorSetLayout(device.handle(), &info,
                                              /*pAllocator=*/nullptr, &handle),
      "vkCreateDescriptorSetLayout"));
  setLayout_ = {handle,
                device.deleter<&DeviceTable::vkDestroyDescriptorSetLayout>()};
  return Status::ok();
}

Status Pipeline::createLayout(const Device &device, const fb::Kernel &kernel) {
  VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, /*offset=*/0,
                              kernel.push_bytes()};
  VkDescriptorSetLayout sets = setLayout_.get();
  VkPipelineLayoutCreateInfo info = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &sets;
  info.pushConstantRangeCount = push.size > 0 ? 1 : 0;
  info.pPushConstantRanges = &push;
  VkPipelineLayout handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreatePipelineLayout(device.handle(), &info,
                                         /*pAllocator=*/nullptr, &handle),
      "vkCreatePipelineLayout"));
  layout_ = {handle, device.deleter<&DeviceTable::vkDestroyPipelineLayout>()};
  return Status::ok();
}

static Result<UniqueShaderModule> createModule(const Device &device,
                                               const fb::Kernel &kernel) {
  VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = kernel.spirv()->size() * sizeof(uint32_t);
  info.pCode = kernel.spirv()->data();
  VkShaderModule handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreateShaderModule(device.handle(), &info,
                                       /*pAllocator=*/nullptr, &handle),
      "vkCreateShaderModule"));
  return UniqueShaderModule(
      handle, device.deleter<&DeviceTable::vkDestroyShaderModule>());
}

Status Pipeline::createPipeline(const Device &device, const fb::Kernel &kernel,
                                VkPipelineCache cache) {
  RUNG_ASSIGN_OR_RETURN(UniqueShaderModule module,
                        createModule(device, kernel));
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  subgroup.requiredSubgroupSize = kernel.required_subgroup_size();

  VkComputePipelineCreateInfo info = {
      VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module.get();
  info.stage.pName = kernel.entry()->c_str();
  info.layout = layout_.get();
  // The plan made sure that a size which can't be asked for is the device's
  // own.
  if (subgroup.requiredSubgroupSize != 0 &&
      device.plan().has(Feature::SubgroupSizeControl)) {
    info.stage.pNext = &subgroup;
    if (device.plan().fullSubgroups &&
        kernel.local_x() % subgroup.requiredSubgroupSize == 0)
      info.stage.flags =
          VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  VkPipeline handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      device.vk().vkCreateComputePipelines(device.handle(), cache, 1, &info,
                                           /*pAllocator=*/nullptr, &handle),
      "vkCreateComputePipelines"));
  pipeline_ = {handle, device.deleter<&DeviceTable::vkDestroyPipeline>()};
  return Status::ok();
}

} // namespace rung
