//===- OwnWeights.cpp - which bundles have the same rounded weights -------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/OwnWeights.h"

#include "runtime/base/Text.h"
#include "runtime/bundle/Reader.h"

#include <set>
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

/// The weight that stands in the place of `index` in the rung.
uint32_t ownOf(const fb::Bundle &bundle, uint32_t index) {
  const auto &weights = *bundle.weights();
  for (uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i]->name()->string_view() ==
        weights[index]->own()->string_view())
      return i;
  return index;
}

/// The weights that the model's own graphs load.
std::set<uint32_t> loadedWeights(const fb::Bundle &bundle) {
  std::set<uint32_t> loaded;
  for (const fb::Function *function : *bundle.functions())
    for (const fb::Node *node : function->source()
                                    ? *function->source()->nodes()
                                    : *function->graph()->nodes())
      for (const fb::Attribute *attribute : *node->attributes())
        if (node->op()->string_view() == "rnn.load_weight" &&
            attribute->name()->string_view() == "weight" &&
            static_cast<uint64_t>(attribute->i()) < bundle.weights()->size())
          loaded.insert(static_cast<uint32_t>(attribute->i()));
  return loaded;
}

} // namespace

Result<uint64_t> hashOfOwnWeights(const std::string &path) {
  Result<BundleReader> reader = BundleReader::open(path);
  if (!reader.isOk())
    return reader.takeStatus().while_(
        concat("opening bundle ", quotePath(path)));
  uint64_t hash = 0xcbf29ce484222325;
  for (uint32_t index : loadedWeights(reader->root())) {
    const auto &name = *reader->root().weights()->Get(index)->name();
    mix(hash, std::as_bytes(std::span(name.data(), name.size())));
    mix(hash, reader->weightBytes(ownOf(reader->root(), index)));
  }
  return hash;
}

} // namespace rung::tools
