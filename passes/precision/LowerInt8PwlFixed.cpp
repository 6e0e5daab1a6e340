//===- LowerInt8PwlFixed.cpp - arithmetic on fixed-point rows ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlFixed.h"

#include "compiler/numerics/Requantize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace rung::int8 {

// A constant that is multiplied with: 2^-24 of 1 is below every other rounding.
static constexpr int kFactorBits = 24;

double Fixed::magnitude() const {
  if (constant)
    return std::abs(*constant);
  return std::ldexp(double(std::max(std::abs(low), std::abs(high))), -bits);
}

int finestBits(double magnitude, int64_t largest, int most) {
  assert(std::isfinite(magnitude) && "grids are for finite numbers");
  int bits = most;
  while (std::ldexp(magnitude, bits) > double(largest))
    --bits;
  return bits;
}

FixedBuilder::FixedBuilder(OpBuilder &builder, Location location, int64_t width)
    : builder_(location, builder),
      type_(RankedTensorType::get({width}, builder.getI32Type())) {}

Value FixedBuilder::splat(int32_t value) {
  return arith::ConstantOp::create(
      builder_, DenseElementsAttr::get(
                    type_, builder_.getI32IntegerAttr(value).getValue()));
}

Fixed FixedBuilder::fixedSplat(int32_t value, int bits) {
  return {splat(value), bits, value, value, {}};
}

Fixed FixedBuilder::materialize(const Fixed &a, int bits) {
  if (!a.constant)
    return a;
  bits = finestBits(a.magnitude(), kLargest, bits);
  return fixedSplat(numerics::roundToGrid(std::ldexp(*a.constant, bits)), bits);
}

Value FixedBuilder::requantize(Value a, Value factor, int shift) {
  return rnn::RequantizeOp::create(builder_, a, factor, shift);
}

Fixed FixedBuilder::toBits(Fixed a, int bits) {
  a = materialize(a, bits);
  int difference = bits - a.bits;
  if (difference == 0)
    return a;
  if (difference > 0)
    return {make<arith::ShLIOp>(a.value, splat(difference)),
            bits,
            a.low << difference,
            a.high << difference,
            {}};
  int64_t half = int64_t(1) << (-difference - 1);
  return {requantize(a.value, splat(1), -difference),
          bits,
          (a.low + half) >> -difference,
          (a.high + half) >> -difference,
          {}};
}

Fixed FixedBuilder::clamp(Fixed a, int64_t low, int64_t high) {
  if (a.low < low) {
    a.value = make<arith::MaxSIOp>(a.value, splat(int32_t(low)));
    a.low = low;
    a.high = std::max(a.high, low);
  }
  if (a.high > high) {
    a.value = make<arith::MinSIOp>(a.value, splat(int32_t(high)));
    a.high = high;
  }
  return a;
}

void FixedBuilder::align(Fixed &a, Fixed &b, double magnitude) {
  // A constant takes the other's grid.
  int bits = a.constant   ? b.bits
             : b.constant ? a.bits
                          : std::max(a.bits, b.bits);
  bits = finestBits(magnitude, kLargest, bits);
  a = toBits(a, bits);
  b = toBits(b, bits);
}

Fixed FixedBuilder::add(Fixed a, Fixed b) {
  align(a, b, a.magnitude() + b.magnitude());
  return {make<arith::AddIOp>(a.value, b.value),
          a.bits,
          a.low + b.low,
          a.high + b.high,
          {}};
}

Fixed FixedBuilder::subtract(Fixed a, Fixed b) {
  align(a, b, a.magnitude() + b.magnitude());
  return {make<arith::SubIOp>(a.value, b.value),
          a.bits,
          a.low - b.high,
          a.high - b.low,
          {}};
}

Fixed FixedBuilder::negate(Fixed a) {
  a = materialize(a, a.bits);
  return {make<arith::SubIOp>(splat(0), a.value), a.bits, -a.high, -a.low, {}};
}

/// Whether all of \p a lies on one side of the constant \p b, which then need
/// not be a number of any grid: `clip` may be as wide as a float allows.
static bool staysBelow(const Fixed &a, const Fixed &b) {
  return !a.constant && b.constant &&
         std::ldexp(double(a.high), -a.bits) <= *b.constant;
}
static bool staysAbove(const Fixed &a, const Fixed &b) {
  return !a.constant && b.constant &&
         std::ldexp(double(a.low), -a.bits) >= *b.constant;
}

Fixed FixedBuilder::maximum(Fixed a, Fixed b) {
  if (staysAbove(a, b))
    return a;
  if (staysAbove(b, a))
    return b;
  align(a, b, std::max(a.magnitude(), b.magnitude()));
  return {make<arith::MaxSIOp>(a.value, b.value),
          a.bits,
          std::max(a.low, b.low),
          std::max(a.high, b.high),
          {}};
}

Fixed FixedBuilder::minimum(Fixed a, Fixed b) {
  if (staysBelow(a, b))
    return a;
  if (staysBelow(b, a))
    return b;
  align(a, b, std::max(a.magnitude(), b.magnitude()));
  return {make<arith::MinSIOp>(a.value, b.value),
          a.bits,
          std::min(a.low, b.low),
          std::min(a.high, b.high),
          {}};
}

Value FixedBuilder::compare(arith::CmpIPredicate predicate, Fixed a, Fixed b) {
  align(a, b, std::max(a.magnitude(), b.magnitude()));
  return arith::CmpIOp::create(builder_, predicate, a.value, b.value);
}

Fixed FixedBuilder::select(Value condition, Fixed a, Fixed b) {
  align(a, b, std::max(a.magnitude(), b.magnitude()));
  return {arith::SelectOp::create(builder_, condition, a.value, b.value),
          a.bits,
          std::min(a.low, b.low),
          std::max(a.high, b.high),
          {}};
}

Fixed FixedBuilder::multiply(Fixed a, Fixed b) {
  // The product keeps the coarser grid of the two: a share of a number is
  // rounded as the number is.
  if (a.constant)
    std::swap(a, b);
  if (b.constant)
    b = materialize(b, std::max(kFactorBits, a.bits));
  int bits = finestBits(a.magnitude() * b.magnitude(), kLargest,
                        std::min(a.bits, b.bits));
  int shift = a.bits + b.bits - bits;
  Value product;
  if (shift >= numerics::kMinShift)
    product = requantize(a.value, b.value, shift);
  else // Both are whole numbers.
    product = make<arith::MulIOp>(a.value, b.value);
  auto bounds = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  int64_t half = shift > 0 ? int64_t(1) << (shift - 1) : 0;
  return {product,
          bits,
          (bounds.first + half) >> std::max(shift, 0),
          (bounds.second + half) >> std::max(shift, 0),
          {}};
}

//===----------------------------------------------------------------------===//
// Operands of products
//===----------------------------------------------------------------------===//

OperandGrid operandGrid(double magnitude, int64_t depth, int operandBytes) {
  OperandGrid grid;
  grid.limit = operandBytes == 1 ? INT8_MAX : INT16_MAX;
  grid.limit = std::min<int64_t>(grid.limit, INT32_MAX / (127 * depth) - 1);
  // A number at the very end of the range saturates by one.
  grid.bits = finestBits(magnitude, grid.limit + 1, 30);
  return grid;
}

Bytes splitBytes(FixedBuilder &b, Fixed a, int64_t depth, int operandBytes) {
  OperandGrid grid = operandGrid(a.magnitude(), depth, operandBytes);
  Fixed q = b.toBits(a, std::min(grid.bits, a.bits));
  q = b.clamp(q, -grid.limit - 1, grid.limit);
  Type byte = b.builder().getI8Type();
  if (operandBytes == 1)
    return {b.convert<arith::TruncIOp>(q.value, byte), {}, q.bits};
  Value high = b.make<arith::ShRSIOp>(q.value, b.splat(8));
  Value low = b.make<arith::AndIOp>(q.value, b.splat(255));
  low = b.make<arith::SubIOp>(low, b.splat(128));
  return {b.convert<arith::TruncIOp>(high, byte),
          b.convert<arith::TruncIOp>(low, byte), q.bits};
}

} // namespace rung::int8
