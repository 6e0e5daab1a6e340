//===- Instance.h - the Vulkan loader and one instance ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_INSTANCE_H
#define RUNG_RUNTIME_VULKAN_INSTANCE_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/DeviceTable.h"
#include "runtime/vulkan/MessageLog.h"
#include "runtime/vulkan/UniqueHandle.h"

#include <memory>
#include <vector>

namespace rung {

/// The oldest Vulkan that Rung runs on.
inline constexpr uint32_t kMinApiVersion = VK_API_VERSION_1_2;

struct InstanceOptions {
  /// Loads the validation layer, with its checks of synchronization, and
  /// records what it says.
  bool validation = false;

  /// `validation` from RUNG_VALIDATION, which is on unless unset, empty or 0.
  static InstanceOptions fromEnvironment();
};

/// A Vulkan instance. The loader is opened when the first one is made, so that
/// programs start on machines without Vulkan; it stays loaded from then on.
class Instance {
public:
  /// NotFound: there is no Vulkan loader. Unsupported: it is older than
  /// `kMinApiVersion`, finds no driver, or lacks the validation layer.
  static Result<std::unique_ptr<Instance>> create(const InstanceOptions &);

  const InstanceTable &vk() const { return table_; }
  VkInstance handle() const { return instance_.get(); }
  /// The Vulkan version asked for: a device's own, where that is lower, counts.
  uint32_t apiVersion() const { return apiVersion_; }

  /// The devices, in the loader's order.
  Result<std::vector<VkPhysicalDevice>> physicalDevices() const;

  /// What the validation layer said; also receives what it says when the
  /// instance is destroyed. Never null.
  const std::shared_ptr<MessageLog> &messages() const { return messages_; }

private:
  struct InstanceDeleter {
    const InstanceTable *vk = nullptr;
    void operator()(VkInstance instance) const;
  };
  struct MessengerDeleter {
    const InstanceTable *vk = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    void operator()(VkDebugUtilsMessengerEXT messenger) const;
  };

  Instance() = default;
  Status open();
  Status createInstance(const InstanceOptions &options);

  InstanceTable table_;
  uint32_t apiVersion_ = 0;
  std::shared_ptr<MessageLog> messages_ = std::make_shared<MessageLog>();
  UniqueHandle<VkInstance, InstanceDeleter> instance_;
  UniqueHandle<VkDebugUtilsMessengerEXT, MessengerDeleter> messenger_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_INSTANCE_H
