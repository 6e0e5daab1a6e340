//===- VerifyContext.h - what every check of a bundle needs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_VERIFYCONTEXT_H
#define RUNG_RUNTIME_BUNDLE_VERIFYCONTEXT_H

#include "runtime/base/Status.h"
#include "runtime/base/Text.h"
#include "runtime/bundle/Types.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace rung {

template <typename... Parts> Status invalidBundle(const Parts &...parts) {
  return Status(StatusCode::InvalidData, concat(parts...));
}

/// "input port 3 'ids'", for `while_`.
template <typename Table>
std::string label(std::string_view noun, size_t index, const Table *table) {
  return concat(noun, " ", index, " ", quote(table->name()->string_view()));
}

/// Names of one kind, each used once.
class NameSet {
public:
  /// An error if \p name is empty, unprintable or there already.
  Status add(std::string_view name);

private:
  std::set<std::string_view> names_;
};

/// What the checks share. Each check belongs to one noun of the schema and
/// relies on the FlatBuffers verifier having run.
class VerifyContext {
public:
  VerifyContext(const fb::Bundle &bundle, uint64_t metadataSize,
                std::span<const std::byte> blob)
      : bundle(bundle), blob(blob), unread_(metadataSize) {}

  const fb::Bundle &bundle;
  const std::span<const std::byte> blob;

  /// Must precede any reading of \p vector's elements. Checks two things that
  /// the FlatBuffers verifier leaves open. Elements of 8 bytes may lie at an
  /// address that is no multiple of 8. And tables may share a vector, so that a
  /// small file could keep a reader busy for ever; a bundle's do not.
  template <typename T> Status charge(const flatbuffers::Vector<T> &vector) {
    using Element = std::remove_cv_t<std::remove_pointer_t<T>>;
    if (vector.size() != 0 &&
        reinterpret_cast<uintptr_t>(vector.Data()) % alignof(Element) != 0)
      return invalidBundle("a vector of ", vector.size(),
                           " elements is not aligned to ", alignof(Element),
                           " bytes");
    uint64_t size = uint64_t(vector.size()) *
                    flatbuffers::IndirectHelper<T>::element_stride;
    if (size > unread_)
      return invalidBundle("the metadata use the same bytes more than once");
    unread_ -= size;
    return Status::ok();
  }
  /// As charge() for a name or text, which must be UTF-8.
  Status text(const flatbuffers::String &string);

  /// Known element type, sound dimensions, fixed part within 63 bits of bytes.
  Status type(const fb::TensorType &type);
  /// Few factors, known symbols, divisors of at least 1.
  Status extent(const fb::Extent &extent);

private:
  uint64_t unread_;
};

/// Whether both have the same element type and dimensions.
bool equal(const fb::TensorType &a, const fb::TensorType &b);

// One function a file of the same name.
Status verifyFunction(VerifyContext &context, const fb::Function &function);
Status verifyGeneration(VerifyContext &context, const fb::Function &function);
Status verifyGraph(VerifyContext &context, const fb::Graph &graph);
Status verifyKernel(VerifyContext &context, const fb::Kernel &kernel,
                    const fb::Requirements &requirements);
Status verifySpirv(const fb::Kernel &kernel);
Status verifySchedule(VerifyContext &context, const fb::Schedule &schedule,
                      const fb::Variant &variant, const fb::Function &function);
Status verifyVariant(VerifyContext &context, const fb::Variant &variant);

/// Calls \p check(element, index) for every element of \p vector and says which
/// one an error is about.
template <typename Vector, typename Check>
Status forEach(std::string_view noun, const Vector &vector, Check check) {
  for (flatbuffers::uoffset_t i = 0; i < vector.size(); ++i)
    RUNG_RETURN_IF_ERROR(
        check(*vector.Get(i), i).while_(concat("verifying ", noun, " ", i)));
  return Status::ok();
}

/// As forEach, for elements whose names are unique; adds them to the context.
template <typename Vector, typename Check>
Status forEachNamed(VerifyContext &context, std::string_view noun,
                    const Vector &vector, Check check) {
  NameSet names;
  for (flatbuffers::uoffset_t i = 0; i < vector.size(); ++i) {
    const auto &element = *vector.Get(i);
    auto verify = [&]() -> Status {
      RUNG_RETURN_IF_ERROR(context.text(*element.name()));
      RUNG_RETURN_IF_ERROR(names.add(element.name()->string_view()));
      return check(element, i);
    };
    Status status = verify();
    if (!status.isOk())
      return std::move(status).while_("verifying " + label(noun, i, &element));
  }
  return Status::ok();
}

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_VERIFYCONTEXT_H
