//===- ScalarType.h - element types of tensors ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_SCALARTYPE_H
#define RUNG_RUNTIME_BASE_SCALARTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rung {

/// The first eight have the numbers of the bundle's own enum; the last two
/// occur in .npy files only.
enum class ScalarType : uint8_t {
  F32,
  F16,
  BF16,
  F64,
  I32,
  I16,
  S8,
  U8,
  I64,
  Bool,
};
inline constexpr unsigned kScalarTypeCount = 10;

/// Bytes of one element.
size_t byteSize(ScalarType type);

/// f32 f16 bf16 f64 i32 i16 s8 u8 i64 bool.
std::string_view toString(ScalarType type);
std::optional<ScalarType> parseScalarType(std::string_view name);

inline bool isFloat(ScalarType type) { return type <= ScalarType::F64; }

} // namespace rung

#endif // RUNG_RUNTIME_BASE_SCALARTYPE_H
