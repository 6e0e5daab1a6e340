//===- ReadSnapshot.cpp - snapshots of real devices -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/ReadSnapshot.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/VulkanStatus.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

namespace rung {

namespace {

/// Puts \p next at the end of a pNext chain and gives the place for the one
/// after it.
template <typename Struct> void **append(void **link, Struct &next) {
  *link = &next;
  return &next.pNext;
}

/// Fills one snapshot, query by query.
class SnapshotReader {
public:
  SnapshotReader(const Instance &instance, VkPhysicalDevice device)
      : instance_(instance), vk_(instance.vk()), device_(device) {}

  Result<DeviceSnapshot> read() {
    VkPhysicalDeviceProperties properties;
    vk_.vkGetPhysicalDeviceProperties(device_, &properties);
    snapshot_.apiVersion = properties.apiVersion;
    snapshot_.usableApiVersion =
        std::min(properties.apiVersion, instance_.apiVersion());
    RUNG_RETURN_IF_ERROR(readExtensions());
    readProperties();
    readFeatures();
    RUNG_RETURN_IF_ERROR(readCooperativeShapes());
    readQueueFamilies();
    readMemory();
    return std::move(snapshot_);
  }

private:
  bool has(std::string_view extension) const {
    return snapshot_.hasExtension(extension);
  }
  /// Whether what Vulkan 1.3 took over from \p extension can be asked for.
  bool hasCore13(std::string_view extension) const {
    return snapshot_.usableApiVersion >= VK_API_VERSION_1_3 || has(extension);
  }
  void addIf(bool usable, Feature feature) {
    if (usable)
      snapshot_.features.push_back(feature);
  }

  Status readExtensions();
  void readProperties();
  void copyIdentity(const VkPhysicalDeviceProperties &core,
                    const VkPhysicalDeviceVulkan12Properties &driver);
  void copyLimits(const VkPhysicalDeviceLimits &from);
  void readFeatures();
  Status readCooperativeShapes();
  void readQueueFamilies();
  void readMemory();

  const Instance &instance_;
  const InstanceTable &vk_;
  VkPhysicalDevice device_;
  DeviceSnapshot snapshot_;
};

DeviceKind toKind(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return DeviceKind::Discrete;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return DeviceKind::Integrated;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return DeviceKind::Virtual;
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return DeviceKind::Cpu;
  default:
    return DeviceKind::Other;
  }
}

/// No value for component types that bundles do not know.
std::optional<ScalarType> toScalarType(VkComponentTypeKHR type) {
  switch (static_cast<uint32_t>(type)) {
  case VK_COMPONENT_TYPE_FLOAT16_KHR:
    return ScalarType::F16;
  case VK_COMPONENT_TYPE_FLOAT32_KHR:
    return ScalarType::F32;
  case VK_COMPONENT_TYPE_FLOAT64_KHR:
    return ScalarType::F64;
  case VK_COMPONENT_TYPE_SINT8_KHR:
    return ScalarType::S8;
  case VK_COMPONENT_TYPE_SINT16_KHR:
    return ScalarType::I16;
  case VK_COMPONENT_TYPE_SINT32_KHR:
    return ScalarType::I32;
  case VK_COMPONENT_TYPE_UINT8_KHR:
    return ScalarType::U8;
  case VK_COMPONENT_TYPE_BFLOAT16_KHR:
    return ScalarType::BF16;
  default:
    return std::nullopt;
  }
}

Status SnapshotReader::readExtensions() {
  constexpr const char *kFunction = "vkEnumerateDeviceExtensionProperties";
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(toStatus(vk_.vkEnumerateDeviceExtensionProperties(
                                    device_, nullptr, &count, nullptr),
                                kFunction));
  std::vector<VkExtensionProperties> extensions(count);
  RUNG_RETURN_IF_ERROR(
      toStatus(vk_.vkEnumerateDeviceExtensionProperties(
                   device_, nullptr, &count, extensions.data()),
               kFunction));
  for (const VkExtensionProperties &extension : extensions)
    snapshot_.extensions.push_back(extension.extensionName);
  std::ranges::sort(snapshot_.extensions);
  return Status::ok();
}

/// Lavapipe runs a workgroup to its end on one of a number of threads.
uint32_t lavapipeThreads() {
  constexpr uint32_t kMost = 32;
  const char *setting = std::getenv("LP_NUM_THREADS");
  const uint32_t threads = setting
                               ? uint32_t(std::strtoul(setting, nullptr, 10))
                               : std::thread::hardware_concurrency();
  return std::clamp(threads, 1u, kMost);
}

/// The structs that properties are read into. What is not asked for stays 0.
struct PropertyChain {
  VkPhysicalDeviceProperties2 core = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceVulkan11Properties core11 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties core12 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceSubgroupSizeControlProperties subgroup = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceMaintenance4Properties maintenance4 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV multiprocessors = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
  VkPhysicalDeviceShaderCorePropertiesAMD cores = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};

  uint32_t computeUnits() const {
    return multiprocessors.shaderSMCount
               ? multiprocessors.shaderSMCount
               : cores.shaderEngineCount * cores.shaderArraysPerEngineCount *
                     cores.computeUnitsPerShaderArray;
  }
};

void SnapshotReader::readProperties() {
  PropertyChain chain;
  void **link = append(append(&chain.core.pNext, chain.core11), chain.core12);
  if (hasCore13(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    link = append(link, chain.subgroup);
  if (hasCore13(VK_KHR_MAINTENANCE_4_EXTENSION_NAME))
    link = append(link, chain.maintenance4);
  if (has(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME))
    link = append(link, chain.multiprocessors);
  if (has(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME))
    link = append(link, chain.cores);
  vk_.vkGetPhysicalDeviceProperties2(device_, &chain.core);
  copyIdentity(chain.core.properties, chain.core12);

  snapshot_.subgroupSize = chain.core11.subgroupSize;
  snapshot_.minSubgroupSize = chain.subgroup.minSubgroupSize;
  snapshot_.maxSubgroupSize = chain.subgroup.maxSubgroupSize;
  addIf(chain.subgroup.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT,
        Feature::SubgroupSizeControl);
  addIf(chain.core11.subgroupSupportedOperations &
                VK_SUBGROUP_FEATURE_ARITHMETIC_BIT &&
            chain.core11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT,
        Feature::SubgroupArithmetic);
  snapshot_.float16.roundToNearestEven =
      chain.core12.shaderRoundingModeRTEFloat16;
  snapshot_.float16.preservesDenormals =
      chain.core12.shaderDenormPreserveFloat16;
  snapshot_.computeUnits =
      snapshot_.isLavapipe ? lavapipeThreads() : chain.computeUnits();
  copyLimits(chain.core.properties.limits);
  DeviceLimits &limits = snapshot_.limits;
  limits.maxMemoryAllocationSize = chain.core11.maxMemoryAllocationSize;
  // Without maintenance4 a buffer's only known limit is that of its memory.
  limits.maxBufferSize = chain.maintenance4.maxBufferSize
                             ? chain.maintenance4.maxBufferSize
                             : limits.maxMemoryAllocationSize;
}

void SnapshotReader::copyIdentity(
    const VkPhysicalDeviceProperties &core,
    const VkPhysicalDeviceVulkan12Properties &driver) {
  snapshot_.name = core.deviceName;
  snapshot_.driver = concat(driver.driverName, " ", driver.driverInfo);
  snapshot_.kind = toKind(core.deviceType);
  snapshot_.isLavapipe = driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  snapshot_.vendorId = core.vendorID;
  snapshot_.deviceId = core.deviceID;
  std::ranges::copy(core.pipelineCacheUUID,
                    snapshot_.pipelineCacheUuid.begin());
}

void SnapshotReader::copyLimits(const VkPhysicalDeviceLimits &from) {
  DeviceLimits &to = snapshot_.limits;
  to.maxStorageBufferRange = from.maxStorageBufferRange;
  to.minStorageBufferOffsetAlignment = from.minStorageBufferOffsetAlignment;
  to.maxPerStageDescriptorStorageBuffers =
      from.maxPerStageDescriptorStorageBuffers;
  to.maxPushConstantsSize = from.maxPushConstantsSize;
  to.maxComputeSharedMemorySize = from.maxComputeSharedMemorySize;
  to.maxComputeWorkGroupInvocations = from.maxComputeWorkGroupInvocations;
  std::ranges::copy(from.maxComputeWorkGroupSize,
                    to.maxComputeWorkGroupSize.begin());
  std::ranges::copy(from.maxComputeWorkGroupCount,
                    to.maxComputeWorkGroupCount.begin());
  to.timestampPeriod = from.timestampPeriod;
}

void SnapshotReader::readFeatures() {
  VkPhysicalDeviceFeatures2 features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features core11 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features core12 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
  VkPhysicalDeviceShaderIntegerDotProductFeatures integerDot = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR};
  void **link = append(append(&features.pNext, core11), core12);
  if (hasCore13(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    link = append(link, subgroup);
  if (snapshot_.usableApiVersion >= VK_API_VERSION_1_3)
    link = append(link, integerDot);
  if (has(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME))
    link = append(link, cooperative);
  if (has(VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME))
    link = append(link, bfloat16);
  vk_.vkGetPhysicalDeviceFeatures2(device_, &features);

  if (!subgroup.subgroupSizeControl)
    std::erase(snapshot_.features, Feature::SubgroupSizeControl);
  snapshot_.fullSubgroups = subgroup.computeFullSubgroups;
  snapshot_.vulkanMemoryModelDeviceScope = core12.vulkanMemoryModelDeviceScope;
  addIf(core12.shaderFloat16, Feature::Float16);
  addIf(features.features.shaderInt16, Feature::Int16);
  addIf(core12.shaderInt8, Feature::Int8);
  addIf(core11.storageBuffer16BitAccess, Feature::Storage16);
  addIf(core12.storageBuffer8BitAccess, Feature::Storage8);
  addIf(cooperative.cooperativeMatrix, Feature::CooperativeMatrix);
  addIf(cooperative.cooperativeMatrix && bfloat16.shaderBFloat16Type &&
            bfloat16.shaderBFloat16CooperativeMatrix,
        Feature::BFloat16Cooperative);
  addIf(core12.vulkanMemoryModel, Feature::VulkanMemoryModel);
  addIf(core12.vulkanMemoryModel && core12.vulkanMemoryModelDeviceScope,
        Feature::DeviceScope);
  addIf(integerDot.shaderIntegerDotProduct, Feature::IntegerDot);
  std::ranges::sort(snapshot_.features);
}

Status SnapshotReader::readCooperativeShapes() {
  if (!snapshot_.has(Feature::CooperativeMatrix))
    return Status::ok();
  // Not in the dispatcher of older headers.
  constexpr const char *kFunction =
      "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR";
  auto query =
      reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
          vk_.vkGetInstanceProcAddr(instance_.handle(), kFunction));
  if (!query)
    return Status(StatusCode::Device, concat("the driver of '", snapshot_.name,
                                             "' has no ", kFunction));
  uint32_t count = 0;
  RUNG_RETURN_IF_ERROR(toStatus(query(device_, &count, nullptr), kFunction));
  VkCooperativeMatrixPropertiesKHR empty = {
      VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
  std::vector<VkCooperativeMatrixPropertiesKHR> entries(count, empty);
  RUNG_RETURN_IF_ERROR(
      toStatus(query(device_, &count, entries.data()), kFunction));
  for (const VkCooperativeMatrixPropertiesKHR &entry : entries) {
    std::optional<ScalarType> a = toScalarType(entry.AType);
    std::optional<ScalarType> b = toScalarType(entry.BType);
    std::optional<ScalarType> c = toScalarType(entry.CType);
    std::optional<ScalarType> d = toScalarType(entry.ResultType);
    if (entry.scope != VK_SCOPE_SUBGROUP_KHR || !a || !b || !c || !d ||
        entry.saturatingAccumulation)
      continue;
    snapshot_.cooperativeShapes.push_back(
        {entry.MSize, entry.NSize, entry.KSize, *a, *b, *c, *d});
  }
  return Status::ok();
}

void SnapshotReader::readQueueFamilies() {
  uint32_t count = 0;
  vk_.vkGetPhysicalDeviceQueueFamilyProperties(device_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk_.vkGetPhysicalDeviceQueueFamilyProperties(device_, &count,
                                               families.data());
  for (const VkQueueFamilyProperties &family : families)
    snapshot_.queueFamilies.push_back(
        {.compute = (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0,
         .graphics = (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0,
         .timestampBits = family.timestampValidBits});
}

void SnapshotReader::readMemory() {
  VkPhysicalDeviceMemoryProperties2 memory = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  const bool hasBudget = has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  if (hasBudget)
    append(&memory.pNext, budget);
  vk_.vkGetPhysicalDeviceMemoryProperties2(device_, &memory);

  const VkPhysicalDeviceMemoryProperties &core = memory.memoryProperties;
  for (uint32_t i = 0; i < core.memoryHeapCount; ++i) {
    const VkMemoryHeap &heap = core.memoryHeaps[i];
    if (!(heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) ||
        heap.size < snapshot_.memoryBytes)
      continue;
    snapshot_.memoryBytes = heap.size;
    snapshot_.memoryBudget = hasBudget ? budget.heapBudget[i] : heap.size;
  }
  const bool sharesHostMemory = snapshot_.kind == DeviceKind::Integrated ||
                                snapshot_.kind == DeviceKind::Cpu;
  constexpr VkMemoryPropertyFlags kMappedLocal =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  for (uint32_t i = 0; i < core.memoryTypeCount && sharesHostMemory; ++i)
    if ((core.memoryTypes[i].propertyFlags & kMappedLocal) == kMappedLocal)
      snapshot_.unifiedMemory = true;
}

} // namespace

Result<DeviceSnapshot> readSnapshot(const Instance &instance,
                                    VkPhysicalDevice device) {
  return SnapshotReader(instance, device).read();
}

Result<std::vector<PhysicalDevice>> readDevices(const Instance &instance) {
  const char *setting = std::getenv("RUNG_COOPMAT");
  const bool cooperative = !setting || std::string_view(setting) != "0";
  RUNG_ASSIGN_OR_RETURN(std::vector<VkPhysicalDevice> handles,
                        instance.physicalDevices());
  std::vector<PhysicalDevice> devices;
  for (VkPhysicalDevice handle : handles) {
    VkPhysicalDeviceProperties properties;
    instance.vk().vkGetPhysicalDeviceProperties(handle, &properties);
    if (properties.apiVersion < kMinApiVersion)
      continue;
    Result<DeviceSnapshot> snapshot = readSnapshot(instance, handle);
    if (!snapshot.isOk())
      return snapshot.takeStatus().while_(
          concat("asking device '", properties.deviceName, "' for its limits"));
    devices.push_back({handle, cooperative
                                   ? *std::move(snapshot)
                                   : snapshot->withoutCooperativeMatrices()});
  }
  return devices;
}

} // namespace rung
