//===- Convert.h - tensor data as float32 -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SAFETENSORS_CONVERT_H
#define RUNG_FRONTENDS_SAFETENSORS_CONVERT_H

#include "frontends/safetensors/Header.h"

namespace rung::safetensors {

/// True for F32, F16, BF16 and F64.
bool isFloat(const Tensor &tensor);

/// The elements in row-major order; F16 and BF16 widen exactly, F64 rounds to
/// nearest even. `tensor` must be a float tensor.
std::vector<float> toFloat32(const Tensor &tensor);

/// What is remarkable about converted values.
struct ValueCheck {
  size_t nonFinite = 0;
  /// Finite in the file (F64), but beyond the range of float32.
  size_t overflowed = 0;
  /// Index of the first of either kind.
  size_t first = 0;
};
ValueCheck checkValues(const Tensor &tensor, const std::vector<float> &values);

} // namespace rung::safetensors

#endif // RUNG_FRONTENDS_SAFETENSORS_CONVERT_H
