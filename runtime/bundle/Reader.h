//===- Reader.h - bundles from files ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_READER_H
#define RUNG_RUNTIME_BUNDLE_READER_H

#include "runtime/base/File.h"
#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rung {

/// A verified bundle. A reader exists only when every rule of
/// docs/bundle-format.md holds, so that its users check nothing again: strings
/// and vectors are there, indices and offsets in range, enums known.
///
/// Movable; `root()` and the spans live as long as the reader, also across a
/// move.
class BundleReader {
public:
  /// Maps the file at \p path. Reads all of it once, for the checksums.
  static Result<BundleReader> open(const std::string &path);

  /// Copies \p bytes into memory aligned as a mapped file is.
  static Result<BundleReader> fromBytes(std::span<const std::byte> bytes);

  const fb::Bundle &root() const { return *root_; }

  /// The whole blob, which packed buffers point into.
  std::span<const std::byte> weights() const { return weights_; }

  /// The bytes of `root().weights()[index]`.
  std::span<const std::byte> weightBytes(uint32_t index) const;

  /// Indices of functions are indices of schedules, too.
  std::optional<uint32_t> findFunction(std::string_view name) const;

  /// Null if there is none of that name.
  const fb::Asset *findAsset(std::string_view name) const;

private:
  BundleReader() = default;
  Status load(std::span<const std::byte> bytes);

  MappedFile file_;   // Holds the bytes of an opened bundle,
  AlignedBytes copy_; // and this those of one in memory.
  const fb::Bundle *root_ = nullptr;
  std::span<const std::byte> weights_;
};

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_READER_H
