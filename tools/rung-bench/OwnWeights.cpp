//===- OwnWeights.cpp - which bundles have the same rounded weights -------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/OwnWeights.h"

#include "runtime/base/Text.h"
#include "runtime/bundle/Reader.h"

#include <span>

namespace rung::tools {
namespace {

/// FNV-1a.
void mix(uint64_t &hash, std::span<const std::byte> bytes) {
  for (std::byte byte : bytes) {
    hash ^= static_cast<uint64_t>(byte);
    hash *= 0x100000001b3;
  }
}

} // namespace

Result<uint64_t> hashOfOwnWeights(const std::string &path) {
  Result<BundleReader> reader = BundleReader::open(path);
  if (!reader.isOk())
    return reader.takeStatus().while_(concat("opening bundle ", quote(path)));
  uint64_t hash = 0xcbf29ce484222325;
  const auto &weights = *reader->root().weights();
  for (uint32_t i = 0; i < weights.size(); ++i) {
    const auto &name = *weights[i]->name();
    mix(hash, std::as_bytes(std::span(name.data(), name.size())));
    mix(hash, reader->weightBytes(i));
  }
  return hash;
}

} // namespace rung::tools
