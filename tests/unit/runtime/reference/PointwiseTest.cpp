//===- PointwiseTest.cpp - functions of one element -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Activation.h"
#include "runtime/reference/Rounding.h"
#include "runtime/reference/ScalarFunctions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

using namespace rung;
using namespace rung::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

double activate(const char *name, double x,
                std::optional<double> alpha = std::nullopt,
                std::optional<double> beta = std::nullopt) {
  auto activation = Activation::make(name, alpha, beta);
  EXPECT_TRUE(activation.isOk()) << activation.status().message();
  return activation.isOk() ? (*activation)(x) : kNaN;
}

TEST(Activation, HasOnnxDefinitionsAndDefaults) {
  EXPECT_DOUBLE_EQ(activate("sigmoid", 0.7), 1 / (1 + std::exp(-0.7)));
  EXPECT_DOUBLE_EQ(activate("tanh", 0.7), std::tanh(0.7));
  EXPECT_EQ(activate("relu", -2), 0);
  EXPECT_EQ(activate("relu", 2), 2);
  EXPECT_EQ(activate("affine", 3), 3);
  EXPECT_EQ(activate("affine", 3, 2, 1), 7);
  EXPECT_DOUBLE_EQ(activate("leaky_relu", -2), -0.02);
  EXPECT_EQ(activate("leaky_relu", -2, 0.25), -0.5);
  EXPECT_EQ(activate("thresholded_relu", 0.9), 0);
  EXPECT_EQ(activate("thresholded_relu", 1), 1);
  EXPECT_EQ(activate("thresholded_relu", 0.9, 0.5), 0.9);
  EXPECT_DOUBLE_EQ(activate("scaled_tanh", 0.5), std::tanh(0.5));
  EXPECT_DOUBLE_EQ(activate("scaled_tanh", 0.5, 1.7, 2), 1.7 * std::tanh(1.0));
  EXPECT_DOUBLE_EQ(activate("hard_sigmoid", 1), 0.7);
  EXPECT_EQ(activate("hard_sigmoid", 9), 1);
  EXPECT_EQ(activate("hard_sigmoid", -9), 0);
  EXPECT_DOUBLE_EQ(activate("hard_sigmoid", 1, 1.0 / 6, 0.5), 2.0 / 3);
  EXPECT_DOUBLE_EQ(activate("elu", -1), std::exp(-1.0) - 1);
  EXPECT_DOUBLE_EQ(activate("elu", -1, 2), 2 * (std::exp(-1.0) - 1));
  EXPECT_EQ(activate("elu", 3), 3);
  EXPECT_EQ(activate("softsign", -3), -0.75);
  EXPECT_DOUBLE_EQ(activate("softplus", 0), std::log(2.0));
  EXPECT_EQ(activate("identity", -0.3), -0.3);
}

TEST(Activation, SaturatesWithoutOverflow) {
  EXPECT_EQ(activate("sigmoid", 1e4), 1);
  EXPECT_EQ(activate("sigmoid", -1e4), 0);
  EXPECT_DOUBLE_EQ(activate("sigmoid", -40), std::exp(-40.0));
  EXPECT_EQ(activate("softplus", 1e4), 1e4);
  EXPECT_EQ(activate("softplus", -1e4), 0);
}

TEST(Activation, RefusesAnUnknownName) {
  EXPECT_EQ(Activation::make("Gelu").status().message(),
            "activation 'Gelu' is not one of sigmoid, tanh, relu, affine, "
            "leaky_relu, thresholded_relu, scaled_tanh, hard_sigmoid, elu, "
            "softsign, softplus, identity");
}

double apply(const char *op, double x) {
  const ScalarFunction *function = findScalarFunction(op);
  EXPECT_TRUE(function && function->arity == 1) << op;
  return function && function->unary ? function->unary(x) : kNaN;
}
double apply(const char *op, double x, double y) {
  const ScalarFunction *function = findScalarFunction(op);
  EXPECT_TRUE(function && function->arity == 2) << op;
  return function && function->binary ? function->binary(x, y) : kNaN;
}

TEST(ScalarFunctions, ComputeWhatTheirNamesSay) {
  EXPECT_EQ(apply("arith.addf", 1, 2), 3);
  EXPECT_EQ(apply("arith.subf", 1, 2), -1);
  EXPECT_EQ(apply("arith.mulf", 3, 2), 6);
  EXPECT_EQ(apply("arith.divf", 3, 2), 1.5);
  EXPECT_EQ(apply("arith.remf", -7, 3), -1);
  EXPECT_EQ(apply("arith.negf", 3), -3);
  EXPECT_EQ(apply("math.absf", -3), 3);
  EXPECT_EQ(apply("math.ceil", 1.2), 2);
  EXPECT_EQ(apply("math.floor", -1.2), -2);
  EXPECT_EQ(apply("math.trunc", -1.7), -1);
  EXPECT_EQ(apply("math.round", 2.5), 3);
  EXPECT_EQ(apply("math.roundeven", 2.5), 2);
  EXPECT_EQ(apply("math.copysign", 3, -0.0), -3);
  EXPECT_EQ(apply("math.powf", 2, 10), 1024);
  EXPECT_EQ(apply("math.rsqrt", 4), 0.5);
  EXPECT_DOUBLE_EQ(apply("math.exp", 1), std::exp(1.0));
  EXPECT_DOUBLE_EQ(apply("math.expm1", 1e-20), 1e-20);
  EXPECT_DOUBLE_EQ(apply("math.log1p", 1e-20), 1e-20);
  EXPECT_DOUBLE_EQ(apply("math.log", apply("math.exp", 2)), 2);
  EXPECT_DOUBLE_EQ(apply("math.erf", 0.5), std::erf(0.5));
  EXPECT_DOUBLE_EQ(apply("math.atan2", 1, -1), std::atan2(1, -1));
  EXPECT_EQ(findScalarFunction("arith.frob"), nullptr);
}

TEST(ScalarFunctions, MaximumPassesNaNOnAndMaxnumDoesNot) {
  EXPECT_TRUE(std::isnan(apply("arith.maximumf", kNaN, 1)));
  EXPECT_TRUE(std::isnan(apply("arith.minimumf", 1, kNaN)));
  EXPECT_EQ(apply("arith.maxnumf", kNaN, 1), 1);
  EXPECT_EQ(apply("arith.minnumf", 1, kNaN), 1);
  EXPECT_FALSE(std::signbit(apply("arith.maximumf", -0.0, 0.0)));
  EXPECT_TRUE(std::signbit(apply("arith.minimumf", 0.0, -0.0)));
}

TEST(ScalarFunctions, ComparisonsTreatNaNAsTheyAreNamed) {
  for (const char *predicate :
       {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "false"})
    EXPECT_EQ(findComparison(predicate)(kNaN, 1), 0) << predicate;
  for (const char *predicate :
       {"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"})
    EXPECT_EQ(findComparison(predicate)(1, kNaN), 1) << predicate;
  for (const char *kind : {"o", "u"}) {
    auto is = [&](const char *relation, double a, double b) {
      return findComparison(std::string(kind) + relation)(a, b);
    };
    EXPECT_EQ(is("gt", 2, 1), 1);
    EXPECT_EQ(is("gt", 1, 1), 0);
    EXPECT_EQ(is("ge", 1, 1), 1);
    EXPECT_EQ(is("lt", 1, 2), 1);
    EXPECT_EQ(is("le", 2, 1), 0);
    EXPECT_EQ(is("eq", 2, 2), 1);
    EXPECT_EQ(is("ne", 2, 2), 0);
  }
  EXPECT_EQ(findComparison("gt"), nullptr);
}

// An independent account of a format: the nearest multiple of the gap between
// neighbours at the value's own exponent.
double nearest(double value, int precision, int minExponent) {
  int gap = std::max(std::ilogb(value), minExponent) - precision + 1;
  return std::ldexp(std::nearbyint(std::ldexp(value, -gap)), gap);
}

TEST(Rounding, IsToTheNearestNumberOfTheFormat) {
  uint64_t bits = 12345;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double value = std::ldexp(1.0 + static_cast<double>(bits >> 12) * 0x1p-52,
                              static_cast<int>(bits % 44) - 30);
    EXPECT_EQ(roundTo(ScalarType::F16, value), nearest(value, 11, -14));
    EXPECT_EQ(roundTo(ScalarType::BF16, value), nearest(value, 8, -126));
    EXPECT_EQ(roundTo(ScalarType::F32, value), nearest(value, 24, -126));
    EXPECT_EQ(roundTo(ScalarType::F64, value), value);
  }
  EXPECT_EQ(roundTo(ScalarType::F16, 65519.999), 65504);
  EXPECT_EQ(roundTo(ScalarType::F16, -65520), -kInfinity);
  EXPECT_TRUE(std::isnan(roundTo(ScalarType::F16, kNaN)));
}

TEST(Rounding, OfAResultSparesF32) {
  EXPECT_EQ(roundResult(ScalarType::F32, 0.1), 0.1);
  EXPECT_NE(roundResult(ScalarType::F16, 0.1), 0.1);
  EXPECT_NE(roundResult(ScalarType::BF16, 0.1), 0.1);
}

} // namespace
