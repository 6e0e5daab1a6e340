//===- ScalarFunctions.h - what arith and math ops compute ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H
#define RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H

#include <string_view>

namespace rung::reference {

/// A pointwise op on up to three numbers.
struct ScalarFunction {
  std::string_view op; ///< as MLIR spells it, for example "arith.addf"
  unsigned arity;
  double (*unary)(double) = nullptr;
  double (*binary)(double, double) = nullptr;
  double (*ternary)(double, double, double) = nullptr;
};

/// The function behind a pointwise op of the arith, math or rnn dialect; null
/// for an op that is none, or that needs more than its operands (arith.cmpf).
const ScalarFunction *findScalarFunction(std::string_view op);

/// A comparison, giving 1 or 0; null for a predicate that arith.cmpf lacks.
using Comparison = double (*)(double, double);
Comparison findComparison(std::string_view predicate);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_SCALARFUNCTIONS_H
