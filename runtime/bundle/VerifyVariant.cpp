//===- VerifyVariant.cpp - variants and what they require -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace rung {

namespace {
Status verifyShape(const fb::CoopShape &shape) {
  for (fb::ScalarType type : {shape.a(), shape.b(), shape.c(), shape.d()})
    if (type > fb::ScalarType::MAX)
      return invalidBundle("element type ", type, " is unknown");
  if (shape.m() == 0 || shape.n() == 0 || shape.k() == 0)
    return invalidBundle("the shape is ", shape.m(), "x", shape.n(), "x",
                         shape.k());
  return Status::ok();
}

Status verifyRequirements(VerifyContext &context,
                          const fb::Requirements &requirements) {
  RUNG_RETURN_IF_ERROR(context.charge(*requirements.features()));
  std::vector<bool> seen(kFeatureCount);
  for (auto each : *requirements.features()) {
    auto feature = static_cast<fb::Feature>(each);
    if (feature > fb::Feature::MAX)
      return invalidBundle("feature ", feature, " is unknown");
    auto index = static_cast<size_t>(feature);
    if (seen[index])
      return invalidBundle("feature ", toString(toFeature(feature)),
                           " occurs twice");
    seen[index] = true;
  }
  if (requirements.subgroup_size() != 0 &&
      !std::has_single_bit(requirements.subgroup_size()))
    return invalidBundle("subgroup size ", requirements.subgroup_size(),
                         " is no power of 2");
  RUNG_RETURN_IF_ERROR(context.charge(*requirements.cooperative()));
  return forEach(
      "cooperative shape", *requirements.cooperative(),
      [&](const fb::CoopShape &shape, uint32_t) { return verifyShape(shape); });
}
} // namespace

Status verifyVariant(VerifyContext &context, const fb::Variant &variant) {
  const fb::Requirements &requirements = *variant.requirements();
  RUNG_RETURN_IF_ERROR(verifyRequirements(context, requirements)
                           .while_("verifying the requirements"));
  RUNG_RETURN_IF_ERROR(forEachNamed(context, "kernel", *variant.kernels(),
                                    [&](const fb::Kernel &kernel, uint32_t) {
                                      return verifyKernel(context, kernel,
                                                          requirements);
                                    }));
  const auto &functions = *context.bundle.functions();
  if (variant.schedules()->size() != functions.size())
    return invalidBundle("there are ", variant.schedules()->size(),
                         " schedules for ", functions.size(), " functions");
  return forEach("schedule", *variant.schedules(),
                 [&](const fb::Schedule &schedule, uint32_t i) {
                   return verifySchedule(context, schedule, variant,
                                         *functions.Get(i));
                 });
}

} // namespace rung
