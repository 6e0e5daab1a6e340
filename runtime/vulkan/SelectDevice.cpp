//===- SelectDevice.cpp - which device is meant -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/SelectDevice.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace rung {

static std::string lowered(std::string_view text) {
  std::string result;
  for (unsigned char c : text)
    result += char(std::tolower(c));
  return result;
}

static std::string listNames(std::span<const DeviceSnapshot *const> devices) {
  std::vector<std::string> names;
  for (size_t i = 0; i < devices.size(); ++i)
    names.push_back(concat(i, ": ", quote(devices[i]->name)));
  return joined(names);
}

static Result<std::vector<size_t>>
selectByIndex(std::span<const DeviceSnapshot *const> devices,
              std::string_view wanted) {
  size_t index = 0;
  const char *end = wanted.data() + wanted.size();
  if (std::from_chars(wanted.data(), end, index).ec != std::errc() ||
      index >= devices.size())
    return Status(StatusCode::NotFound,
                  concat("device ", wanted, " is not among the ",
                         devices.size(), " devices (", listNames(devices),
                         ")"));
  return std::vector<size_t>{index};
}

Result<std::vector<size_t>>
selectDevices(std::span<const DeviceSnapshot *const> devices,
              std::string_view wanted) {
  if (devices.empty())
    return Status(StatusCode::NotFound, "there is no Vulkan 1.2 device");
  std::vector<size_t> order(devices.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return devices[i]->kind; });
  if (wanted.empty())
    return order;
  if (std::ranges::all_of(wanted,
                          [](unsigned char c) { return std::isdigit(c); }))
    return selectByIndex(devices, wanted);

  std::erase_if(order, [&](size_t i) {
    const std::string text =
        lowered(concat(devices[i]->name, "\n", devices[i]->driver,
                       devices[i]->isLavapipe ? "\nlavapipe" : ""));
    return text.find(lowered(wanted)) == std::string::npos;
  });
  if (order.empty())
    return Status(StatusCode::NotFound,
                  concat("no device's name contains ", quote(wanted),
                         "; there are ", listNames(devices)));
  return order;
}

} // namespace rung
