//===- StochasticScalar.cpp - a sum, rounded by chance --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rounding away from zero is adding one to the magnitude bits, and past the
// largest finite value it gives infinity's.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/StochasticScalar.h"

#include "passes/lowering/HalfScalar.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace rung {

namespace {

/// A magnitude of `whole` and `rest` / 2^32 units; units of 2^(exponent - 25).
struct Fixed {
  Value whole, rest;
};

/// large +- small, `large` having the larger magnitude. Exact: exponents are at
/// most 30 apart, and the rest has 32 bits.
Fixed addAligned(I32Builder &i, const HalfParts &large, const HalfParts &small,
                 Value subtracts) {
  Value apart = i.sub(large.exponent, small.exponent);
  Value whole = i.shiftRight(small.significand, apart);
  // By 32 - apart; in two steps, since shifts by 32 are not defined.
  Value rest = i.shiftLeft(
      i.shiftLeft(small.significand, i.sub(i.constant(31), apart)), 1);
  Value zero = i.constant(0);
  Value isWhole = i.compare(arith::CmpIPredicate::eq, rest, zero);
  Value borrowed = i.select(isWhole, whole, i.add(whole, 1));
  return {i.select(subtracts, i.sub(large.significand, borrowed),
                   i.add(large.significand, whole)),
          i.select(subtracts, i.sub(zero, rest), rest)};
}

/// The magnitude bits of \p sum's lower neighbour, and in `rest` how far
/// towards the upper one it lies; \p sum is not zero.
Fixed normalize(I32Builder &i, const Fixed &sum, Value exponent) {
  // A sum has at most 12 bits; it is halved, then doubled until it has 11 or
  // the exponent is 1. Of a rest, three bits at the end are zero.
  Value whole = i.shiftRight(sum.whole, 1);
  Value rest = i.bitOr(i.shiftLeft(sum.whole, 31), i.shiftRight(sum.rest, 1));
  auto &b = i.b();
  Value zeros = b.createOrFold<math::CountLeadingZerosOp>(sum.whole);
  Value doublings = i.minUnsigned(i.add(zeros, -20), exponent);
  Value carried =
      i.shiftRight(i.shiftRight(rest, 1), i.sub(i.constant(31), doublings));
  Value significand = i.bitOr(i.shiftLeft(whole, doublings), carried);
  Value bits = i.add(i.shiftLeft(i.sub(exponent, doublings), kHalfFractionBits),
                     significand);
  return {bits, i.shiftLeft(rest, doublings)};
}

} // namespace

Value emitAddStochastic(ImplicitLocOpBuilder &b, Value a, Value addend,
                        Value bits) {
  using Predicate = arith::CmpIPredicate;
  I32Builder i(b);
  Value left = emitHalfBits(i, a), right = emitHalfBits(i, addend);
  Value leftSize = i.bitAnd(left, kHalfMagnitude);
  Value rightSize = i.bitAnd(right, kHalfMagnitude);
  Value largest = i.maxUnsigned(leftSize, rightSize);
  HalfParts large(i, largest);
  HalfParts small(i, i.minUnsigned(leftSize, rightSize));
  Value zero = i.constant(0);
  Value subtracts = i.compare(Predicate::ne,
                              i.bitAnd(i.bitXor(left, right), kHalfSign), zero);
  Fixed sum = addAligned(i, large, small, subtracts);
  Fixed below = normalize(i, sum, large.exponent);

  // The larger one's sign; a sum of zero is negative where both zeros are.
  Value leads = i.compare(Predicate::uge, leftSize, rightSize);
  Value sign = i.select(leads, left, right);
  Value isZero = i.compare(Predicate::eq, i.bitOr(sum.whole, sum.rest), zero);
  sign = i.bitAnd(i.select(isZero, i.bitAnd(left, right), sign), kHalfSign);

  // Of a negative sum, the neighbour with the larger magnitude is the lower
  // one: ~bits < rest says that bits is not below 2^32 - rest.
  Value flip = i.shiftRightSigned(i.shiftLeft(sign, 16), 31);
  Value away = i.compare(Predicate::ult, i.bitXor(bits, flip), below.rest);
  Value magnitude =
      i.add(below.whole, b.createOrFold<arith::ExtUIOp>(b.getI32Type(), away));
  magnitude = i.select(isZero, zero,
                       i.minUnsigned(magnitude, i.constant(kHalfInfinity)));
  Value rounded = emitHalf(i, i.bitOr(sign, magnitude));

  Value plain = b.createOrFold<arith::AddFOp>(a, addend);
  Value isSpecial =
      i.compare(Predicate::uge, largest, i.constant(kHalfInfinity));
  return i.select(isSpecial, plain, rounded);
}

} // namespace rung
