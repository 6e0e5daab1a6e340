//===- Integer.cpp - whole numbers held in doubles ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Integer.h"

namespace rung::reference {
namespace {

template <typename T> void wrapEach(double *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(toInt32(values[i]));
}

} // namespace

void wrapAll(ScalarType type, double *values, int64_t count) {
  switch (type) {
  case ScalarType::I32:
    return wrapEach<int32_t>(values, count);
  case ScalarType::I16:
    return wrapEach<int16_t>(values, count);
  case ScalarType::S8:
    return wrapEach<int8_t>(values, count);
  case ScalarType::U8:
    for (int64_t i = 0; i < count; ++i)
      values[i] = toInt32(values[i]) & 1;
    return;
  default:
    return;
  }
}

double wrapped(ScalarType type, double value) {
  wrapAll(type, &value, 1);
  return value;
}

uint32_t maskOf(ScalarType type) {
  switch (type) {
  case ScalarType::U8:
    return 1;
  case ScalarType::S8:
    return 0xff;
  case ScalarType::I16:
    return 0xffff;
  default:
    return ~0u;
  }
}

} // namespace rung::reference
