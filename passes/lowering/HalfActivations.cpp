//===- HalfActivations.cpp - sigmoid and tanh in f16 alone ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfActivations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
  Value add(Value x, double y) {
    return arith::AddFOp::create(b_, x, constant(y));
  }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b_, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b_, x); }
  /// x * y + z, rounded once or twice: whatever the device does at once.
  Value multiplyAdd(Value x, Value y, Value z) {
    return math::FmaOp::create(b_, x, y, z, arith::FastMathFlags::contract);
  }
  Value multiplyAdd(Value x, double y, double z) {
    return multiplyAdd(x, constant(y), constant(z));
  }

  /// \p x within the bounds; NaN stays.
  Value clamp(Value x, double low, double high) {
    auto replaceIf = [&](arith::CmpFPredicate predicate, double bound) {
      Value limit = constant(bound);
      Value beyond = arith::CmpFOp::create(b_, predicate, x, limit);
      x = arith::SelectOp::create(b_, beyond, limit, x);
    };
    replaceIf(arith::CmpFPredicate::OGT, high);
    replaceIf(arith::CmpFPredicate::OLT, low);
    return x;
  }

  /// The polynomial with the coefficients \p descending.
  Value polynomial(Value x, ArrayRef<double> descending) {
    Value sum = constant(descending.front());
    for (double next : descending.drop_front())
      sum = multiplyAdd(sum, x, constant(next));
    return sum;
  }

  Value integer(int16_t value) {
    return arith::ConstantOp::create(b_, b_.getI16IntegerAttr(value));
  }
  Value shiftLeft(Value x, int16_t places) {
    return arith::ShLIOp::create(b_, x, integer(places));
  }
  Value bits(Value x) {
    return arith::BitcastOp::create(b_, b_.getI16Type(), x);
  }
  Value fromBits(Value x) {
    return arith::BitcastOp::create(b_, b_.getF16Type(), x);
  }

  /// x / y, for y from 1 to 2^13. What the bits of a number of y's exponent, of
  /// the opposite sign, give as 1 / y is off by 1 - e with |e| < 0.052; 1 + e +
  /// e^2 of it by e^3, a quarter of an ulp.
  Value divide(Value x, Value y) {
    constexpr int16_t kReciprocalBits = 0x779a;
    Value near =
        fromBits(arith::SubIOp::create(b_, integer(kReciprocalBits), bits(y)));
    Value error = multiplyAdd(neg(y), near, constant(1));
    Value more = multiplyAdd(error, error, error);
    Value quotient = mul(x, near);
    return multiplyAdd(quotient, more, quotient);
  }

private:
  ImplicitLocOpBuilder &b_;
};

constexpr double kLn2 = 0.6931471805599453;

/// exp(x) for -17.4 <= x <= 8.4, rounded once below the normal numbers.
Value emitExp(HalfBuilder &h, Value x) {
  // exp(x) = (2^m)^2 exp(r), with r between -log(2) and log(2). A sum with
  // 1551 = 1536 + 15 has m + 15, the exponent's bits, in its last places.
  constexpr double kWhole = 1551;
  Value whole = h.multiplyAdd(x, 0.5 / kLn2, kWhole);
  Value m = h.add(whole, -kWhole);
  // The first part of 2 log(2) has four bits, so that its multiple and the
  // difference are exact.
  constexpr double kFirst = 1.375, kRest = 2 * kLn2 - kFirst;
  Value r = h.multiplyAdd(m, h.constant(-kFirst), x);
  r = h.multiplyAdd(m, h.constant(-kRest), r);
  // Fitted to the smallest largest error, roundings included.
  Value power =
      h.polynomial(r, {0.040924072265625, 0.171630859375, 0.50146484375, 1, 1});
  Value scale = h.fromBits(h.shiftLeft(h.bits(whole), 10));
  return h.mul(h.mul(power, scale), scale);
}

} // namespace

Value emitHalfSigmoid(ImplicitLocOpBuilder &b, Value x) {
  HalfBuilder h(b);
  // Below, the result is less than half the smallest subnormal; above, 1.
  Value e = emitExp(h, h.clamp(x, -17.4, 8.4));
  return h.divide(e, h.add(e, 1));
}

Value emitHalfTanh(ImplicitLocOpBuilder &b, Value x) {
  HalfBuilder h(b);
  // A quotient of polynomials in x^2, all of whose terms are positive, so that
  // nothing cancels. At the bound it is 1.
  x = h.clamp(x, -4.32, 4.32);
  Value square = h.mul(x, x);
  Value above =
      h.polynomial(square, {0.0007410049438476562, 0.10455322265625, 1});
  Value below = h.polynomial(square, {0.0135040283203125, 0.437744140625, 1});
  return h.divide(h.mul(x, above), below);
}

} // namespace rung
