//===- DevicePlan.cpp - which kernels run on a device, and how --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/DevicePlan.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/VulkanHeaders.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace rung {

namespace {

/// Gathers what a device lacks.
class Comparison {
public:
  Comparison(const DeviceSnapshot &snapshot, const VariantNeeds &needs)
      : snapshot_(snapshot), needs_(needs) {}

  std::vector<std::string> run() {
    compareVersion();
    compareFeatures();
    for (uint32_t size : needs_.subgroupSizes)
      compareSubgroupSize(size);
    compareShapes();
    compareLimits();
    return std::move(lacks_);
  }

private:
  void compareVersion() {
    if (needs_.apiVersion > snapshot_.usableApiVersion)
      lacks_.push_back(concat(
          "Vulkan ", formatApiVersion(needs_.apiVersion), " is needed and ",
          formatApiVersion(snapshot_.usableApiVersion), " is there"));
  }

  void compareFeatures() {
    for (Feature feature : needs_.features) {
      if (snapshot_.has(feature))
        continue;
      const bool switchedOff = snapshot_.cooperativeSwitchedOff &&
                               (feature == Feature::CooperativeMatrix ||
                                feature == Feature::BFloat16Cooperative);
      lacks_.push_back(concat("feature ", toString(feature),
                              switchedOff ? " is switched off by RUNG_COOPMAT=0"
                                          : " is missing"));
    }
  }

  void compareSubgroupSize(uint32_t size) {
    if (size == snapshot_.subgroupSize)
      return;
    if (!snapshot_.has(Feature::SubgroupSizeControl))
      lacks_.push_back(concat("subgroup size ", size, " is needed and ",
                              snapshot_.subgroupSize, " is the only one"));
    else if (size < snapshot_.minSubgroupSize ||
             size > snapshot_.maxSubgroupSize)
      lacks_.push_back(concat("subgroup size ", size, " is not within ",
                              snapshot_.minSubgroupSize, " to ",
                              snapshot_.maxSubgroupSize));
  }

  void compareShapes() {
    if (!snapshot_.has(Feature::CooperativeMatrix))
      return; // One reason is enough.
    const std::vector<CooperativeShape> &have = snapshot_.cooperativeShapes;
    std::vector<std::string> names;
    for (const CooperativeShape &shape : have)
      names.push_back(toString(shape));
    for (const CooperativeShape &shape : needs_.cooperative)
      if (std::ranges::find(have, shape) == have.end())
        lacks_.push_back(concat("tile ", toString(shape), " is not among the ",
                                have.size(), " cooperative shapes (",
                                joined(names), ")"));
  }

  void compareLimits() {
    const DeviceLimits &limits = snapshot_.limits;
    atMost("shared memory", needs_.sharedMemoryBytes,
           limits.maxComputeSharedMemorySize, " bytes");
    atMost("workgroup", needs_.workgroupInvocations,
           limits.maxComputeWorkGroupInvocations, " invocations");
    for (size_t axis = 0; axis < 3; ++axis)
      atMost(concat("workgroup axis ", "xyz"[axis]), needs_.workgroupSize[axis],
             limits.maxComputeWorkGroupSize[axis], " invocations");
    atMost("push constant block", needs_.pushConstantBytes,
           limits.maxPushConstantsSize, " bytes");
    atMost("kernel", needs_.storageBuffers,
           limits.maxPerStageDescriptorStorageBuffers, " storage buffers");
    compareJointWorkgroups();
  }

  /// Workgroups that wait for one another must all be at work at once.
  void compareJointWorkgroups() {
    const uint32_t need = needs_.jointWorkgroups;
    if (need > 0 && snapshot_.computeUnits == 0)
      lacks_.push_back(concat(need, " workgroups wait for one another, and how "
                                    "many run at once is not known"));
    else if (need > snapshot_.computeUnits)
      lacks_.push_back(concat(need, " workgroups wait for one another, and ",
                              snapshot_.computeUnits, " run at once"));
  }

  void atMost(std::string_view what, uint32_t need, uint32_t limit,
              std::string_view unit) {
    if (need > limit)
      lacks_.push_back(
          concat("a ", what, " of ", need, unit, " exceeds ", limit));
  }

  const DeviceSnapshot &snapshot_;
  const VariantNeeds &needs_;
  std::vector<std::string> lacks_;
};

std::optional<uint32_t> chooseQueueFamily(const DeviceSnapshot &snapshot) {
  // A family without graphics is often a queue of its own, which a desktop's
  // drawing does not delay.
  std::optional<uint32_t> chosen;
  for (uint32_t i = 0; i < snapshot.queueFamilies.size(); ++i) {
    const QueueFamily &family = snapshot.queueFamilies[i];
    if (family.compute && (!chosen || !family.graphics))
      chosen = i;
    if (chosen == i && !family.graphics)
      break;
  }
  return chosen;
}

std::vector<std::string> extensionsFor(const DeviceSnapshot &snapshot,
                                       const DevicePlan &plan) {
  std::vector<std::string> extensions;
  if (plan.has(Feature::CooperativeMatrix))
    extensions.push_back(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
  if (plan.has(Feature::BFloat16Cooperative))
    extensions.push_back(VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME);
  if (plan.has(Feature::SubgroupSizeControl) &&
      snapshot.usableApiVersion < VK_API_VERSION_1_3)
    extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  if (snapshot.hasExtension(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
    extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  return extensions;
}

/// Turns on what the variant needs, and no more.
void enableFeatures(DevicePlan &plan, const DeviceSnapshot &snapshot,
                    const VariantNeeds &needs) {
  plan.features = needs.features;
  if (plan.has(Feature::BFloat16Cooperative))
    plan.features.push_back(Feature::CooperativeMatrix);
  // A size that is the device's own anyway is pinned where that is possible.
  if (!needs.subgroupSizes.empty() &&
      snapshot.has(Feature::SubgroupSizeControl))
    plan.features.push_back(Feature::SubgroupSizeControl);
  std::ranges::sort(plan.features);
  const auto repeated = std::ranges::unique(plan.features);
  plan.features.erase(repeated.begin(), repeated.end());
  plan.memoryModelDeviceScope = plan.has(Feature::VulkanMemoryModel) &&
                                snapshot.vulkanMemoryModelDeviceScope;
  plan.fullSubgroups =
      plan.has(Feature::SubgroupSizeControl) && snapshot.fullSubgroups;
  plan.extensions = extensionsFor(snapshot, plan);
}

std::string joinLacks(const std::vector<std::string> &lacks) {
  std::string text;
  for (const std::string &lack : lacks)
    text += (text.empty() ? "" : "; ") + lack;
  return text;
}

} // namespace

VariantNeeds needsOf(const fb::Variant &variant) {
  const fb::Requirements &from = *variant.requirements();
  VariantNeeds needs;
  needs.profile = variant.profile()->str();
  needs.apiVersion = from.api_version();
  for (auto feature : *from.features())
    needs.features.push_back(toFeature(static_cast<fb::Feature>(feature)));
  std::set<uint32_t> sizes = {from.subgroup_size()};
  needs.sharedMemoryBytes = from.shared_memory_bytes();
  needs.workgroupInvocations = from.workgroup_invocations();
  needs.jointWorkgroups = from.joint_workgroups();
  for (const fb::CoopShape *shape : *from.cooperative())
    needs.cooperative.push_back(toCooperativeShape(*shape));
  for (const fb::Kernel *kernel : *variant.kernels()) {
    const uint32_t size[3] = {kernel->local_x(), kernel->local_y(),
                              kernel->local_z()};
    for (size_t axis = 0; axis < 3; ++axis)
      needs.workgroupSize[axis] =
          std::max(needs.workgroupSize[axis], size[axis]);
    needs.pushConstantBytes =
        std::max(needs.pushConstantBytes, kernel->push_bytes());
    needs.storageBuffers = std::max(needs.storageBuffers, kernel->bindings());
    sizes.insert(kernel->required_subgroup_size());
  }
  sizes.erase(0);
  needs.subgroupSizes.assign(sizes.begin(), sizes.end());
  return needs;
}

std::vector<std::string> findLacks(const DeviceSnapshot &snapshot,
                                   const VariantNeeds &needs) {
  return Comparison(snapshot, needs).run();
}

bool DevicePlan::has(Feature feature) const {
  return std::ranges::find(features, feature) != features.end();
}

Result<DevicePlan> DevicePlan::make(const DeviceSnapshot &snapshot,
                                    std::span<const VariantNeeds> variants) {
  DevicePlan plan;
  std::optional<uint32_t> family = chooseQueueFamily(snapshot);
  if (!family)
    return Status(StatusCode::Unsupported,
                  concat("none of the ", snapshot.queueFamilies.size(),
                         " queue families of '", snapshot.name,
                         "' can compute"));
  plan.queueFamily = *family;
  plan.timestamps = snapshot.queueFamilies[*family].timestampBits > 0 &&
                    snapshot.limits.timestampPeriod > 0;

  std::string passedOver;
  for (size_t i = variants.size(); i-- > 0;) {
    const VariantNeeds &needs = variants[i];
    const std::vector<std::string> lacks = findLacks(snapshot, needs);
    if (!lacks.empty()) {
      passedOver += concat("\nvariant '", needs.profile,
                           "' does not fit: ", joinLacks(lacks));
      continue;
    }
    plan.variant = i;
    plan.profile = needs.profile;
    plan.explanation = concat("variant '", needs.profile, "' fits '",
                              snapshot.name, "'", passedOver);
    enableFeatures(plan, snapshot, needs);
    return plan;
  }
  return Status(StatusCode::Unsupported,
                concat("none of the bundle's ", variants.size(),
                       " variants fits '", snapshot.name, "'", passedOver));
}

} // namespace rung
