//===- DevicePlan.h - which kernels run on a device, and how ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_DEVICEPLAN_H
#define RUNG_RUNTIME_VULKAN_DEVICEPLAN_H

#include "runtime/base/Profile.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"
#include "runtime/vulkan/DeviceSnapshot.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rung {

/// What a variant's kernels need of a device.
struct VariantNeeds {
  std::string profile; ///< The profile the variant was compiled for.
  uint32_t apiVersion = 0;
  std::vector<Feature> features;
  std::vector<uint32_t> subgroupSizes; ///< Each must be possible.
  uint32_t sharedMemoryBytes = 0;
  uint32_t workgroupInvocations = 0;
  std::array<uint32_t, 3> workgroupSize{}; ///< The largest in each axis.
  uint32_t pushConstantBytes = 0;
  uint32_t storageBuffers = 0; ///< Of one kernel.
  /// Workgroups of a kernel that wait for one another; 0: none do.
  uint32_t jointWorkgroups = 0;
  std::vector<CooperativeShape> cooperative;
};

VariantNeeds needsOf(const fb::Variant &variant);

/// One clause for each thing that \p snapshot lacks of \p needs, with what is
/// needed and what there is. Empty: the variant fits.
std::vector<std::string> findLacks(const DeviceSnapshot &snapshot,
                                   const VariantNeeds &needs);

/// Everything to be decided before a logical device is made. Computed from
/// values alone, so that it can be tested without a device.
struct DevicePlan {
  size_t variant = 0; ///< Index of the variant that will run.
  std::string profile;
  /// Why that variant: a line for it, and one for each better that was passed.
  std::string explanation;

  uint32_t queueFamily = 0;
  bool timestamps = false;
  std::vector<Feature> features; ///< To be turned on.
  bool memoryModelDeviceScope = false;
  bool fullSubgroups = false;
  std::vector<std::string> extensions; ///< To be turned on.

  bool has(Feature feature) const;

  /// Takes the last of \p variants that fits: a bundle orders them from the
  /// least demanding to the most. Unsupported if none does; the message says of
  /// each what the device lacks.
  static Result<DevicePlan> make(const DeviceSnapshot &snapshot,
                                 std::span<const VariantNeeds> variants);
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_DEVICEPLAN_H
