//===- Types.h - the bundle's enums and the runtime's -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_TYPES_H
#define RUNG_RUNTIME_BUNDLE_TYPES_H

#include "runtime/base/Profile.h"
#include "runtime/base/ScalarType.h"
#include "runtime/bundle/Bundle_generated.h"

#include <string>

namespace rung {

inline constexpr int32_t kDimT = -1; ///< A dimension of T steps.
inline constexpr int32_t kDimB = -2; ///< A dimension of B batch rows.

static_assert(int(fb::ScalarType::F32) == int(ScalarType::F32) &&
              int(fb::ScalarType::F16) == int(ScalarType::F16) &&
              int(fb::ScalarType::BF16) == int(ScalarType::BF16) &&
              int(fb::ScalarType::F64) == int(ScalarType::F64) &&
              int(fb::ScalarType::I32) == int(ScalarType::I32) &&
              int(fb::ScalarType::I16) == int(ScalarType::I16) &&
              int(fb::ScalarType::S8) == int(ScalarType::S8) &&
              int(fb::ScalarType::U8) == int(ScalarType::U8) &&
              int(fb::ScalarType::MAX) == 7);
static_assert(int(fb::Feature::MAX) + 1 == int(kFeatureCount) &&
              int(fb::Feature::CooperativeMatrix) ==
                  int(Feature::CooperativeMatrix) &&
              int(fb::Feature::SubgroupSizeControl) ==
                  int(Feature::SubgroupSizeControl));

inline ScalarType toScalarType(fb::ScalarType type) {
  return static_cast<ScalarType>(type);
}
/// \p type must not be I64 or Bool, which bundles do not hold.
inline fb::ScalarType toBundle(ScalarType type) {
  return static_cast<fb::ScalarType>(type);
}

inline Feature toFeature(fb::Feature feature) {
  return static_cast<Feature>(feature);
}
inline fb::Feature toBundle(Feature feature) {
  return static_cast<fb::Feature>(feature);
}

inline CooperativeShape toCooperativeShape(const fb::CoopShape &shape) {
  return {shape.m(),
          shape.n(),
          shape.k(),
          toScalarType(shape.a()),
          toScalarType(shape.b()),
          toScalarType(shape.c()),
          toScalarType(shape.d())};
}
inline fb::CoopShape toBundle(const CooperativeShape &shape) {
  return fb::CoopShape(shape.m, shape.n, shape.k, toBundle(shape.a),
                       toBundle(shape.b), toBundle(shape.c), toBundle(shape.d));
}

/// "f32[T, B, 256]".
std::string toString(const fb::TensorType &type);

/// The value of \p extent for \p t steps and \p b rows; an error if it exceeds
/// 64 bits.
Result<uint64_t> evaluate(const fb::Extent &extent, uint64_t t, uint64_t b);

/// Elements of \p type for \p t steps and \p b rows; an error if their bytes
/// exceed 64 bits.
Result<uint64_t> elementCount(const fb::TensorType &type, uint64_t t,
                              uint64_t b);

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_TYPES_H
