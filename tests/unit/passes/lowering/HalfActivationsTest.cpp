//===- HalfActivationsTest.cpp - functions of every f16 -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfActivations.h"

#include "runtime/base/Half.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace rung;

namespace {

/// What an emitter makes of one f16, worked out for many: on a device whose
/// multiply-adds round once, or on one where they round twice.
class HalfFunction {
public:
  using Emit = Value (*)(ImplicitLocOpBuilder &, Value);

  HalfFunction(Emit emit, bool fused) : fused_(fused) {
    context_.loadDialect<arith::ArithDialect, math::MathDialect>();
    module_ = ModuleOp::create(UnknownLoc::get(&context_));
    Value x = block_.addArgument(Float16Type::get(&context_),
                                 UnknownLoc::get(&context_));
    ImplicitLocOpBuilder b(module_->getLoc(), &context_);
    b.setInsertionPointToEnd(&block_);
    result_ = emit(b, x);
  }

  uint16_t operator()(uint16_t x) {
    llvm::DenseMap<Value, uint16_t> values{{block_.getArgument(0), x}};
    for (Operation &op : block_) {
      SmallVector<uint16_t> operands;
      for (Value operand : op.getOperands())
        operands.push_back(values.lookup(operand));
      values[op.getResult(0)] = evaluate(&op, operands);
    }
    return values.lookup(result_);
  }

  /// Operations on numbers: neither constants nor changes of type or sign.
  size_t count() {
    return llvm::count_if(block_, [](Operation &op) {
      return !isa<arith::ConstantOp, arith::BitcastOp, arith::NegFOp>(op);
    });
  }

private:
  uint16_t evaluate(Operation *op, ArrayRef<uint16_t> x) {
    // Products and sums of f16 are exact in double.
    auto f = [&](unsigned i) { return double(fromHalf(x[i])); };
    auto once = [](double value) { return toHalf(value); };
    return llvm::TypeSwitch<Operation *, uint16_t>(op)
        .Case([&](arith::ConstantOp constant) {
          APInt bits;
          if (matchPattern(constant.getResult(), m_ConstantInt(&bits)))
            return uint16_t(bits.getZExtValue());
          return uint16_t(cast<FloatAttr>(constant.getValue())
                              .getValue()
                              .bitcastToAPInt()
                              .getZExtValue());
        })
        .Case([&](arith::AddFOp) { return once(f(0) + f(1)); })
        .Case([&](arith::MulFOp) { return once(f(0) * f(1)); })
        .Case([&](math::FmaOp) {
          double product = f(0) * f(1);
          return once((fused_ ? product : fromHalf(once(product))) + f(2));
        })
        .Case([&](arith::NegFOp) { return uint16_t(x[0] ^ 0x8000); })
        .Case([&](arith::CmpFOp compare) {
          bool above = compare.getPredicate() == arith::CmpFPredicate::OGT;
          EXPECT_TRUE(above ||
                      compare.getPredicate() == arith::CmpFPredicate::OLT);
          return uint16_t(above ? f(0) > f(1) : f(0) < f(1));
        })
        .Case([&](arith::SelectOp) { return x[0] ? x[1] : x[2]; })
        .Case([&](arith::BitcastOp) { return x[0]; })
        .Case([&](arith::SubIOp) { return uint16_t(x[0] - x[1]); })
        .Case([&](arith::ShLIOp) { return uint16_t(x[0] << x[1]); })
        .Default([](Operation *other) {
          ADD_FAILURE() << other->getName().getStringRef().str()
                        << " is not modelled";
          return uint16_t(0);
        });
  }

  MLIRContext context_;
  OwningOpRef<ModuleOp> module_;
  Block block_;
  Value result_;
  bool fused_;
};

/// The number after an f16 of \p value's size, away from 0, minus it.
double ulpAt(double value) {
  return std::ldexp(1.0, std::max(std::ilogb(std::abs(value)), -14) - 10);
}

/// Errors of a function, in ulps of \p exact's values, over all f16 within
/// the bounds.
struct Errors {
  Errors(HalfFunction &function, double (*exact)(double), double low,
         double high) {
    double squares = 0, sum = 0;
    int count = 0;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      double x = fromHalf(uint16_t(bits));
      if (!(low <= x && x <= high))
        continue;
      double got = fromHalf(function(uint16_t(bits))), want = exact(x);
      double error = (got - want) / ulpAt(want);
      EXPECT_TRUE(std::isfinite(error)) << "at " << x << ": " << got;
      largest = std::max(largest, std::abs(error));
      squares += error * error;
      sum += error;
      ++count;
    }
    EXPECT_GT(count, 1000);
    rootMeanSquare = std::sqrt(squares / count);
    mean = sum / count;
  }
  double largest = 0, rootMeanSquare = 0, mean = 0;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// With multiply-adds that round once, and twice.
class HalfActivations : public testing::TestWithParam<bool> {
protected:
  HalfFunction sigmoid_{emitHalfSigmoid, GetParam()};
  HalfFunction tanh_{emitHalfTanh, GetParam()};
};

TEST_P(HalfActivations, SigmoidErrsByThreeUlps) {
  Errors all(sigmoid_, sigmoid, -65504, 65504);
  EXPECT_LT(all.largest, 3);
  EXPECT_LT(all.rootMeanSquare, 0.6);
}

TEST_P(HalfActivations, SmallGatesHaveNoBias) {
  Errors small(sigmoid_, sigmoid, -9, -4);
  EXPECT_LT(small.largest, 3);
  EXPECT_LT(small.rootMeanSquare, 0.9);
  EXPECT_LT(std::abs(small.mean), 0.05);
}

TEST_P(HalfActivations, TanhErrsByFourUlps) {
  Errors all(tanh_, std::tanh, -65504, 65504);
  EXPECT_LT(all.largest, 4);
  EXPECT_LT(all.rootMeanSquare, 0.6);
}

TEST_P(HalfActivations, TanhIsOdd) {
  for (uint32_t bits = 0; bits < 0x7c01; ++bits)
    ASSERT_EQ(tanh_(uint16_t(bits)) | 0x8000, tanh_(uint16_t(bits | 0x8000)));
}

TEST_P(HalfActivations, KeepsSmallGatesThatAnExpInF16WouldLose) {
  // exp(12) exceeds the largest f16.
  EXPECT_NEAR(fromHalf(sigmoid_(toHalf(-12))), 6.144e-6, 0x1p-24);
}

TEST_P(HalfActivations, GoesToItsLimitsAndKeepsNaN) {
  EXPECT_EQ(fromHalf(sigmoid_(0x7c00)), 1);
  EXPECT_EQ(fromHalf(sigmoid_(0xfc00)), 0);
  EXPECT_EQ(fromHalf(tanh_(0x7c00)), 1);
  EXPECT_EQ(fromHalf(tanh_(0xfc00)), -1);
  EXPECT_EQ(fromHalf(tanh_(0)), 0);
  for (uint16_t nan : {0x7e00, 0xfe01}) {
    EXPECT_TRUE(std::isnan(fromHalf(sigmoid_(nan))));
    EXPECT_TRUE(std::isnan(fromHalf(tanh_(nan))));
  }
}

TEST_P(HalfActivations, TakeFewOperations) {
  EXPECT_LE(sigmoid_.count(), 22u);
  EXPECT_LE(tanh_.count(), 15u);
}

INSTANTIATE_TEST_SUITE_P(Rounding, HalfActivations, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "Once" : "Twice";
                         });

} // namespace
