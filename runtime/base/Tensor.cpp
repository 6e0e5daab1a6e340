//===- Tensor.cpp - dense tensors in host memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Tensor.h"

#include "runtime/base/Half.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace rung {

namespace {
template <typename T> T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <typename T> void store(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

double loadDouble(ScalarType type, const std::byte *at) {
  switch (type) {
  case ScalarType::F32:
    return load<float>(at);
  case ScalarType::F16:
    return fromHalf(load<uint16_t>(at));
  case ScalarType::BF16:
    return fromBFloat16(load<uint16_t>(at));
  case ScalarType::F64:
    return load<double>(at);
  case ScalarType::I32:
    return load<int32_t>(at);
  case ScalarType::I16:
    return load<int16_t>(at);
  case ScalarType::S8:
    return load<int8_t>(at);
  case ScalarType::U8:
    return load<uint8_t>(at);
  case ScalarType::I64:
    return static_cast<double>(load<int64_t>(at));
  case ScalarType::Bool:
    return load<uint8_t>(at) != 0;
  }
  return 0;
}

int64_t loadInteger(ScalarType type, const std::byte *at) {
  if (type == ScalarType::I64)
    return load<int64_t>(at);
  return static_cast<int64_t>(loadDouble(type, at));
}

/// \p value as an int64, to nearest even and saturated.
int64_t roundToInteger(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(std::nearbyint(value));
}

template <typename T> void storeSaturated(std::byte *at, int64_t value) {
  store(at,
        static_cast<T>(std::clamp<int64_t>(value, std::numeric_limits<T>::min(),
                                           std::numeric_limits<T>::max())));
}

void storeInteger(ScalarType type, std::byte *at, int64_t value) {
  switch (type) {
  case ScalarType::I64:
    return store(at, value);
  case ScalarType::I32:
    return storeSaturated<int32_t>(at, value);
  case ScalarType::I16:
    return storeSaturated<int16_t>(at, value);
  case ScalarType::S8:
    return storeSaturated<int8_t>(at, value);
  case ScalarType::U8:
    return storeSaturated<uint8_t>(at, value);
  default:
    break;
  }
}

void storeFloat(ScalarType type, std::byte *at, double value) {
  switch (type) {
  case ScalarType::F32:
    return store(at, static_cast<float>(value));
  case ScalarType::F16:
    return store(at, toHalf(value));
  case ScalarType::BF16:
    return store(at, toBFloat16(value));
  case ScalarType::F64:
    return store(at, value);
  default:
    break;
  }
}
} // namespace

Tensor Tensor::zeros(ScalarType type, std::vector<uint64_t> shape) {
  Tensor tensor{type, std::move(shape), {}};
  tensor.data.resize(tensor.elementCount() * byteSize(type));
  return tensor;
}

uint64_t Tensor::elementCount() const {
  uint64_t count = 1;
  for (uint64_t size : shape)
    count *= size;
  return count;
}

std::string toString(const Tensor &tensor) {
  return concat(toString(tensor.type), "[", joined(tensor.shape), "]");
}

double toDouble(const Tensor &tensor, uint64_t index) {
  return loadDouble(tensor.type,
                    tensor.data.data() + index * byteSize(tensor.type));
}

Tensor convert(const Tensor &tensor, ScalarType type) {
  if (tensor.type == type)
    return tensor;
  Tensor result = Tensor::zeros(type, tensor.shape);
  const std::byte *from = tensor.data.data();
  std::byte *to = result.data.data();
  for (uint64_t i = 0, e = tensor.elementCount(); i != e; ++i) {
    if (type == ScalarType::Bool)
      store<uint8_t>(to, loadDouble(tensor.type, from) != 0);
    else if (isFloat(type))
      storeFloat(type, to, loadDouble(tensor.type, from));
    else if (isFloat(tensor.type))
      storeInteger(type, to, roundToInteger(loadDouble(tensor.type, from)));
    else
      storeInteger(type, to, loadInteger(tensor.type, from));
    from += byteSize(tensor.type);
    to += byteSize(type);
  }
  return result;
}

} // namespace rung
