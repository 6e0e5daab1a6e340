//===- AssetApi.cpp - rung.h: what else a bundle holds ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Handles.h"
#include "runtime/api/LastError.h"
#include "runtime/base/Text.h"

using namespace rung;

static const fb::Bundle &rootOf(const rung_bundle *bundle) {
  return bundle->interface->reader.root();
}

/// An entry of a bundle's vector; null if the index is out of range.
template <typename Vector>
static auto entryOf(const Vector *entries, size_t index)
    -> decltype(entries->Get(0)) {
  return index < entries->size() ? entries->Get(uint32_t(index)) : nullptr;
}

extern "C" {

void rung_bundle_provenance(const rung_bundle *bundle,
                            rung_provenance *provenance) {
  const fb::Provenance &from = *rootOf(bundle).provenance();
  *provenance = {.tool_version = from.tool_version()->c_str(),
                 .pipeline = from.pipeline()->c_str(),
                 .options = from.options()->c_str(),
                 .source_digest = from.source_digest()->c_str()};
}

size_t rung_bundle_variant_count(const rung_bundle *bundle) {
  return rootOf(bundle).variants()->size();
}

const char *rung_bundle_variant_profile(const rung_bundle *bundle,
                                        size_t variant) {
  const fb::Variant *entry = entryOf(rootOf(bundle).variants(), variant);
  return entry ? entry->profile()->c_str() : nullptr;
}

size_t rung_bundle_asset_count(const rung_bundle *bundle) {
  return rootOf(bundle).assets()->size();
}

const char *rung_bundle_asset_name(const rung_bundle *bundle, size_t asset) {
  const fb::Asset *entry = entryOf(rootOf(bundle).assets(), asset);
  return entry ? entry->name()->c_str() : nullptr;
}

rung_code rung_bundle_asset(const rung_bundle *bundle, const char *name,
                            const void **data, size_t *size) {
  return guarded([&]() -> Status {
    const fb::Asset *asset = bundle->interface->reader.findAsset(name);
    if (!asset)
      return Status(StatusCode::NotFound,
                    concat("there is no asset ", quote(name), " among the ",
                           rung_bundle_asset_count(bundle), " of the bundle"));
    *data = asset->bytes()->data();
    *size = asset->bytes()->size();
    return Status::ok();
  });
}

size_t rung_bundle_stage_count(const rung_bundle *bundle) {
  return rootOf(bundle).stages()->size();
}

rung_code rung_bundle_stage(const rung_bundle *bundle, size_t stage,
                            const char **name, const char **text) {
  return guarded([&]() -> Status {
    const fb::Stage *entry = entryOf(rootOf(bundle).stages(), stage);
    if (!entry)
      return Status(StatusCode::InvalidArgument,
                    concat("stage ", stage, " is not below ",
                           rung_bundle_stage_count(bundle)));
    *name = entry->name()->c_str();
    *text = entry->text()->c_str();
    return Status::ok();
  });
}

} // extern "C"
