//===- Format.h - the file around the metadata ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_FORMAT_H
#define RUNG_RUNTIME_BUNDLE_FORMAT_H

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rung {

inline constexpr uint32_t kBundleVersion = 2;
inline constexpr size_t kBundleHeaderSize = 64;
/// Weights, and entries of weights, begin at multiples of this.
inline constexpr size_t kBlobAlignment = 64;

/// The two parts of a file.
struct BundleParts {
  std::span<const std::byte> metadata;
  std::span<const std::byte> blob;
};

/// Checks header, sizes, padding and both checksums.
Result<BundleParts> splitBundle(std::span<const std::byte> file);

/// The file with these parts, whatever is in them.
std::vector<std::byte> joinBundle(const BundleParts &parts);

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_FORMAT_H
