//===- Tensor.h - dense tensors in host memory ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_TENSOR_H
#define RUNG_RUNTIME_BASE_TENSOR_H

#include "runtime/base/ScalarType.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rung {

/// A dense tensor, C order, little-endian.
struct Tensor {
  ScalarType type = ScalarType::F32;
  std::vector<uint64_t> shape; ///< Empty for a scalar.
  std::vector<std::byte> data; ///< elementCount() * byteSize(type) bytes.

  /// The sizes must fit memory.
  static Tensor zeros(ScalarType type, std::vector<uint64_t> shape);

  uint64_t elementCount() const;

  /// The elements; T must be as wide as the type.
  template <typename T> std::span<T> values() {
    return {reinterpret_cast<T *>(data.data()), data.size() / sizeof(T)};
  }
  template <typename T> std::span<const T> values() const {
    return {reinterpret_cast<const T *>(data.data()), data.size() / sizeof(T)};
  }
};

/// "f32[2, 3]".
std::string toString(const Tensor &tensor);

/// Element \p index as a double, whatever the type; i64 beyond 2^53 rounds.
double toDouble(const Tensor &tensor, uint64_t index);

/// \p tensor as \p type. Float to float and float to integer round to nearest
/// even, NaN to integer is 0; integers out of range saturate; bool is "not 0".
/// Integers beyond 2^53 pass exactly between integer types only.
Tensor convert(const Tensor &tensor, ScalarType type);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_TENSOR_H
