//===- SelectDevice.h - which device is meant -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_SELECTDEVICE_H
#define RUNG_RUNTIME_VULKAN_SELECTDEVICE_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/DeviceSnapshot.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace rung {

/// The devices that \p wanted may mean, to be tried in this order; at least
/// one. Decimal digits are an index; other text is a part, in any case, of a
/// device's name or driver ("lavapipe" is Mesa's software driver); nothing is
/// every device, the best kind first.
Result<std::vector<size_t>>
selectDevices(std::span<const DeviceSnapshot *const> devices,
              std::string_view wanted);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_SELECTDEVICE_H
