//===- DeviceSnapshot.cpp - what a device says of itself --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/DeviceSnapshot.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <cctype>

namespace rung {

std::string_view toString(DeviceKind kind) {
  constexpr std::string_view kNames[] = {"discrete", "integrated", "virtual",
                                         "cpu", "other"};
  return kNames[static_cast<size_t>(kind)];
}

bool DeviceSnapshot::has(Feature feature) const {
  return float16.promise(feature) ||
         std::ranges::find(features, feature) != features.end();
}

bool DeviceSnapshot::hasExtension(std::string_view name) const {
  return std::ranges::binary_search(
      extensions, name, {}, [](std::string_view entry) { return entry; });
}

DeviceSnapshot DeviceSnapshot::withoutCooperativeMatrices() const {
  DeviceSnapshot result = *this;
  result.cooperativeSwitchedOff = has(Feature::CooperativeMatrix);
  std::erase(result.features, Feature::CooperativeMatrix);
  std::erase(result.features, Feature::BFloat16Cooperative);
  result.cooperativeShapes.clear();
  return result;
}

/// "NVIDIA H200 (rev 1)" as "nvidia-h200-rev-1".
static std::string profileName(const DeviceSnapshot &snapshot) {
  if (snapshot.isLavapipe)
    return "lavapipe";
  std::string name;
  for (unsigned char c : snapshot.name) {
    if (std::isalnum(c))
      name += char(std::tolower(c));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name.empty() ? "device" : name;
}

Profile toProfile(const DeviceSnapshot &snapshot) {
  Profile profile;
  profile.name = profileName(snapshot);
  profile.description = concat(snapshot.name, ", ", snapshot.driver);
  profile.apiVersion = snapshot.apiVersion;
  profile.subgroupSize = snapshot.subgroupSize;
  profile.minSubgroupSize = snapshot.minSubgroupSize;
  profile.maxSubgroupSize = snapshot.maxSubgroupSize;
  profile.sharedMemoryBytes = snapshot.limits.maxComputeSharedMemorySize;
  profile.maxWorkgroupInvocations =
      snapshot.limits.maxComputeWorkGroupInvocations;
  profile.maxPushConstantBytes = snapshot.limits.maxPushConstantsSize;
  profile.maxStorageBufferBytes = snapshot.limits.maxStorageBufferRange;
  profile.computeUnits = snapshot.computeUnits;
  profile.features = snapshot.features;
  profile.cooperative = snapshot.cooperativeShapes;
  profile.float16 = snapshot.float16;
  // Vulkan promises no progress across workgroups, and no query tells; a
  // device's shipped profile may know better.
  profile.jointProgress = false;
  return profile;
}

} // namespace rung
