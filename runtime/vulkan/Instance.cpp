//===- Instance.cpp - the Vulkan loader and one instance --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Instance.h"

#include "runtime/base/Profile.h"
#include "runtime/base/Text.h"
#include "runtime/vulkan/ValidationLayer.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace rung {

namespace {

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
  RUNG_RETURN_IF_ERROR(instance->open().while_("opening the Vulkan loader"));
  RUNG_RETURN_IF_ERROR(
      instance->createInstance(options).while_("creating a Vulkan instance"));
  return instance;
}

Status Instance::open() {
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
  return Status::ok();
}

Status Instance::createInstance(const InstanceOptions &options) {
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pEngineName = "rung";
  application.apiVersion = apiVersion_;
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;

  ValidationLayer validation(messages_.get());
  if (options.validation) {
    RUNG_RETURN_IF_ERROR(validation.find(table_));
    validation.addTo(info);
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
  RUNG_RETURN_IF_ERROR(toStatus(
      table_.vkCreateDebugUtilsMessengerEXT(instance, &validation.messenger(),
                                            /*pAllocator=*/nullptr, &handle),
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
