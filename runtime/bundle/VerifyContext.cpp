//===- VerifyContext.cpp - what every check of a bundle needs -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <algorithm>
#include <limits>

namespace rung {

namespace {
constexpr size_t kMaxRank = 8;
constexpr size_t kMaxFactors = 8;
} // namespace

Status NameSet::add(std::string_view name) {
  if (name.empty())
    return invalidBundle("the name is empty");
  if (std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
      }))
    return invalidBundle("name ", quote(name), " has a control character");
  if (!names_.insert(name).second)
    return invalidBundle("name ", quote(name), " occurs twice");
  return Status::ok();
}

Status VerifyContext::text(const flatbuffers::String &string) {
  RUNG_RETURN_IF_ERROR(charge(string));
  size_t valid = validUtf8Prefix(string.string_view());
  if (valid != string.size())
    return invalidBundle("text ", quote(string.string_view()),
                         " is not UTF-8 at byte ", valid);
  return Status::ok();
}

Status VerifyContext::type(const fb::TensorType &type) {
  if (type.element() > fb::ScalarType::MAX)
    return invalidBundle("element type ", type.element(), " is unknown");
  const auto &dims = *type.dims();
  if (dims.size() > kMaxRank)
    return invalidBundle("the type has ", dims.size(),
                         " dimensions, more than ", kMaxRank);
  RUNG_RETURN_IF_ERROR(charge(dims));
  uint64_t bytes = byteSize(toScalarType(type.element()));
  for (flatbuffers::uoffset_t i = 0; i < dims.size(); ++i) {
    int32_t dim = dims.Get(i);
    if (dim == kDimT || dim == kDimB)
      continue;
    if (dim < 1)
      return invalidBundle("dimension ", i, " is ", dim,
                           ", neither a size nor -1 (T) nor -2 (B)");
    if (__builtin_mul_overflow(bytes, uint64_t(dim), &bytes) ||
        bytes > uint64_t(std::numeric_limits<int64_t>::max()))
      return invalidBundle("type ", toString(type),
                           " exceeds 63 bits of bytes");
  }
  return Status::ok();
}

Status VerifyContext::extent(const fb::Extent &extent) {
  const auto &factors = *extent.factors();
  if (factors.size() > kMaxFactors)
    return invalidBundle("the extent has ", factors.size(),
                         " factors, more than ", kMaxFactors);
  RUNG_RETURN_IF_ERROR(charge(factors));
  for (const fb::Factor *factor : factors) {
    if (factor->symbol() > fb::Symbol::MAX)
      return invalidBundle("symbol ", factor->symbol(), " is unknown");
    if (factor->divisor() == 0)
      return invalidBundle("a factor's divisor is 0");
  }
  return Status::ok();
}

bool equal(const fb::TensorType &a, const fb::TensorType &b) {
  return a.element() == b.element() &&
         std::equal(a.dims()->begin(), a.dims()->end(), b.dims()->begin(),
                    b.dims()->end());
}

} // namespace rung
