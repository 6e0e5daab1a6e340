//===- VerifyKernel.cpp - kernels and the SPIR-V in them ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <bit>
#include <cstring>

namespace rung {

namespace {
constexpr uint32_t kMaxBindings = 256;
/// What every Vulkan device has.
constexpr uint32_t kMaxPushBytes = 128;
constexpr uint32_t kMaxSubgroupSize = 128;

bool hasFeature(const fb::Requirements &requirements, fb::Feature feature) {
  for (auto each : *requirements.features())
    if (static_cast<fb::Feature>(each) == feature)
      return true;
  return false;
}

Status verifySizes(const fb::Kernel &kernel,
                   const fb::Requirements &requirements) {
  uint64_t invocations = 1;
  for (uint32_t size : {kernel.local_x(), kernel.local_y(), kernel.local_z()}) {
    if (size < 1 || size > 0xffff)
      return invalidBundle("a workgroup size of ", size,
                           " is not within 1 to 65535");
    invocations *= size;
  }
  if (invocations > requirements.workgroup_invocations())
    return invalidBundle("the workgroup has ", invocations,
                         " invocations, and the variant requires only ",
                         requirements.workgroup_invocations());
  if (kernel.bindings() < 1 || kernel.bindings() > kMaxBindings)
    return invalidBundle(kernel.bindings(), " bindings are not within 1 to ",
                         kMaxBindings);
  if (kernel.push_bytes() > kMaxPushBytes || kernel.push_bytes() % 4 != 0)
    return invalidBundle(kernel.push_bytes(),
                         " bytes of push constants are no multiple of 4 up to ",
                         kMaxPushBytes);
  return Status::ok();
}

Status verifySubgroup(const fb::Kernel &kernel,
                      const fb::Requirements &requirements) {
  uint32_t size = kernel.required_subgroup_size();
  if (size == 0)
    return Status::ok();
  if (!std::has_single_bit(size) || size > kMaxSubgroupSize)
    return invalidBundle("required subgroup size ", size,
                         " is no power of 2 up to ", kMaxSubgroupSize);
  if (!hasFeature(requirements, fb::Feature::SubgroupSizeControl))
    return invalidBundle("subgroup size ", size,
                         " is required, and the variant's features lack ",
                         toString(Feature::SubgroupSizeControl));
  return Status::ok();
}
} // namespace

Status verifyKernel(VerifyContext &context, const fb::Kernel &kernel,
                    const fb::Requirements &requirements) {
  RUNG_RETURN_IF_ERROR(context.text(*kernel.entry()));
  RUNG_RETURN_IF_ERROR(verifySizes(kernel, requirements));
  RUNG_RETURN_IF_ERROR(verifySubgroup(kernel, requirements));
  RUNG_RETURN_IF_ERROR(context.charge(*kernel.spirv()));
  return verifySpirv(kernel);
}

} // namespace rung
