//===- Conversions.cpp - from one element type to another -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Half.h"
#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Pointwise.h"

#include <bit>
#include <cmath>
#include <string_view>

namespace rung::reference {
namespace {

/// The types of one conversion.
struct Types {
  ScalarType from, to;
};
using Loop = void (*)(const RowArgs &row, Types types);

// Narrower, wider: the value, rounded once; also to f32.
void convertFloat(const RowArgs &row, Types types) {
  std::copy_n(row.operands[0], row.count, row.out);
  roundAllTo(types.to, row.out, row.count);
}

// The low bits; a signed operand's value is kept where it fits.
void convertSigned(const RowArgs &row, Types types) {
  double sign = signOf(types.from);
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = toInt32(row.operands[0][i] * sign);
  wrapAll(types.to, row.out, row.count);
}

void convertUnsigned(const RowArgs &row, Types types) {
  uint32_t mask = maskOf(types.from);
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = wrap32(toInt32(row.operands[0][i]) & mask);
  wrapAll(types.to, row.out, row.count);
}

void signedToFloat(const RowArgs &row, Types types) {
  double sign = signOf(types.from);
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = toInt32(row.operands[0][i] * sign);
  roundAllTo(types.to, row.out, row.count);
}

void unsignedToFloat(const RowArgs &row, Types types) {
  uint32_t mask = maskOf(types.from);
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = toInt32(row.operands[0][i]) & mask;
  roundAllTo(types.to, row.out, row.count);
}

// Toward zero. What the type does not hold has no meaning in arith; here it
// gives the nearest end of i32, then the type's low bits.
void floatToSigned(const RowArgs &row, Types types) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = toInt32(row.operands[0][i]);
  wrapAll(types.to, row.out, row.count);
}

void floatToUnsigned(const RowArgs &row, Types types) {
  for (int64_t i = 0; i < row.count; ++i) {
    double value = row.operands[0][i];
    value = value > 0 ? value : 0;
    value = value < 4294967295.0 ? value : 4294967295.0;
    row.out[i] = wrap32(static_cast<int64_t>(value));
  }
  wrapAll(types.to, row.out, row.count);
}

int32_t bitsOf(ScalarType type, double value) {
  switch (type) {
  case ScalarType::F32:
    return std::bit_cast<int32_t>(static_cast<float>(value));
  case ScalarType::F16:
    return static_cast<int16_t>(toHalf(value));
  case ScalarType::BF16:
    return static_cast<int16_t>(toBFloat16(value));
  default:
    return toInt32(value);
  }
}

double fromBits(ScalarType type, int32_t bits) {
  switch (type) {
  case ScalarType::F32:
    return std::bit_cast<float>(bits);
  case ScalarType::F16:
    return fromHalf(static_cast<uint16_t>(bits));
  case ScalarType::BF16:
    return fromBFloat16(static_cast<uint16_t>(bits));
  default:
    return bits;
  }
}

void sameBits(const RowArgs &row, Types types) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = fromBits(types.to, bitsOf(types.from, row.operands[0][i]));
}

enum Side { kFloat, kInteger, kAny };

struct Conversion {
  std::string_view op;
  Side from, to;
  Loop loop;
};

const Conversion kConversions[] = {
    {"arith.truncf", kFloat, kFloat, convertFloat},
    {"arith.extf", kFloat, kFloat, convertFloat},
    {"arith.trunci", kInteger, kInteger, convertSigned},
    {"arith.extsi", kInteger, kInteger, convertSigned},
    {"arith.extui", kInteger, kInteger, convertUnsigned},
    {"arith.sitofp", kInteger, kFloat, signedToFloat},
    {"arith.uitofp", kInteger, kFloat, unsignedToFloat},
    {"arith.fptosi", kFloat, kInteger, floatToSigned},
    {"arith.fptoui", kFloat, kInteger, floatToUnsigned},
    {"arith.bitcast", kAny, kAny, sameBits},
};

Status expectSide(const NodeView &node, std::string_view what, ScalarType type,
                  Side side) {
  if (side == kAny || isFloat(type) == (side == kFloat))
    return Status::ok();
  return node.invalid(concat(what, " is of ", toString(type), "; ",
                             side == kFloat ? "a float" : "an integer",
                             " is needed"));
}

} // namespace

Result<Pointwise> makeConversion(const NodeView &node) {
  for (const Conversion &conversion : kConversions) {
    if (conversion.op != node.op())
      continue;
    RUNG_RETURN_IF_ERROR(node.expectOperands(1, 1));
    RUNG_RETURN_IF_ERROR(node.expectAttributes(
        {"fastmath", "roundingmode", "overflowFlags", "nonNeg"}));
    if (node.has("roundingmode")) {
      RUNG_RETURN_IF_ERROR(
          node.choice("roundingmode", {"to_nearest_even"}).status());
    }
    Types types{node.operandElement(0), node.resultElement(0)};
    RUNG_RETURN_IF_ERROR(
        expectSide(node, "operand 0", types.from, conversion.from));
    RUNG_RETURN_IF_ERROR(
        expectSide(node, "the result", types.to, conversion.to));
    if (conversion.loop == sameBits &&
        byteSize(types.from) != byteSize(types.to))
      return node.invalid(concat("operand and result are of ",
                                 toString(types.from), " and ",
                                 toString(types.to), ", of different sizes"));
    return Pointwise([loop = conversion.loop, types](const RowArgs &row) {
      loop(row, types);
    });
  }
  return Pointwise();
}

} // namespace rung::reference
