//===- ScalarFunctions.cpp - what arith and math ops compute --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ScalarFunctions.h"

#include "runtime/reference/Activation.h"

#include <bit>
#include <cmath>
#include <cstdint>
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

// As C's fmax and fmin; a comparison with NaN is false.
double maximumNumber(double a, double b) { return a > b || b != b ? a : b; }
double minimumNumber(double a, double b) { return a < b || b != b ? a : b; }

template <double (*f)(double)> void loop1(const RowArgs &row) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = f(row.operands[0][i]);
}
template <double (*f)(double, double)> void loop2(const RowArgs &row) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = f(row.operands[0][i], row.operands[1][i]);
}
template <double (*f)(double, double, double)> void loop3(const RowArgs &row) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = f(row.operands[0][i], row.operands[1][i], row.operands[2][i]);
}

template <double (*f)(double)>
constexpr ScalarFunction unary(std::string_view op) {
  return {op, 1, loop1<f>, f};
}
template <double (*f)(double, double)>
constexpr ScalarFunction binary(std::string_view op) {
  return {op, 2, loop2<f>, nullptr, f};
}
template <double (*f)(double, double, double)>
constexpr ScalarFunction ternary(std::string_view op) {
  return {op, 3, loop3<f>, nullptr, nullptr, f};
}
template <double (*f)(double)>
constexpr ScalarFunction truth(std::string_view op) {
  return {op, 1, loop1<f>, f, nullptr, nullptr, nullptr, true};
}

double multiplyAdd(double a, double b, double c) { return std::fma(a, b, c); }

// The functions of <cmath> are overloaded; each wrapper picks double's.
#define RUNG_CMATH(name) [](double x) { return std::name(x); }
#define RUNG_CMATH2(name) [](double x, double y) { return std::name(x, y); }

const ScalarFunction kFunctions[] = {
    binary<[](double a, double b) { return a + b; }>("arith.addf"),
    binary<[](double a, double b) { return a - b; }>("arith.subf"),
    binary<[](double a, double b) { return a * b; }>("arith.mulf"),
    binary<[](double a, double b) { return a / b; }>("arith.divf"),
    binary<[](double a, double b) { return a + b; }>("rnn.add"),
    binary<RUNG_CMATH2(fmod)>("arith.remf"),
    binary<maximum>("arith.maximumf"),
    binary<minimum>("arith.minimumf"),
    binary<maximumNumber>("arith.maxnumf"),
    binary<minimumNumber>("arith.minnumf"),
    unary<[](double x) { return -x; }>("arith.negf"),
    unary<RUNG_CMATH(fabs)>("math.absf"),
    unary<RUNG_CMATH(acos)>("math.acos"),
    unary<RUNG_CMATH(acosh)>("math.acosh"),
    unary<RUNG_CMATH(asin)>("math.asin"),
    unary<RUNG_CMATH(asinh)>("math.asinh"),
    unary<RUNG_CMATH(atan)>("math.atan"),
    binary<RUNG_CMATH2(atan2)>("math.atan2"),
    unary<RUNG_CMATH(atanh)>("math.atanh"),
    unary<RUNG_CMATH(cbrt)>("math.cbrt"),
    unary<RUNG_CMATH(ceil)>("math.ceil"),
    ternary<[](double x, double low, double high) {
      return minimum(maximum(x, low), high);
    }>("math.clampf"),
    binary<RUNG_CMATH2(copysign)>("math.copysign"),
    unary<RUNG_CMATH(cos)>("math.cos"),
    unary<RUNG_CMATH(cosh)>("math.cosh"),
    unary<RUNG_CMATH(erf)>("math.erf"),
    unary<RUNG_CMATH(erfc)>("math.erfc"),
    unary<RUNG_CMATH(exp)>("math.exp"),
    unary<RUNG_CMATH(exp2)>("math.exp2"),
    unary<RUNG_CMATH(expm1)>("math.expm1"),
    unary<RUNG_CMATH(floor)>("math.floor"),
    {"math.fma", 3, loop3<multiplyAdd>, nullptr, nullptr, multiplyAdd,
     loop3<fusedToOdd>},
    truth<[](double x) { return double(std::isfinite(x)); }>("math.isfinite"),
    truth<[](double x) { return double(std::isinf(x)); }>("math.isinf"),
    truth<[](double x) { return double(std::isnan(x)); }>("math.isnan"),
    unary<RUNG_CMATH(log)>("math.log"),
    unary<RUNG_CMATH(log10)>("math.log10"),
    unary<RUNG_CMATH(log1p)>("math.log1p"),
    unary<RUNG_CMATH(log2)>("math.log2"),
    binary<RUNG_CMATH2(pow)>("math.powf"),
    unary<RUNG_CMATH(round)>("math.round"),
    unary<RUNG_CMATH(nearbyint)>("math.roundeven"),
    unary<[](double x) { return 1 / std::sqrt(x); }>("math.rsqrt"),
    unary<RUNG_CMATH(sin)>("math.sin"),
    unary<RUNG_CMATH(sinh)>("math.sinh"),
    unary<RUNG_CMATH(sqrt)>("math.sqrt"),
    unary<RUNG_CMATH(tan)>("math.tan"),
    unary<RUNG_CMATH(tanh)>("math.tanh"),
    unary<RUNG_CMATH(trunc)>("math.trunc"),
    unary<sigmoid>("rnn.sigmoid"),
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

double fusedToOdd(double a, double b, double c) {
  double product = a * b;
  double sum = product + c;
  // Knuth's TwoSum: error is what the sum has lost, exactly.
  double part = sum - product;
  double error = (product - (sum - part)) + (c - part);
  // A sum that lost something lies next to the exact value on one side; if its
  // last bit is even, the odd double is on the other. NaN compares as false.
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if ((error > 0 || error < 0) && (bits & 1) == 0)
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return std::bit_cast<double>(bits);
}

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
