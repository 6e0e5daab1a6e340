//===- Zip.h - zip archives, stored and deflated ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_ZIP_H
#define RUNG_RUNTIME_BASE_ZIP_H

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// A member as the central directory describes it.
struct ZipEntry {
  std::string name;
  uint16_t method = 0; ///< 0 stored, 8 deflated.
  uint32_t crc = 0;
  uint64_t compressedSize = 0;
  uint64_t size = 0;
  uint64_t headerOffset = 0;
};

/// Reads an archive in memory, zip64 too. The bytes must outlive the reader.
class ZipReader {
public:
  static Result<ZipReader> parse(std::span<const std::byte> bytes);

  /// In the order of the directory, names unique.
  const std::vector<ZipEntry> &entries() const { return entries_; }

  /// The member's bytes, their checksum verified.
  Result<std::vector<std::byte>> extract(const ZipEntry &entry) const;

private:
  explicit ZipReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  Status parseDirectory();

  std::span<const std::byte> bytes_;
  std::vector<ZipEntry> entries_;
};

/// Builds an archive below 4 GiB in memory; equal calls give equal bytes.
class ZipWriter {
public:
  Status add(std::string_view name, std::span<const std::byte> data,
             bool compress);
  /// Call once, last.
  Result<std::vector<std::byte>> finish();

private:
  std::vector<std::byte> bytes_;
  std::vector<std::byte> directory_;
  uint32_t count_ = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_BASE_ZIP_H
