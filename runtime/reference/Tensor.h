//===- Tensor.h - numbers in double, with a shape ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_TENSOR_H
#define RUNG_RUNTIME_REFERENCE_TENSOR_H

#include "runtime/base/ScalarType.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rung::reference {

using Dims = std::vector<int64_t>;

/// A dense row-major array. Whatever the element type says, the values are
/// doubles; the type says which of them a value of that format could be.
struct Tensor {
  ScalarType element = ScalarType::F32;
  Dims dims;
  std::vector<double> values;

  /// All zeros. Dimensions must be known and their product representable.
  static Tensor zeros(ScalarType element, Dims dims);

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t size() const { return static_cast<int64_t>(values.size()); }
  int64_t lastDim() const { return dims.empty() ? 1 : dims.back(); }
  /// How many rows of `lastDim()` values there are; also with empty rows.
  int64_t rows() const;

  double *row(int64_t index) { return values.data() + index * lastDim(); }
  const double *row(int64_t index) const {
    return values.data() + index * lastDim();
  }
};

/// The elements behind `bytes`, row-major and little-endian, as doubles. The
/// bytes must be as many as `dims` of `element` take.
Tensor decode(ScalarType element, Dims dims, std::span<const std::byte> bytes);

/// The reverse: each value rounded to nearest even, integers limited to their
/// type's range. `bytes` must be as long as the tensor's elements take.
void encode(const Tensor &tensor, ScalarType element,
            std::span<std::byte> bytes);

/// The number of elements of a shape, or an error where a dimension is
/// negative or the product is beyond what a tensor may hold.
Result<int64_t> elementCount(const Dims &dims);

/// For messages: "[2, 3, 64]".
std::string toString(const Dims &dims);

/// `value` as a whole number in 0 .. `last`; a NaN gives 0.
int64_t clampedIndex(double value, int64_t last);

/// The sum of a[i] * b[i], always added in the same order for a given length.
double dot(const double *a, const double *b, int64_t length);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_TENSOR_H
