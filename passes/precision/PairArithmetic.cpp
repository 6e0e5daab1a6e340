//===- PairArithmetic.cpp - numbers as sums of two f16 --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each value is a statement of its own: arguments of a call are evaluated in no
// fixed order, and the IR has one.
//
//===----------------------------------------------------------------------===//

#include "passes/precision/PairArithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cassert>
#include <cmath>

using namespace mlir;

namespace rung {

//===----------------------------------------------------------------------===//
// f16
//===----------------------------------------------------------------------===//

Value PairBuilder::constant(double value) {
  APFloat number(value);
  bool lost;
  number.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  return arith::ConstantOp::create(builder_, location_,
                                   DenseElementsAttr::get(row_, number));
}

Value PairBuilder::add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
Value PairBuilder::sub(Value a, Value b) { return make<arith::SubFOp>(a, b); }
Value PairBuilder::mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
Value PairBuilder::neg(Value a) { return make<arith::NegFOp>(a); }
Value PairBuilder::abs(Value a) { return make<math::AbsFOp>(a); }

Value PairBuilder::remainder(Value c, Value a, Value b) {
  Value opposite = neg(a);
  return make<math::FmaOp>(opposite, b, c);
}

Value PairBuilder::compare(arith::CmpFPredicate predicate, Value a, double b) {
  Value limit = constant(b);
  return arith::CmpFOp::create(builder_, location_, predicate, a, limit);
}

Value PairBuilder::select(Value condition, Value yes, Value no) {
  return make<arith::SelectOp>(condition, yes, no);
}

Value PairBuilder::select(Value condition, double yes, double no) {
  Value chosen = constant(yes);
  Value other = constant(no);
  return select(condition, chosen, other);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Value PairBuilder::bits(Value a) {
  return arith::BitcastOp::create(builder_, location_,
                                  row_.clone(builder_.getI16Type()), a);
}

Value PairBuilder::fromBits(Value integer) {
  return arith::BitcastOp::create(builder_, location_, row_, integer);
}

Value PairBuilder::integer(int16_t value) {
  return arith::ConstantOp::create(
      builder_, location_,
      DenseElementsAttr::get(row_.clone(builder_.getI16Type()), value));
}

Value PairBuilder::subBits(Value a, Value b) {
  return make<arith::SubIOp>(a, b);
}

Value PairBuilder::shiftLeft(Value a, int16_t places) {
  Value by = integer(places);
  return make<arith::ShLIOp>(a, by);
}

//===----------------------------------------------------------------------===//
// Error-free transforms
//===----------------------------------------------------------------------===//

Pair PairBuilder::twoSum(Value a, Value b) {
  Value sum = add(a, b);
  Value ofB = sub(sum, a);
  Value ofA = sub(sum, ofB);
  Value missedA = sub(a, ofA);
  Value missedB = sub(b, ofB);
  return {sum, add(missedA, missedB), 0, true};
}

Pair PairBuilder::fastTwoSum(Value a, Value b) {
  Value sum = add(a, b);
  Value ofB = sub(sum, a);
  return {sum, sub(b, ofB), 0, true};
}

Pair PairBuilder::twoProduct(Value a, Value b) {
  Value product = mul(a, b);
  Value opposite = neg(product);
  return {product, make<math::FmaOp>(a, b, opposite), 0, true};
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Pair PairBuilder::constantPair(double value) {
  APFloat rounded(value);
  bool lost;
  rounded.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  double high = rounded.convertToDouble();
  // An infinity has no remainder.
  double rest = std::isinf(high) ? 0 : value - high;
  Value first = constant(high);
  return {first, constant(rest), 0, true};
}

Pair PairBuilder::normalise(Pair a) {
  if (a.normal)
    return a;
  Pair result = fastTwoSum(a.high, a.low);
  result.scale = a.scale;
  result.lowSum = a.lowSum;
  result.gridSum = a.gridSum;
  return result;
}

Pair PairBuilder::add(Pair a, Pair b) {
  if (a.scale != 0 && b.scale != 0) {
    a = rescale(a, 0);
    b = rescale(b, 0);
  }
  if (b.scale != 0)
    return addIncrement(a, b);
  if (a.scale != 0)
    return addIncrement(b, a);
  Pair sum = twoSum(a.high, b.high);
  Value lows = add(a.low, b.low);
  Value low = add(sum.low, lows);
  return {sum.high, low, 0, false, low.getDefiningOp()};
}

/// a + increment * 2^-scale. What the high half of the increment loses in
/// f16's range stays, at the increment's scale, until the low half is rounded.
Pair PairBuilder::addIncrement(Pair a, Pair increment) {
  double scale = std::ldexp(1.0, increment.scale);
  Value high = mul(increment.high, 1 / scale);
  Value kept = mul(high, scale);
  Value lost = sub(increment.high, kept);
  Value rest = add(lost, increment.low);
  Pair sum = twoSum(a.high, high);
  if (!stochastic_) {
    Value missed = mul(sum.low, scale);
    Value small = add(missed, rest);
    Value part = mul(small, 1 / scale);
    Value low = add(a.low, part);
    return {sum.high, low, 0, false, low.getDefiningOp()};
  }
  Operation *gridSum = nullptr;
  Value onGrid = roundToGrid(rest, increment.scale, gridSum);
  Value part = mul(onGrid, 1 / scale);
  Value missed = add(a.low, sum.low);
  Value low = add(missed, part);
  return {sum.high, low, 0, false, low.getDefiningOp(), gridSum};
}

/// Rounds \p low to multiples of 2^(scale - 24), the last place that it will
/// have without the scale, by one sum: with a number of its sign whose last
/// place that is. A larger one has no finer places.
Value PairBuilder::roundToGrid(Value low, int scale, Operation *&sum) {
  double binade = std::ldexp(1.0, scale - 14);
  Value magnitude = abs(low);
  Value small = compare(arith::CmpFPredicate::OLT, magnitude, binade);
  Value negative = compare(arith::CmpFPredicate::OLT, low, 0);
  Value sided = select(negative, -binade, binade);
  Value none = constant(0);
  Value anchor = select(small, sided, none);
  Value rounded = add(anchor, low);
  sum = rounded.getDefiningOp();
  return sub(rounded, anchor);
}

Pair PairBuilder::mul(Pair a, Pair b) {
  a = normalise(a);
  b = normalise(b);
  Pair product = twoProduct(a.high, b.high);
  Value first = mul(a.high, b.low);
  Value second = mul(a.low, b.high);
  Value crossed = add(first, second);
  Value low = add(product.low, crossed);
  return normalise(
      {product.high, low, a.scale + b.scale, false, low.getDefiningOp()});
}

Pair PairBuilder::neg(Pair a) {
  a.high = neg(a.high);
  a.low = neg(a.low);
  a.lowSum = a.gridSum = nullptr;
  return a;
}

Pair PairBuilder::abs(Pair a) {
  a = normalise(a);
  Value negative = compare(arith::CmpFPredicate::OLT, a.high, 0);
  Value opposite = neg(a.low);
  Value high = abs(a.high);
  return {high, select(negative, opposite, a.low), a.scale, true};
}

Pair PairBuilder::select(Value condition, Pair yes, Pair no) {
  assert(yes.scale == no.scale && "a choice of numbers at one scale");
  yes = normalise(yes);
  no = normalise(no);
  Value high = select(condition, yes.high, no.high);
  return {high, select(condition, yes.low, no.low), yes.scale, true};
}

Value PairBuilder::compare(arith::CmpFPredicate predicate, Pair a, Pair b) {
  Pair difference = normalise(sub(a, b));
  return compare(predicate, difference.high, 0);
}

Pair PairBuilder::rescale(Pair a, int scale) {
  if (a.scale == scale)
    return a;
  double factor = std::ldexp(1.0, scale - a.scale);
  Value high = mul(a.high, factor);
  return {high, mul(a.low, factor), scale, false};
}

} // namespace rung
