//===- Writer.cpp - bundles to files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Writer.h"

#include "runtime/base/File.h"
#include "runtime/base/Text.h"
#include "runtime/bundle/Verify.h"

namespace rung {

uint64_t BlobBuilder::append(std::span<const std::byte> bytes) {
  size_t offset =
      (bytes_.size() + kBlobAlignment - 1) / kBlobAlignment * kBlobAlignment;
  bytes_.resize(offset);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return offset;
}

Result<std::vector<std::byte>>
serializeBundle(const fb::BundleT &bundle, std::span<const std::byte> blob) {
  flatbuffers::FlatBufferBuilder builder;
  fb::FinishBundleBuffer(builder, fb::Bundle::Pack(builder, &bundle));
  std::span<const std::byte> metadata(
      reinterpret_cast<const std::byte *>(builder.GetBufferPointer()),
      builder.GetSize());
  BundleParts parts{metadata, blob};
  RUNG_RETURN_IF_ERROR(
      verifyBundle(parts).status().while_("checking the bundle to write"));
  return joinBundle(parts);
}

Status writeBundle(const std::string &path, const fb::BundleT &bundle,
                   std::span<const std::byte> blob) {
  RUNG_ASSIGN_OR_RETURN(auto bytes, serializeBundle(bundle, blob));
  return writeFile(path, bytes);
}

} // namespace rung
