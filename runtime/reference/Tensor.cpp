//===- Tensor.cpp - numbers in double, with a shape -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Tensor.h"

#include "runtime/base/Tensor.h"

#include <algorithm>
#include <utility>

namespace rung::reference {

// 2^34 doubles are 128 GiB: more is a damaged file, not a model.
constexpr int64_t kMaxElements = int64_t(1) << 34;

Tensor Tensor::zeros(ScalarType element, Dims dims) {
  Tensor tensor;
  tensor.element = element;
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  tensor.dims = std::move(dims);
  tensor.values.assign(static_cast<size_t>(count), 0.0);
  return tensor;
}

int64_t Tensor::rows() const {
  int64_t count = 1;
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    count *= dims[i];
  return count;
}

Tensor decode(ScalarType element, Dims dims, std::span<const std::byte> bytes) {
  rung::Tensor host;
  host.type = element;
  host.shape.assign(dims.begin(), dims.end());
  host.data.assign(bytes.begin(), bytes.end());
  host = convert(host, ScalarType::F64);
  Tensor tensor;
  tensor.element = element;
  tensor.dims = std::move(dims);
  std::span<const double> values = host.values<double>();
  tensor.values.assign(values.begin(), values.end());
  return tensor;
}

void encode(const Tensor &tensor, ScalarType element,
            std::span<std::byte> bytes) {
  rung::Tensor host;
  host.type = ScalarType::F64;
  host.shape.assign(tensor.dims.begin(), tensor.dims.end());
  auto values = std::as_bytes(std::span(tensor.values));
  host.data.assign(values.begin(), values.end());
  host = convert(host, element);
  std::copy(host.data.begin(), host.data.end(), bytes.begin());
}

Result<int64_t> elementCount(const Dims &dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 0)
      return Status(StatusCode::InvalidArgument,
                    "shape " + toString(dims) + " has a negative dimension");
    if (dim != 0 && count > kMaxElements / dim)
      return Status(StatusCode::InvalidArgument,
                    "shape " + toString(dims) + " has more than " +
                        std::to_string(kMaxElements) + " elements");
    count *= dim;
  }
  return count;
}

std::string toString(const Dims &dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

int64_t clampedIndex(double value, int64_t last) {
  if (!(value > 0))
    return 0;
  return value < static_cast<double>(last) ? static_cast<int64_t>(value) : last;
}

double dot(const double *a, const double *b, int64_t length) {
  // Several running sums keep the adders busy.
  constexpr int64_t kSums = 8;
  double sums[kSums] = {};
  int64_t i = 0;
  for (; i + kSums <= length; i += kSums)
    for (int64_t j = 0; j < kSums; ++j)
      sums[j] += a[i + j] * b[i + j];
  for (; i < length; ++i)
    sums[i % kSums] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
         ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

} // namespace rung::reference
