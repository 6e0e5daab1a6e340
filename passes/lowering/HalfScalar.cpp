//===- HalfScalar.cpp - f16 numbers as their bits -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfScalar.h"

using namespace mlir;

namespace rung {

Value emitHalfBits(I32Builder &i, Value number) {
  auto &b = i.b();
  Value bits = b.createOrFold<arith::BitcastOp>(b.getI16Type(), number);
  return b.createOrFold<arith::ExtUIOp>(b.getI32Type(), bits);
}

Value emitHalf(I32Builder &i, Value bits) {
  auto &b = i.b();
  Value narrow = b.createOrFold<arith::TruncIOp>(b.getI16Type(), bits);
  return b.createOrFold<arith::BitcastOp>(b.getF16Type(), narrow);
}

HalfParts::HalfParts(I32Builder &i, Value magnitude)
    : exponent(i.maxUnsigned(i.shiftRight(magnitude, kHalfFractionBits),
                             i.constant(1))) {
  significand =
      i.sub(magnitude, i.shiftLeft(i.add(exponent, -1), kHalfFractionBits));
}

namespace {

/// number * 2^exponent, for an integral \p number of at most 2^10 and
/// -36 <= exponent <= 24, rounded once: by three powers from 2^-14 on, before
/// the last of which nothing is below the grid of 2^-24.
Value scaleByPower(I32Builder &i, Value number, Value exponent) {
  auto &b = i.b();
  auto power = [&](Value n) {
    return emitHalf(i, i.shiftLeft(i.add(n, 15), kHalfFractionBits));
  };
  Value first = i.maxSigned(exponent, i.constant(-14));
  Value rest = i.sub(exponent, first);
  Value second = i.maxSigned(rest, i.constant(-10));
  Value third = i.sub(rest, second);
  for (Value part : {first, second, third})
    number = b.createOrFold<arith::MulFOp>(number, power(part));
  return number;
}

/// \p a * \p factor - \p product, where product is the rounded one, as an f16;
/// 0 where the product is not finite.
Value productError(I32Builder &i, Value a, Value factor, Value product) {
  auto &b = i.b();
  Value left = emitHalfBits(i, a), right = emitHalfBits(i, factor);
  Value rounded = emitHalfBits(i, product);
  HalfParts x(i, i.bitAnd(left, kHalfMagnitude));
  HalfParts y(i, i.bitAnd(right, kHalfMagnitude));
  HalfParts p(i, i.bitAnd(rounded, kHalfMagnitude));
  // In units of 2^(x.exponent + y.exponent - 50), of which the rounded product
  // is a multiple; it is shifted by more than 11 only where it is subnormal.
  Value exponents = i.add(x.exponent, y.exponent);
  Value apart =
      i.minUnsigned(i.add(i.sub(p.exponent, exponents), 25), i.constant(31));
  Value exact = b.createOrFold<arith::MulIOp>(x.significand, y.significand);
  Value error = i.sub(exact, i.shiftLeft(p.significand, apart));
  // A larger one is that of a subnormal, half of 2^-24 at most, which rounds
  // to 0, or of no finite product.
  Value small = i.compare(arith::CmpIPredicate::ule, i.add(error, 1 << 10),
                          i.constant(1 << 11));
  error = i.select(small, error, i.constant(0));
  Value negative = i.bitAnd(i.bitXor(left, right), kHalfSign);
  Value minus = i.shiftRightSigned(i.shiftLeft(negative, 16), 31);
  error = i.sub(i.bitXor(error, minus), minus);
  // Below 2^-36 units, 2^10 of them are half of 2^-26: 0 as well.
  Value unit = i.maxSigned(i.add(exponents, -50), i.constant(-36));
  Value number = b.createOrFold<arith::SIToFPOp>(b.getF16Type(), error);
  return scaleByPower(i, number, unit);
}

} // namespace

Value emitMultiplyAdd(ImplicitLocOpBuilder &b, Value a, Value factor, Value c) {
  I32Builder i(b);
  Value product = b.createOrFold<arith::MulFOp>(a, factor);
  Value error = productError(i, a, factor, product);
  Value sum = b.createOrFold<arith::AddFOp>(product, c);
  return b.createOrFold<arith::AddFOp>(sum, error);
}

} // namespace rung
