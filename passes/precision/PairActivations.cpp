//===- PairActivations.cpp - functions of sums of two f16 -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/PairActivations.h"

#include <cmath>

using namespace mlir;

namespace rung {

using arith::CmpFPredicate;

/// ln 2 = kLn2High + kLn2Middle + kLn2Low, within 2^-29. The first two are so
/// short that the argument less whole multiples of them is exact.
static constexpr double kLn2High = 11.0 / 16, kLn2Middle = 23.0 / 4096,
                        kLn2Low = 536.0 / (1 << 24);

/// A sum with one of these has the number's whole part, or the part that is a
/// multiple of 2^-7, in its last places.
static constexpr double kToWhole = 1536, kToStep = 12;

/// Bits of kToWhole: those of kToWhole + n, less these, are n.
static constexpr int16_t kWholeBits = 0x6600;

/// From here on e^-x counts as 0: the exponent of its power of two is.
static constexpr double kLimit = 17.3;

namespace {
/// e^-x = value * 2^-n.
struct Exponential {
  Pair value; ///< 0.70 to 1.42.
  Value n;    ///< As kToWhole + n.
};
} // namespace

/// e^-y for y = k / 128, |k| < 46: 1 - y + y^2 / 2 is exact, the rest, below
/// 2^-7, is an f16. The constants of the rest are those whose largest error
/// over all k, rounding included, is least.
static Pair buildStepExponential(PairBuilder &b, Value y) {
  Value square = b.mul(y, y);
  Value half = b.mul(square, 0.5);
  Value rest = b.mul(y, 0.017486572265625);
  rest = b.add(rest, -0.0838623046875);
  rest = b.mul(y, rest);
  rest = b.add(rest, 0.333251953125);
  rest = b.mul(y, rest);
  Pair result = b.fastTwoSum(b.sub(1, y), half);
  result.low = b.sub(result.low, b.mul(half, rest));
  result.normal = false;
  return result;
}

/// e^-x for x from -11 to 17.4: x = n ln 2 + y + d with y a multiple of 2^-7
/// and d at most 2^-8.
static Exponential buildExponential(PairBuilder &b, Pair x) {
  Value shifted = b.add(b.mul(x.high, 1.4426950408889634), kToWhole);
  Value n = b.sub(shifted, kToWhole);
  Value rest = b.sub(x.high, b.mul(n, kLn2High));
  rest = b.sub(rest, b.mul(n, kLn2Middle)); // Exact so far.
  Value small = b.sub(x.low, b.mul(n, kLn2Low));

  Value y = b.sub(b.add(b.add(rest, small), kToStep), kToStep);
  Value d = b.add(b.sub(rest, y), small);
  Pair value = buildStepExponential(b, y);

  // e^-d = 1 - (d - d^2 / 2).
  Value fall = b.mul(d, b.sub(1, b.mul(d, 0.5)));
  Value rounded = b.add(value.high, value.low);
  value.low = b.sub(value.low, b.mul(rounded, fall));
  return {b.normalise(value), shifted};
}

/// 2^(bias - n), for a `bias - n` of -14 to 15; 0 for -15.
static Value buildPower(PairBuilder &b, Value n, Value bias) {
  Value exponent = b.subBits(bias, b.bits(n));
  return b.fromBits(b.shiftLeft(exponent, 10));
}

/// What added to a `bias` makes it the operand of buildPower.
static Value powerBias(PairBuilder &b, int bias) {
  return b.integer(static_cast<int16_t>(kWholeBits + 15 + bias));
}

/// x, or \p limit where it is more; an infinity's low half, which is no number,
/// goes with it.
static Pair limitAbove(PairBuilder &b, Pair x, double limit) {
  Value beyond = b.compare(CmpFPredicate::OGT, x.high, limit);
  Value high = b.select(beyond, limit, x.high);
  Value low = b.select(beyond, 0, x.low);
  return {high, low, x.scale, true};
}

/// x / y for normal pairs and an f16 near 1 / y.
static Pair divide(PairBuilder &b, Pair x, Pair y, Value reciprocal) {
  Value quotient = b.mul(x.high, reciprocal);
  Value left = b.remainder(x.high, quotient, y.high);
  Value small = b.sub(x.low, b.mul(quotient, y.low));
  left = b.add(left, small);
  Pair result = b.fastTwoSum(quotient, b.mul(left, reciprocal));
  result.scale = x.scale;
  return result;
}

/// One step of Newton's iteration for 1 / y.
static Value refineReciprocal(PairBuilder &b, Value y, Value reciprocal) {
  Value error = b.sub(1, b.mul(y, reciprocal));
  return b.add(reciprocal, b.mul(reciprocal, error));
}

/// 1 / (1 + e^x) for x >= 0, at kGateScale.
static Pair buildSmallGate(PairBuilder &b, Pair x) {
  Exponential power = buildExponential(b, limitAbove(b, x, kLimit));
  Value scale = buildPower(b, power.n, powerBias(b, kGateScale));
  Value high = b.mul(power.value.high, scale);
  Pair e{high, b.mul(power.value.low, scale), kGateScale, true};

  double toOne = std::ldexp(1.0, -kGateScale);
  Value small = b.mul(e.high, toOne);
  Pair sum = b.fastTwoSum(1, small);
  sum.low = b.add(sum.low, b.mul(e.low, toOne));

  // The quadratic nearest to 1 / y over 1 to 2, within 1 / 99 of it.
  Value near = b.add(b.mul(sum.high, 32.0 / 99), -144.0 / 99);
  near = b.add(b.mul(near, sum.high), 210.0 / 99);
  return divide(b, e, sum, refineReciprocal(b, sum.high, near));
}

Pair buildSigmoid(PairBuilder &b, Pair x) {
  x = b.normalise(x);
  Pair small = buildSmallGate(b, b.abs(x));
  double one = std::ldexp(1.0, kGateScale);
  Pair large = b.fastTwoSum(one, b.neg(small.high));
  large.low = b.sub(large.low, small.low);
  large.scale = kGateScale;
  Value negative = b.compare(CmpFPredicate::OLT, x.high, 0);
  return b.select(negative, small, large);
}

/// x - x^3 / 3 + 2 x^5 / 15, for 0 <= x < 1/8.
static Pair buildSmallTanh(PairBuilder &b, Pair x) {
  Value square = b.mul(x.high, x.high);
  Value series = b.add(b.mul(square, 2.0 / 15), -1.0 / 3);
  Value cube = b.mul(x.high, square);
  Pair result = b.fastTwoSum(x.high, b.mul(cube, series));
  result.low = b.add(result.low, x.low);
  return result;
}

Pair buildTanh(PairBuilder &b, Pair x) {
  x = b.normalise(x);
  Pair magnitude = b.abs(x);
  Value twice = b.add(magnitude.high, magnitude.high);
  Pair doubled{twice, b.add(magnitude.low, magnitude.low), 0, true};
  Pair gate = buildSmallGate(b, doubled);

  // 1 - 2 / (1 + e^2x).
  double twoToOne = std::ldexp(1.0, 1 - kGateScale);
  Pair large = b.fastTwoSum(1, b.mul(gate.high, -twoToOne));
  large.low = b.sub(large.low, b.mul(gate.low, twoToOne));

  Pair small = buildSmallTanh(b, magnitude);
  Value isSmall = b.compare(CmpFPredicate::OLT, magnitude.high, 0.125);
  Pair result = b.select(isSmall, small, large);
  Value negative = b.compare(CmpFPredicate::OLT, x.high, 0);
  return b.select(negative, b.neg(result), result);
}

Pair buildExp(PairBuilder &b, Pair x) {
  // Above, a power of two would be f16's infinity.
  constexpr double kLargest = 10.7;
  Pair limited = limitAbove(b, b.normalise(x), kLargest);
  Pair fall = limitAbove(b, b.neg(limited), kLimit);
  Exponential power = buildExponential(b, fall);

  // A small power takes two factors: the first alone would underflow.
  Value isSmall = b.compare(CmpFPredicate::OGT, power.n, kToWhole);
  Value large = powerBias(b, kGateScale);
  Value bias = b.select(isSmall, large, powerBias(b, 0));
  Value scale = buildPower(b, power.n, bias);
  Value rest = b.select(isSmall, std::ldexp(1.0, -kGateScale), 1);
  Value high = b.mul(b.mul(power.value.high, scale), rest);
  Value low = b.mul(b.mul(power.value.low, scale), rest);
  return {high, low, 0, false};
}

Pair buildQuotient(PairBuilder &b, Pair x, Pair y) {
  x = b.normalise(x);
  y = b.normalise(y);
  Value negative = b.compare(CmpFPredicate::OLT, y.high, 0);
  x = b.select(negative, b.neg(x), x);
  y = b.abs(y);

  // A large divisor's reciprocal would be subnormal.
  Value isLarge = b.compare(CmpFPredicate::OGT, y.high, 256);
  Value factor = b.select(isLarge, 1.0 / 256, 1);
  for (Pair *pair : {&x, &y}) {
    pair->high = b.mul(pair->high, factor);
    pair->low = b.mul(pair->low, factor);
  }

  // Bits of 2^e (1 + f) are about those of a logarithm.
  constexpr int16_t kReciprocalBits = 0x7799;
  Value bits = b.integer(kReciprocalBits);
  Value near = b.fromBits(b.subBits(bits, b.bits(y.high)));
  near = refineReciprocal(b, y.high, near);
  near = refineReciprocal(b, y.high, near);
  return divide(b, x, y, near);
}

} // namespace rung
