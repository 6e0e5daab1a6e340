//===- VulkanHeaders.h - Vulkan's declarations, young ones too --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The only place that includes Vulkan's C header. Packaged headers may be older
// than the drivers they meet (Debian 12 has 1.3.239), so what they lack of the
// extensions that Rung uses is declared here, as the registry does.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_RUNTIME_VULKAN_VULKANHEADERS_H
#define RUNG_RUNTIME_VULKAN_VULKANHEADERS_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#ifndef VK_KHR_cooperative_matrix
#define VK_KHR_cooperative_matrix 1
#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"

inline constexpr VkStructureType
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR =
        VkStructureType(1000506000),
    VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR =
        VkStructureType(1000506001);

enum VkScopeKHR {
  VK_SCOPE_DEVICE_KHR = 1,
  VK_SCOPE_WORKGROUP_KHR = 2,
  VK_SCOPE_SUBGROUP_KHR = 3,
  VK_SCOPE_MAX_ENUM_KHR = 0x7fffffff
};

enum VkComponentTypeKHR {
  VK_COMPONENT_TYPE_FLOAT16_KHR = 0,
  VK_COMPONENT_TYPE_FLOAT32_KHR = 1,
  VK_COMPONENT_TYPE_FLOAT64_KHR = 2,
  VK_COMPONENT_TYPE_SINT8_KHR = 3,
  VK_COMPONENT_TYPE_SINT16_KHR = 4,
  VK_COMPONENT_TYPE_SINT32_KHR = 5,
  VK_COMPONENT_TYPE_SINT64_KHR = 6,
  VK_COMPONENT_TYPE_UINT8_KHR = 7,
  VK_COMPONENT_TYPE_UINT16_KHR = 8,
  VK_COMPONENT_TYPE_UINT32_KHR = 9,
  VK_COMPONENT_TYPE_UINT64_KHR = 10,
  VK_COMPONENT_TYPE_MAX_ENUM_KHR = 0x7fffffff
};

struct VkCooperativeMatrixPropertiesKHR {
  VkStructureType sType;
  void *pNext;
  uint32_t MSize;
  uint32_t NSize;
  uint32_t KSize;
  VkComponentTypeKHR AType;
  VkComponentTypeKHR BType;
  VkComponentTypeKHR CType;
  VkComponentTypeKHR ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeKHR scope;
};

struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 cooperativeMatrix;
  VkBool32 cooperativeMatrixRobustBufferAccess;
};

typedef VkResult(
    VKAPI_PTR *PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)(
    VkPhysicalDevice, uint32_t *, VkCooperativeMatrixPropertiesKHR *);
#endif // VK_KHR_cooperative_matrix

#ifndef VK_KHR_shader_bfloat16
#define VK_KHR_shader_bfloat16 1
#define VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME "VK_KHR_shader_bfloat16"

inline constexpr VkStructureType
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR =
        VkStructureType(1000141000);
inline constexpr VkComponentTypeKHR VK_COMPONENT_TYPE_BFLOAT16_KHR =
    VkComponentTypeKHR(1000141000);

struct VkPhysicalDeviceShaderBfloat16FeaturesKHR {
  VkStructureType sType;
  void *pNext;
  VkBool32 shaderBFloat16Type;
  VkBool32 shaderBFloat16DotProduct;
  VkBool32 shaderBFloat16CooperativeMatrix;
};
#endif // VK_KHR_shader_bfloat16

#ifndef VK_EXT_layer_settings
#define VK_EXT_layer_settings 1
#define VK_EXT_LAYER_SETTINGS_EXTENSION_NAME "VK_EXT_layer_settings"

inline constexpr VkStructureType
    VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT =
        VkStructureType(1000496000);

enum VkLayerSettingTypeEXT {
  VK_LAYER_SETTING_TYPE_BOOL32_EXT = 0,
  VK_LAYER_SETTING_TYPE_MAX_ENUM_EXT = 0x7fffffff
};

struct VkLayerSettingEXT {
  const char *pLayerName;
  const char *pSettingName;
  VkLayerSettingTypeEXT type;
  uint32_t valueCount;
  const void *pValues;
};

struct VkLayerSettingsCreateInfoEXT {
  VkStructureType sType;
  const void *pNext;
  uint32_t settingCount;
  const VkLayerSettingEXT *pSettings;
};
#endif // VK_EXT_layer_settings

#endif // RUNG_RUNTIME_VULKAN_VULKANHEADERS_H
