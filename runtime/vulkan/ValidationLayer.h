//===- ValidationLayer.h - asking for the validation layer ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_VALIDATIONLAYER_H
#define RUNG_RUNTIME_VULKAN_VALIDATIONLAYER_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/DeviceTable.h"
#include "runtime/vulkan/MessageLog.h"

#include <vector>

namespace rung {

/// What goes into an instance's create info so that the Khronos validation
/// layer is loaded, checks synchronization too, and tells a log what it finds.
class ValidationLayer {
public:
  /// \p log must outlive the instance.
  explicit ValidationLayer(MessageLog *log);
  ValidationLayer(const ValidationLayer &) = delete; // Points into itself.

  /// Unsupported if the layer is not installed.
  Status find(const InstanceTable &vk);

  /// Adds the layer to \p info, which must not outlive this object. The
  /// messenger in the chain hears what is said while the instance is made and
  /// destroyed, when none of its own exists.
  void addTo(VkInstanceCreateInfo &info) const;

  /// For a messenger in between.
  const VkDebugUtilsMessengerCreateInfoEXT &messenger() const {
    return messenger_;
  }

private:
  VkDebugUtilsMessengerCreateInfoEXT messenger_ = {
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  VkLayerSettingsCreateInfoEXT settings_ = {
      VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT};
  std::vector<const char *> extensions_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_VALIDATIONLAYER_H
