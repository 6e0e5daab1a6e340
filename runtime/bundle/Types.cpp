//===- Types.cpp - the bundle's enums and the runtime's -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Types.h"

#include "runtime/base/Text.h"

#include <limits>

namespace rung {

namespace {
/// False on overflow.
bool multiply(uint64_t &product, uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

std::string sizes(uint64_t t, uint64_t b) {
  return concat("T = ", t, ", B = ", b);
}

uint64_t ceilDivide(uint64_t value, uint64_t divisor) {
  return value / divisor + (value % divisor != 0);
}
} // namespace

std::string toString(const fb::TensorType &type) {
  std::string text(toString(toScalarType(type.element())));
  text += '[';
  const char *separator = "";
  for (int32_t dim : *type.dims()) {
    text += separator;
    text += dim == kDimT ? "T" : dim == kDimB ? "B" : std::to_string(dim);
    separator = ", ";
  }
  return text += ']';
}

Result<uint64_t> evaluate(const fb::Extent &extent, uint64_t t, uint64_t b) {
  uint64_t tb = t;
  bool fits = multiply(tb, b);
  uint64_t product = 1;
  for (const fb::Factor *factor : *extent.factors()) {
    uint64_t symbol = 1;
    switch (factor->symbol()) {
    case fb::Symbol::One:
      break;
    case fb::Symbol::T:
      symbol = t;
      break;
    case fb::Symbol::B:
      symbol = b;
      break;
    case fb::Symbol::TB:
      symbol = tb;
      break;
    }
    fits = multiply(product, ceilDivide(symbol, factor->divisor())) &&
           multiply(product, factor->multiplier()) && fits;
  }
  if (!fits)
    return Status(StatusCode::ResourceExhausted,
                  concat("a size exceeds 64 bits for ", sizes(t, b)));
  return product;
}

Result<uint64_t> elementCount(const fb::TensorType &type, uint64_t t,
                              uint64_t b) {
  uint64_t count = 1;
  bool fits = true;
  for (int32_t dim : *type.dims())
    fits = multiply(count, dim == kDimT   ? t
                           : dim == kDimB ? b
                                          : static_cast<uint64_t>(dim)) &&
           fits;
  if (!fits || count > std::numeric_limits<uint64_t>::max() /
                           byteSize(toScalarType(type.element())))
    return Status(StatusCode::ResourceExhausted,
                  concat("a tensor of type ", toString(type),
                         " exceeds 64 bits of bytes for ", sizes(t, b)));
  return count;
}

} // namespace rung
