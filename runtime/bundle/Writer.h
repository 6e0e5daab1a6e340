//===- Writer.h - bundles to files ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_WRITER_H
#define RUNG_RUNTIME_BUNDLE_WRITER_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Format.h"
#include "runtime/bundle/Types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rung {

/// Gathers the entries of a weights blob.
class BlobBuilder {
public:
  /// Appends \p bytes at the next aligned offset and returns that offset. Equal
  /// bytes are not merged.
  uint64_t append(std::span<const std::byte> bytes);
  template <typename T> uint64_t append(std::span<const T> values) {
    return append(std::as_bytes(values));
  }
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

/// The bytes of a bundle file; equal arguments give equal bytes. Verified as a
/// reader would: an invalid \p bundle gives the reader's error.
Result<std::vector<std::byte>> serializeBundle(const fb::BundleT &bundle,
                                               std::span<const std::byte> blob);

/// Writes the bundle to \p path, which appears only when it is complete.
Status writeBundle(const std::string &path, const fb::BundleT &bundle,
                   std::span<const std::byte> blob);

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_WRITER_H
