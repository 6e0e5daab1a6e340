//===- SingleDispatch.cpp - when a whole run is one dispatch --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/SingleDispatch.h"

namespace rung::tiling {

SingleDispatch chooseSingleDispatch(const Profile &profile) {
  return {profile.computeUnits, profile.sharedMemoryBytes};
}

std::string checkSingleDispatch(const Profile &profile,
                                const SingleDispatch &dispatch) {
  const std::string name = "profile '" + profile.name + "'";
  if (!profile.jointProgress)
    return "workgroups wait for each other; " + name +
           " does not promise that they progress together";
  if (!profile.has(Feature::DeviceScope))
    return "workgroups wait for each other; " + name + " lacks " +
           std::string(toString(Feature::DeviceScope));
  if (profile.computeUnits == 0)
    return "workgroups wait for each other; how many " + name +
           " runs at once is not known";
  if (dispatch.groups > profile.computeUnits)
    return std::to_string(dispatch.groups) +
           " workgroups wait for each other; " + name + " runs " +
           std::to_string(profile.computeUnits) + " at once";
  if (dispatch.sharedBytes > profile.sharedMemoryBytes)
    return "kernel needs " + std::to_string(dispatch.sharedBytes) +
           " bytes of shared memory; " + name + " has " +
           std::to_string(profile.sharedMemoryBytes);
  return {};
}

} // namespace rung::tiling
