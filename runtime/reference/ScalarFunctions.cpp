//===- ScalarFunctions.cpp - what arith and math ops compute --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ScalarFunctions.h"

#include "runtime/reference/Activation.h"

#include <cmath>
#include <limits>

namespace rung::reference {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// arith.maximumf and minimumf pass a NaN on and order -0 below +0; maxnumf and
// minnumf prefer the number.
double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return kNaN;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return kNaN;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

// Conversions: what is left of the value is the result type's affair.
double same(double x) { return x; }

constexpr ScalarFunction unary(std::string_view op, double (*f)(double)) {
  return {op, 1, f, nullptr, nullptr};
}
constexpr ScalarFunction binary(std::string_view op,
                                double (*f)(double, double)) {
  return {op, 2, nullptr, f, nullptr};
}
constexpr ScalarFunction ternary(std::string_view op,
                                 double (*f)(double, double, double)) {
  return {op, 3, nullptr, nullptr, f};
}

// Integers in a cell are truth values, 0 or 1.

// The functions of <cmath> are overloaded; each wrapper picks double's.
#define RUNG_CMATH(name) [](double x) { return std::name(x); }
#define RUNG_CMATH2(name) [](double x, double y) { return std::name(x, y); }

const ScalarFunction kFunctions[] = {
    binary("arith.addf", [](double a, double b) { return a + b; }),
    binary("arith.subf", [](double a, double b) { return a - b; }),
    binary("arith.mulf", [](double a, double b) { return a * b; }),
    binary("arith.divf", [](double a, double b) { return a / b; }),
    binary("rnn.add", [](double a, double b) { return a + b; }),
    binary("arith.remf", RUNG_CMATH2(fmod)),
    binary("arith.maximumf", maximum),
    binary("arith.minimumf", minimum),
    binary("arith.maxnumf", RUNG_CMATH2(fmax)),
    binary("arith.minnumf", RUNG_CMATH2(fmin)),
    unary("arith.negf", [](double x) { return -x; }),
    unary("arith.truncf", same),
    unary("arith.extf", same),
    unary("arith.uitofp", same),
    binary("arith.andi", [](double a, double b) { return a * b; }),
    binary("arith.ori", [](double a, double b) { return a + b - a * b; }),
    binary("arith.xori", [](double a, double b) { return double(a != b); }),
    ternary("arith.select",
            [](double c, double a, double b) { return c != 0 ? a : b; }),
    unary("math.absf", RUNG_CMATH(fabs)),
    unary("math.acos", RUNG_CMATH(acos)),
    unary("math.acosh", RUNG_CMATH(acosh)),
    unary("math.asin", RUNG_CMATH(asin)),
    unary("math.asinh", RUNG_CMATH(asinh)),
    unary("math.atan", RUNG_CMATH(atan)),
    binary("math.atan2", RUNG_CMATH2(atan2)),
    unary("math.atanh", RUNG_CMATH(atanh)),
    unary("math.cbrt", RUNG_CMATH(cbrt)),
    unary("math.ceil", RUNG_CMATH(ceil)),
    ternary("math.clampf",
            [](double x, double low, double high) {
              return minimum(maximum(x, low), high);
            }),
    binary("math.copysign", RUNG_CMATH2(copysign)),
    unary("math.cos", RUNG_CMATH(cos)),
    unary("math.cosh", RUNG_CMATH(cosh)),
    unary("math.erf", RUNG_CMATH(erf)),
    unary("math.erfc", RUNG_CMATH(erfc)),
    unary("math.exp", RUNG_CMATH(exp)),
    unary("math.exp2", RUNG_CMATH(exp2)),
    unary("math.expm1", RUNG_CMATH(expm1)),
    unary("math.floor", RUNG_CMATH(floor)),
    ternary("math.fma",
            [](double a, double b, double c) { return std::fma(a, b, c); }),
    unary("math.isfinite", [](double x) { return double(std::isfinite(x)); }),
    unary("math.isinf", [](double x) { return double(std::isinf(x)); }),
    unary("math.isnan", [](double x) { return double(std::isnan(x)); }),
    unary("math.log", RUNG_CMATH(log)),
    unary("math.log10", RUNG_CMATH(log10)),
    unary("math.log1p", RUNG_CMATH(log1p)),
    unary("math.log2", RUNG_CMATH(log2)),
    binary("math.powf", RUNG_CMATH2(pow)),
    unary("math.round", RUNG_CMATH(round)),
    unary("math.roundeven", RUNG_CMATH(nearbyint)),
    unary("math.rsqrt", [](double x) { return 1 / std::sqrt(x); }),
    unary("math.sin", RUNG_CMATH(sin)),
    unary("math.sinh", RUNG_CMATH(sinh)),
    unary("math.sqrt", RUNG_CMATH(sqrt)),
    unary("math.tan", RUNG_CMATH(tan)),
    unary("math.tanh", RUNG_CMATH(tanh)),
    unary("math.trunc", RUNG_CMATH(trunc)),
    unary("rnn.sigmoid", sigmoid),
};

#undef RUNG_CMATH
#undef RUNG_CMATH2

bool unordered(double a, double b) { return std::isnan(a) || std::isnan(b); }

struct NamedComparison {
  std::string_view predicate;
  Comparison function;
};

// C++'s comparisons are false on a NaN, but for !=; the "u" forms are the
// negations of the opposite "o" forms.
const NamedComparison kComparisons[] = {
    {"false", [](double, double) { return 0.0; }},
    {"oeq", [](double a, double b) { return double(a == b); }},
    {"ogt", [](double a, double b) { return double(a > b); }},
    {"oge", [](double a, double b) { return double(a >= b); }},
    {"olt", [](double a, double b) { return double(a < b); }},
    {"ole", [](double a, double b) { return double(a <= b); }},
    {"one",
     [](double a, double b) { return double(!unordered(a, b) && a != b); }},
    {"ord", [](double a, double b) { return double(!unordered(a, b)); }},
    {"ueq",
     [](double a, double b) { return double(unordered(a, b) || a == b); }},
    {"ugt", [](double a, double b) { return double(!(a <= b)); }},
    {"uge", [](double a, double b) { return double(!(a < b)); }},
    {"ult", [](double a, double b) { return double(!(a >= b)); }},
    {"ule", [](double a, double b) { return double(!(a > b)); }},
    {"une", [](double a, double b) { return double(a != b); }},
    {"uno", [](double a, double b) { return double(unordered(a, b)); }},
    {"true", [](double, double) { return 1.0; }},
};

} // namespace

const ScalarFunction *findScalarFunction(std::string_view op) {
  for (const ScalarFunction &function : kFunctions)
    if (function.op == op)
      return &function;
  return nullptr;
}

Comparison findComparison(std::string_view predicate) {
  for (const NamedComparison &entry : kComparisons)
    if (entry.predicate == predicate)
      return entry.function;
  return nullptr;
}

} // namespace rung::reference
