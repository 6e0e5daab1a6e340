//===- ScalarType.cpp - element types of tensors --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/ScalarType.h"

#include <array>

namespace rung {

namespace {
struct Entry {
  std::string_view name;
  size_t bytes;
};
constexpr std::array<Entry, kScalarTypeCount> kEntries = {{{"f32", 4},
                                                           {"f16", 2},
                                                           {"bf16", 2},
                                                           {"f64", 8},
                                                           {"i32", 4},
                                                           {"i16", 2},
                                                           {"s8", 1},
                                                           {"u8", 1},
                                                           {"i64", 8},
                                                           {"bool", 1}}};
} // namespace

size_t byteSize(ScalarType type) {
  return kEntries[static_cast<size_t>(type)].bytes;
}

std::string_view toString(ScalarType type) {
  return kEntries[static_cast<size_t>(type)].name;
}

std::optional<ScalarType> parseScalarType(std::string_view name) {
  for (size_t i = 0; i < kEntries.size(); ++i)
    if (kEntries[i].name == name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}

} // namespace rung
