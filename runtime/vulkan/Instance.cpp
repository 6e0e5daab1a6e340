//===- Instance.cpp - the Vulkan loader and one instance --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Instance.h"

#include "runtime/base/Profile.h"
#include "runtime/base/Text.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

namespace rung {

namespace {

constexpr const char *kValidationLayer = "VK_LAYER_KHRONOS_validation";

/// Finds the loader's one entry point. The library is never unloaded: drivers
/// leave threads and exit handlers behind.
Result<PFN_vkGetInstanceProcAddr> openLoader() {
  constexpr const char *kNames[] = {"libvulkan.so.1", "libvulkan.so",
                                    "libvulkan.1.dylib"};
  std::string reason;
  for (const char *name : kNames) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
      if (reason.empty())
        reason = dlerror();
      continue;
    }
    if (void *entry = dlsym(library, "vkGetInstanceProcAddr"))
      return reinterpret_cast<PFN_vkGetInstanceProcAddr>(entry);
    reason = concat(name, " has no function 'vkGetInstanceProcAddr'");
  }
  return Status(StatusCode::NotFound,
                concat("there is no Vulkan loader (", reason, ")"));
}

/// The layer's messages about wrong use, not what the loader tells of itself.
VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(
    VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  static_cast<MessageLog *>(user)->add(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(MessageLog *log) {
  VkDebugUtilsMessengerCreateInfoEXT info = {
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = onMessage;
  info.pUserData = log;
  return info;
}

Status checkValidationLayer(const InstanceTable &vk) {
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(
      toStatus(vk.vkEnumerateInstanceLayerProperties(&count, nullptr),
               "vkEnumerateInstanceLayerProperties"));
  std::vector<VkLayerProperties> layers(count);
  RUNG_RETURN_IF_ERROR(
      toStatus(vk.vkEnumerateInstanceLayerProperties(&count, layers.data()),
               "vkEnumerateInstanceLayerProperties"));
  for (const VkLayerProperties &layer : layers)
    if (std::strcmp(layer.layerName, kValidationLayer) == 0)
      return Status::ok();
  return Status(StatusCode::Unsupported,
                concat("RUNG_VALIDATION is set, but the layer ",
                       kValidationLayer, " is not installed"));
}

} // namespace

InstanceOptions InstanceOptions::fromEnvironment() {
  const char *value = std::getenv("RUNG_VALIDATION");
  return {.validation = value && *value && std::string_view(value) != "0"};
}

void Instance::InstanceDeleter::operator()(VkInstance instance) const {
  vk->vkDestroyInstance(instance, /*pAllocator=*/nullptr);
}

void Instance::MessengerDeleter::operator()(
    VkDebugUtilsMessengerEXT messenger) const {
  vk->vkDestroyDebugUtilsMessengerEXT(instance, messenger,
                                      /*pAllocator=*/nullptr);
}

Result<std::unique_ptr<Instance>>
Instance::create(const InstanceOptions &options) {
  std::unique_ptr<Instance> instance(new Instance());
  RUNG_RETURN_IF_ERROR(
      instance->open(options).while_("opening the Vulkan loader"));
  RUNG_RETURN_IF_ERROR(
      instance->createInstance(options).while_("creating a Vulkan instance"));
  return instance;
}

Status Instance::open(const InstanceOptions &options) {
  RUNG_ASSIGN_OR_RETURN(PFN_vkGetInstanceProcAddr entry, openLoader());
  table_.init(entry);

  // Loaders of Vulkan 1.0 lack the function.
  uint32_t loaderVersion = VK_API_VERSION_1_0;
  if (table_.vkEnumerateInstanceVersion)
    RUNG_RETURN_IF_ERROR(
        toStatus(table_.vkEnumerateInstanceVersion(&loaderVersion),
                 "vkEnumerateInstanceVersion"));
  if (loaderVersion < kMinApiVersion)
    return Status(StatusCode::Unsupported,
                  concat("the Vulkan loader has version ",
                         formatApiVersion(loaderVersion), "; ",
                         formatApiVersion(kMinApiVersion), " is needed"));
  apiVersion_ = std::min<uint32_t>(loaderVersion, VK_API_VERSION_1_3);
  return options.validation ? checkValidationLayer(table_) : Status::ok();
}

Status Instance::createInstance(const InstanceOptions &options) {
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pEngineName = "rung";
  application.apiVersion = apiVersion_;
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;

  // The messenger in the chain hears what is said while the instance is made
  // and destroyed, when none of its own exists.
  VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(messages_.get());
  constexpr VkValidationFeatureEnableEXT kEnabled[] = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                      &messenger};
  features.enabledValidationFeatureCount = std::size(kEnabled);
  features.pEnabledValidationFeatures = kEnabled;
  constexpr const char *kExtensions[] = {
      VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
      VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  if (options.validation) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
    info.enabledExtensionCount = std::size(kExtensions);
    info.ppEnabledExtensionNames = kExtensions;
  }

  VkInstance instance = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(toStatus(
      table_.vkCreateInstance(&info, /*pAllocator=*/nullptr, &instance),
      "vkCreateInstance"));
  table_.init(vk::Instance(instance));
  instance_ = {instance, InstanceDeleter{&table_}};
  if (!options.validation)
    return Status::ok();

  VkDebugUtilsMessengerEXT handle = VK_NULL_HANDLE;
  RUNG_RETURN_IF_ERROR(
      toStatus(table_.vkCreateDebugUtilsMessengerEXT(
                   instance, &messenger, /*pAllocator=*/nullptr, &handle),
               "vkCreateDebugUtilsMessengerEXT"));
  messenger_ = {handle, MessengerDeleter{&table_, instance}};
  return Status::ok();
}

Result<std::vector<VkPhysicalDevice>> Instance::physicalDevices() const {
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(
      toStatus(table_.vkEnumeratePhysicalDevices(handle(), &count, nullptr),
               "vkEnumeratePhysicalDevices"));
  std::vector<VkPhysicalDevice> devices(count);
  RUNG_RETURN_IF_ERROR(toStatus(
      table_.vkEnumeratePhysicalDevices(handle(), &count, devices.data()),
      "vkEnumeratePhysicalDevices"));
  devices.resize(count);
  return devices;
}

} // namespace rung
