//===- HalfActivations.cpp - sigmoid and tanh in f16 alone ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfActivations.h"

#include "passes/lowering/HalfScalar.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace rung {

namespace {

/// Short ways to emit operations on f16 values.
class HalfBuilder {
public:
  explicit HalfBuilder(ImplicitLocOpBuilder &b) : b_(b) {}

  Value constant(double value) {
    return arith::ConstantOp::create(b_, b_.getF16FloatAttr(float(value)));
  }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return b_.createOrFold<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return b_.createOrFold<arith::MulFOp>(x, y); }
  Value div(Value x, Value y) { return b_.createOrFold<arith::DivFOp>(x, y); }
  Value compare(arith::CmpFPredicate predicate, Value x, double y) {
    return b_.createOrFold<arith::CmpFOp>(predicate, x, constant(y));
  }
  Value select(Value condition, Value yes, Value no) {
    return b_.createOrFold<arith::SelectOp>(condition, yes, no);
  }
  Value magnitude(Value x) { return b_.createOrFold<math::AbsFOp>(x); }

  /// The polynomial with the coefficients \p descending.
  Value polynomial(Value x, ArrayRef<double> descending) {
    Value sum = constant(descending.front());
    for (double next : descending.drop_front())
      sum = add(mul(sum, x), constant(next));
    return sum;
  }

private:
  ImplicitLocOpBuilder &b_;
};

/// number * 2^-n for integral 0 <= n <= 28, rounded once: by halves of n, the
/// first of which leaves a number from 1/2 on above the subnormals.
Value divideByPower(ImplicitLocOpBuilder &b, Value number, Value n) {
  I32Builder i(b);
  auto power = [&](Value by) {
    return emitHalf(i,
                    i.shiftLeft(i.sub(i.constant(15), by), kHalfFractionBits));
  };
  Value whole = b.createOrFold<arith::FPToSIOp>(b.getI32Type(), n);
  Value first = i.shiftRight(whole, 1);
  HalfBuilder h(b);
  return h.mul(h.mul(number, power(first)), power(i.sub(whole, first)));
}

} // namespace

Value emitHalfExpOfMinus(ImplicitLocOpBuilder &b, Value x) {
  HalfBuilder h(b);
  // From 17.4 on the result is below half the smallest subnormal.
  x = h.select(h.compare(arith::CmpFPredicate::OGT, x, 18), h.constant(18), x);
  // exp(-x) = 2^-n exp(-r), with r at most about log(2) / 2. The first part of
  // log(2) has four bits, so its multiple and the difference are exact.
  Value n = b.createOrFold<math::RoundEvenOp>(
      h.mul(x, h.constant(1.4426950408889634)));
  constexpr double kFirst = 0.6875, kRest = 0.6931471805599453 - kFirst;
  Value r = h.sub(h.sub(x, h.mul(n, h.constant(kFirst))),
                  h.mul(n, h.constant(kRest)));
  Value power = h.polynomial(r, {1.0 / 24, -1.0 / 6, 1.0 / 2, -1.0, 1.0});
  return divideByPower(b, power, n);
}

Value emitHalfSigmoid(ImplicitLocOpBuilder &b, Value x) {
  HalfBuilder h(b);
  // e / (1 + e) below 0, so that nothing cancels or overflows.
  Value e = emitHalfExpOfMinus(b, h.magnitude(x));
  Value one = h.constant(1);
  Value below = h.compare(arith::CmpFPredicate::OLT, x, 0);
  return h.div(h.select(below, e, one), h.add(one, e));
}

Value emitHalfTanh(ImplicitLocOpBuilder &b, Value x) {
  HalfBuilder h(b);
  Value size = h.magnitude(x);
  Value e = emitHalfExpOfMinus(b, h.add(size, size));
  Value one = h.constant(1);
  Value far = h.div(h.sub(one, e), h.add(one, e));
  far = b.createOrFold<math::CopySignOp>(far, x);
  // Near 0 the difference would cancel: the first terms of its series.
  Value square = h.mul(x, x);
  Value terms = h.polynomial(square, {-17.0 / 315, 2.0 / 15, -1.0 / 3});
  Value near = h.add(x, h.mul(x, h.mul(square, terms)));
  return h.select(h.compare(arith::CmpFPredicate::OLT, size, 0.5), near, far);
}

} // namespace rung
