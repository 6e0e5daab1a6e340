//===- Reader.cpp - bundles from files ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Reader.h"

#include "runtime/base/Text.h"
#include "runtime/bundle/Format.h"
#include "runtime/bundle/Verify.h"

#include <algorithm>

namespace rung {

Result<BundleReader> BundleReader::open(const std::string &path) {
  std::string context = "opening bundle " + quotePath(path);
  BundleReader reader;
  RUNG_ASSIGN_OR_RETURN(reader.file_, MappedFile::open(path).while_(context));
  RUNG_RETURN_IF_ERROR(reader.load(reader.file_.bytes()).while_(context));
  return reader;
}

Result<BundleReader> BundleReader::fromBytes(std::span<const std::byte> bytes) {
  BundleReader reader;
  reader.copy_ = AlignedBytes(bytes.size());
  std::copy(bytes.begin(), bytes.end(), reader.copy_.bytes().begin());
  RUNG_RETURN_IF_ERROR(
      reader.load(reader.copy_.bytes()).while_("reading a bundle in memory"));
  return reader;
}

Status BundleReader::load(std::span<const std::byte> bytes) {
  RUNG_ASSIGN_OR_RETURN(BundleParts parts, splitBundle(bytes));
  RUNG_ASSIGN_OR_RETURN(root_, verifyBundle(parts));
  weights_ = parts.blob;
  return Status::ok();
}

std::span<const std::byte> BundleReader::weightBytes(uint32_t index) const {
  const fb::Weight *weight = root_->weights()->Get(index);
  return weights_.subspan(weight->offset(), weight->size());
}

std::optional<uint32_t>
BundleReader::findFunction(std::string_view name) const {
  for (uint32_t i = 0; i < root_->functions()->size(); ++i)
    if (root_->functions()->Get(i)->name()->string_view() == name)
      return i;
  return std::nullopt;
}

const fb::Asset *BundleReader::findAsset(std::string_view name) const {
  for (const fb::Asset *asset : *root_->assets())
    if (asset->name()->string_view() == name)
      return asset;
  return nullptr;
}

} // namespace rung
