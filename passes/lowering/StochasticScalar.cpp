//===- StochasticScalar.cpp - a sum, rounded by chance --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The nearest f16, its error, which is one too, and an integer comparison: the
// sum lies between the nearest and the neighbour on the error's side, as many
// parts of their distance from the nearest as the error has. Rounding away from
// zero is adding one to the magnitude bits, and past the largest finite value
// it gives infinity's.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/StochasticScalar.h"

#include "passes/lowering/HalfScalar.h"

using namespace mlir;

namespace rung {

namespace {

/// The finite f16 nearest to a sum, and what it lacks.
struct NearestSum {
  Value plain; ///< As a device adds; infinite past the largest finite value.
  Value sum, error;
};

/// By Knuth's TwoSum. It is exact with the largest finite number for an
/// infinite sum, too: the addends are then of one sign, and the larger one at
/// least half of it.
NearestSum addExactly(ImplicitLocOpBuilder &b, Value a, Value addend) {
  auto add = [&](Value x, Value y) {
    return b.createOrFold<arith::AddFOp>(x, y);
  };
  auto sub = [&](Value x, Value y) {
    return b.createOrFold<arith::SubFOp>(x, y);
  };
  Value plain = add(a, addend), sum = plain;
  auto limit = [&](arith::CmpFPredicate beyond, float by) {
    Value bound = arith::ConstantOp::create(b, b.getF16FloatAttr(by));
    Value past = b.createOrFold<arith::CmpFOp>(beyond, sum, bound);
    sum = b.createOrFold<arith::SelectOp>(past, bound, sum);
  };
  limit(arith::CmpFPredicate::OGT, 65504);
  limit(arith::CmpFPredicate::OLT, -65504);
  Value ofAddend = sub(sum, a);
  Value ofA = sub(sum, ofAddend);
  Value missedA = sub(a, ofA);
  Value missedAddend = sub(addend, ofAddend);
  return {plain, sum, add(missedA, missedAddend)};
}

} // namespace

Value emitAddStochastic(ImplicitLocOpBuilder &b, Value a, Value addend,
                        Value bits) {
  using Predicate = arith::CmpIPredicate;
  I32Builder i(b);
  NearestSum nearest = addExactly(b, a, addend);
  Value sum = emitHalfBits(i, nearest.sum);
  Value error = emitHalfBits(i, nearest.error);
  Value errorSize = i.bitAnd(error, kHalfMagnitude);

  // The distance to the neighbour is the last place of the smaller of the two:
  // of the one with the exponent `place`. Only a sum of zero, which lacks
  // nothing, has none smaller.
  Value towardsZero = i.shiftRight(i.bitXor(sum, error), 15);
  Value smaller = i.sub(i.bitAnd(sum, kHalfMagnitude), towardsZero);
  Value place = i.maxSigned(i.shiftRightSigned(smaller, kHalfFractionBits),
                            i.constant(1));
  // The error in parts of 2^-32 of it; twice the significand, so that a shift
  // of zero is by less than 32.
  HalfParts parts(i, errorSize);
  Value share = i.shiftLeft(i.shiftLeft(parts.significand, 1),
                            i.add(i.sub(parts.exponent, place), 31));
  // Below the nearest one, the upper number is that: it is taken where bits is
  // below 2^32 - share, which is ~bits >= share.
  Value below = i.shiftRightSigned(i.shiftLeft(error, 16), 31);
  Value moves = i.compare(Predicate::ult, i.bitXor(bits, below), share);
  Value neighbour = i.sub(i.add(sum, 1), i.shiftLeft(towardsZero, 1));
  Value rounded = i.select(moves, neighbour, sum);

  // The sum with an infinity or NaN has an error of NaN; one past infinity's
  // place, of more than the distance.
  Value isPlain = i.compare(Predicate::uge, errorSize, i.constant(0x5000));
  Value result = i.select(isPlain, emitHalfBits(i, nearest.plain), rounded);
  return emitHalf(i, result);
}

} // namespace rung
