//===- Npy.h - NumPy's .npy and .npz files ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_NPY_H
#define RUNG_RUNTIME_BASE_NPY_H

#include "runtime/base/ScalarType.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rung {

/// A dense tensor in host memory, C order, little-endian.
struct Tensor {
  ScalarType type = ScalarType::F32;
  std::vector<uint64_t> shape; ///< Empty for a scalar.
  std::vector<std::byte> data; ///< elementCount() * byteSize(type) bytes.

  /// Zeros. The sizes must fit memory.
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

/// Element \p index as a double, whatever the type.
double toDouble(const Tensor &tensor, uint64_t index);

/// \p tensor as \p type: floats to nearest even; integers saturate, from floats
/// to nearest even, NaN to 0; bool is nonzero.
Tensor convert(const Tensor &tensor, ScalarType type);

/// Versions 1.0 to 3.0; types f2 f4 f8 i1 u1 i2 i4 i8 b1; Fortran order comes
/// out transposed to C order, big-endian swapped.
Result<Tensor> parseNpy(std::span<const std::byte> bytes);
Result<Tensor> readNpy(const std::string &path);

/// Version 1.0 as NumPy writes it. NumPy has no bf16: it is written as f4.
std::vector<std::byte> serializeNpy(const Tensor &tensor);
Status writeNpy(const std::string &path, const Tensor &tensor);

/// Name and tensor, in the order of the archive.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Stored and deflated members, names without their ".npy".
Result<NamedTensors> parseNpz(std::span<const std::byte> bytes);
Result<NamedTensors> readNpz(const std::string &path);

/// Deterministic: dates are fixed. Members are stored, or deflated if
/// \p compress.
Status writeNpz(const std::string &path, const NamedTensors &tensors,
                bool compress = false);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_NPY_H
