//===- Verify.cpp - the rules that a bundle keeps -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Verify.h"

#include "runtime/bundle/VerifyContext.h"

#include <limits>
#include <map>
#include <string_view>

namespace rung {

namespace {
/// Deeper than any bundle: repeats do not nest, bodies hardly.
constexpr flatbuffers::uoffset_t kMaxDepth = 32;
constexpr flatbuffers::uoffset_t kMaxTables = 1u << 22;

Status verifyBuffer(std::span<const std::byte> metadata) {
  // A buffer's size and offsets are signed 32-bit numbers in FlatBuffers.
  if (metadata.size() > size_t(std::numeric_limits<int32_t>::max()))
    return invalidBundle("the metadata have ", metadata.size(),
                         " bytes, more than ",
                         std::numeric_limits<int32_t>::max());
  const auto *data = reinterpret_cast<const uint8_t *>(metadata.data());
  constexpr size_t kSmallest =
      sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength;
  if (metadata.size() < kSmallest || !fb::BundleBufferHasIdentifier(data))
    return invalidBundle("the metadata do not carry the identifier ",
                         quote(fb::BundleIdentifier()));
  flatbuffers::Verifier verifier(data, metadata.size(), kMaxDepth, kMaxTables);
  if (!fb::VerifyBundleBuffer(verifier))
    return invalidBundle("the metadata are no well-formed FlatBuffer: an "
                         "offset or a size in them leads out of their ",
                         metadata.size(),
                         " bytes, or a required field is "
                         "missing");
  return Status::ok();
}

Status verifyWeight(VerifyContext &context, const fb::Weight &weight) {
  RUNG_RETURN_IF_ERROR(context.type(*weight.type()));
  RUNG_RETURN_IF_ERROR(context.text(*weight.own()));
  for (int32_t dim : *weight.type()->dims())
    if (dim < 0)
      return invalidBundle("type ", toString(*weight.type()), " is not static");
  if (weight.offset() % kBlobAlignment != 0)
    return invalidBundle("offset ", weight.offset(), " is no multiple of ",
                         kBlobAlignment);
  RUNG_ASSIGN_OR_RETURN(uint64_t count, elementCount(*weight.type(), 0, 0));
  uint64_t bytes = count * byteSize(toScalarType(weight.type()->element()));
  if (weight.size() != bytes)
    return invalidBundle("the size is ", weight.size(), " bytes, and type ",
                         toString(*weight.type()), " needs ", bytes);
  if (weight.offset() > context.blob.size() ||
      bytes > context.blob.size() - weight.offset())
    return invalidBundle(bytes, " bytes at ", weight.offset(),
                         " lie outside of the weights of ",
                         context.blob.size());
  return Status::ok();
}

/// Which weight is another's own, by name. Chains would need an end.
Status verifyOwnWeights(const fb::Bundle &bundle) {
  std::map<std::string_view, const fb::Weight *> byName;
  for (const fb::Weight *weight : *bundle.weights())
    byName.emplace(weight->name()->string_view(), weight);
  return forEach("own weight of weight", *bundle.weights(),
                 [&](const fb::Weight &weight, uint32_t) -> Status {
                   if (weight.own()->size() == 0)
                     return Status::ok();
                   std::string_view name = weight.own()->string_view();
                   auto found = byName.find(name);
                   if (found == byName.end())
                     return invalidBundle("there is no weight ", quote(name));
                   const fb::Weight &own = *found->second;
                   if (own.own()->size() != 0)
                     return invalidBundle("weight ", quote(name),
                                          " has an own weight, ",
                                          quote(own.own()->string_view()));
                   if (!equal(*own.type(), *weight.type()))
                     return invalidBundle("weight ", quote(name), " has type ",
                                          toString(*own.type()), ", not ",
                                          toString(*weight.type()));
                   return Status::ok();
                 });
}

Status verifyProvenance(VerifyContext &context,
                        const fb::Provenance &provenance) {
  for (const flatbuffers::String *text :
       {provenance.tool_version(), provenance.pipeline(), provenance.options(),
        provenance.source_digest()})
    RUNG_RETURN_IF_ERROR(
        context.text(*text).while_("verifying the provenance"));
  return Status::ok();
}

Status verifyRoot(VerifyContext &context) {
  const fb::Bundle &bundle = context.bundle;
  NameSet own;
  RUNG_RETURN_IF_ERROR(context.text(*bundle.name()));
  RUNG_RETURN_IF_ERROR(
      own.add(bundle.name()->string_view()).while_("verifying the bundle"));
  RUNG_RETURN_IF_ERROR(forEachNamed(context, "weight", *bundle.weights(),
                                    [&](const fb::Weight &weight, uint32_t) {
                                      return verifyWeight(context, weight);
                                    }));
  RUNG_RETURN_IF_ERROR(verifyOwnWeights(bundle));
  RUNG_RETURN_IF_ERROR(
      forEachNamed(context, "asset", *bundle.assets(),
                   [](const fb::Asset &, uint32_t) { return Status::ok(); }));
  RUNG_RETURN_IF_ERROR(forEachNamed(context, "stage", *bundle.stages(),
                                    [&](const fb::Stage &stage, uint32_t) {
                                      return context.text(*stage.text());
                                    }));
  RUNG_RETURN_IF_ERROR(verifyProvenance(context, *bundle.provenance()));
  RUNG_RETURN_IF_ERROR(
      forEachNamed(context, "function", *bundle.functions(),
                   [&](const fb::Function &function, uint32_t) {
                     return verifyFunction(context, function);
                   }));
  // Generation looks at other functions, which must be sound by then.
  for (const fb::Function *function : *bundle.functions())
    RUNG_RETURN_IF_ERROR(verifyGeneration(context, *function)
                             .while_("verifying the generation of function " +
                                     quote(function->name()->string_view())));
  NameSet profiles;
  return forEach("variant", *bundle.variants(),
                 [&](const fb::Variant &variant, uint32_t) -> Status {
                   RUNG_RETURN_IF_ERROR(context.text(*variant.profile()));
                   RUNG_RETURN_IF_ERROR(
                       profiles.add(variant.profile()->string_view()));
                   return verifyVariant(context, variant)
                       .while_("verifying profile " +
                               quote(variant.profile()->string_view()));
                 });
}
} // namespace

Result<const fb::Bundle *> verifyBundle(const BundleParts &parts) {
  RUNG_RETURN_IF_ERROR(verifyBuffer(parts.metadata));
  const fb::Bundle *bundle = fb::GetBundle(parts.metadata.data());
  VerifyContext context(*bundle, parts.metadata.size(), parts.blob);
  RUNG_RETURN_IF_ERROR(verifyRoot(context));
  return bundle;
}

} // namespace rung
