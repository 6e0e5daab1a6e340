//===- ValidationLayer.cpp - asking for the validation layer ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/ValidationLayer.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <iterator>
#include <string_view>

namespace rung {

namespace {

constexpr const char *kLayer = "VK_LAYER_KHRONOS_validation";

constexpr VkBool32 kTrue = VK_TRUE;
/// Synchronization is checked with what shaders access by their SPIR-V: the
/// barriers between dispatches are what the runtime could get wrong.
constexpr VkLayerSettingEXT kSettings[] = {
    {kLayer, "validate_sync", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &kTrue},
    {kLayer, "syncval_shader_accesses_heuristic",
     VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &kTrue},
};

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(
    VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  static_cast<MessageLog *>(user)->add(data->pMessage);
  return VK_FALSE;
}

Status findLayer(const InstanceTable &vk) {
  constexpr const char *kFunction = "vkEnumerateInstanceLayerProperties";
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(toStatus(
      vk.vkEnumerateInstanceLayerProperties(&count, nullptr), kFunction));
  std::vector<VkLayerProperties> layers(count);
  RUNG_RETURN_IF_ERROR(toStatus(
      vk.vkEnumerateInstanceLayerProperties(&count, layers.data()), kFunction));
  for (const VkLayerProperties &layer : layers)
    if (std::string_view(layer.layerName) == kLayer)
      return Status::ok();
  return Status(StatusCode::Unsupported,
                concat("layer ", kLayer, " is asked for and not installed"));
}

Result<bool> hasSettings(const InstanceTable &vk) {
  constexpr const char *kFunction = "vkEnumerateInstanceExtensionProperties";
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(toStatus(
      vk.vkEnumerateInstanceExtensionProperties(kLayer, &count, nullptr),
      kFunction));
  std::vector<VkExtensionProperties> extensions(count);
  RUNG_RETURN_IF_ERROR(toStatus(vk.vkEnumerateInstanceExtensionProperties(
                                    kLayer, &count, extensions.data()),
                                kFunction));
  for (const VkExtensionProperties &extension : extensions)
    if (std::string_view(extension.extensionName) ==
        VK_EXT_LAYER_SETTINGS_EXTENSION_NAME)
      return true;
  return false;
}

} // namespace

ValidationLayer::ValidationLayer(MessageLog *log)
    : extensions_({VK_EXT_DEBUG_UTILS_EXTENSION_NAME}) {
  // What is wrong with how Vulkan is used, not what the loader tells of itself.
  messenger_.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger_.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger_.pfnUserCallback = onMessage;
  messenger_.pUserData = log;
  settings_.pNext = &messenger_;
  settings_.settingCount = std::size(kSettings);
  settings_.pSettings = kSettings;
}

Status ValidationLayer::find(const InstanceTable &vk) {
  RUNG_RETURN_IF_ERROR(findLayer(vk));
  RUNG_ASSIGN_OR_RETURN(bool settings, hasSettings(vk));
  if (settings)
    extensions_.push_back(VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
  return Status::ok();
}

void ValidationLayer::addTo(VkInstanceCreateInfo &info) const {
  const bool settings = extensions_.size() > 1;
  info.pNext = settings ? static_cast<const void *>(&settings_) : &messenger_;
  info.enabledLayerCount = 1;
  info.ppEnabledLayerNames = &kLayer;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
  info.ppEnabledExtensionNames = extensions_.data();
}

} // namespace rung
