//===- Profile.cpp - what a device can do, as data ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Profile.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace rung {

namespace {
constexpr std::array<std::string_view, kFeatureCount> kFeatureNames = {
    "Float16",
    "Int16",
    "Int8",
    "Storage16",
    "Storage8",
    "CooperativeMatrix",
    "BFloat16Cooperative",
    "VulkanMemoryModel",
    "SubgroupSizeControl",
    "Float16RoundToNearest",
    "Float16PreserveDenormals",
    "DeviceScope",
    "IntegerDot",
    "SubgroupArithmetic"};
} // namespace

std::string_view toString(Feature feature) {
  return kFeatureNames[static_cast<size_t>(feature)];
}

std::optional<Feature> parseFeature(std::string_view name) {
  auto found = std::find(kFeatureNames.begin(), kFeatureNames.end(), name);
  if (found == kFeatureNames.end())
    return std::nullopt;
  return static_cast<Feature>(found - kFeatureNames.begin());
}

std::string toString(const CooperativeShape &shape) {
  return concat(shape.m, "x", shape.n, "x", shape.k, " ", toString(shape.a),
                " x ", toString(shape.b), " + ", toString(shape.c), " -> ",
                toString(shape.d));
}

std::string formatApiVersion(uint32_t version) {
  std::string text = concat(version >> 22, ".", version >> 12 & 0x3ff);
  if (uint32_t patch = version & 0xfff)
    text += concat(".", patch);
  return text;
}

std::optional<uint32_t> parseApiVersion(std::string_view text) {
  uint32_t numbers[3] = {};
  constexpr uint32_t kLimits[3] = {0x7f, 0x3ff, 0xfff};
  const char *at = text.data(), *end = text.data() + text.size();
  for (int i = 0; i < 3; ++i) {
    auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || numbers[i] > kLimits[i])
      return std::nullopt;
    at = next;
    if (at == end)
      return i == 0 ? std::nullopt
                    : std::optional(
                          makeApiVersion(numbers[0], numbers[1], numbers[2]));
    if (*at++ != '.')
      return std::nullopt;
  }
  return std::nullopt;
}

bool Float16Controls::promise(Feature feature) const {
  return (feature == Feature::Float16RoundToNearest && roundToNearestEven) ||
         (feature == Feature::Float16PreserveDenormals && preservesDenormals);
}

bool Profile::has(Feature feature) const {
  return float16.promise(feature) ||
         std::find(features.begin(), features.end(), feature) != features.end();
}

bool Profile::has(const CooperativeShape &shape) const {
  return std::find(cooperative.begin(), cooperative.end(), shape) !=
         cooperative.end();
}

} // namespace rung
