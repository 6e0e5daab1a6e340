//===- ScalarFunctions.h - what arith and math ops compute ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H
#define RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H

#include "runtime/reference/Row.h"

#include <string_view>

namespace rung::reference {

/// A pointwise op on up to three floats. The function is evaluated in double:
/// rounded once more, to a format of at most 24 bits, sums, products, quotients
/// and roots of numbers of that format are what one rounding gives.
struct ScalarFunction {
  using Loop = void (*)(const RowArgs &);

  std::string_view op; ///< as MLIR spells it, for example "arith.addf"
  unsigned arity;
  Loop loop; ///< over elements; does not round results
  double (*unary)(double) = nullptr;
  double (*binary)(double, double) = nullptr;
  double (*ternary)(double, double, double) = nullptr;
  /// What takes the loop's place where results are then rounded, for a function
  /// whose double has two roundings too few to be right.
  Loop beforeRounding = nullptr;
  bool isTruth = false; ///< its result is 0 or 1, an integer
};

/// a * b + c, to a double that rounds to any format of at most 24 bits as the
/// exact value does (it is rounded to odd). The product must be a double.
double fusedToOdd(double a, double b, double c);

/// The function behind a pointwise op of the arith, math or rnn dialect; null
/// for an op that is none, or that needs more than its operands (arith.cmpf).
const ScalarFunction *findScalarFunction(std::string_view op);

/// A comparison, giving 1 or 0; null for a predicate that arith.cmpf lacks.
using Comparison = double (*)(double, double);
Comparison findComparison(std::string_view predicate);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H
