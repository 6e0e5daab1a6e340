//===- StochasticScalar.h - a sum, rounded by chance ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_STOCHASTICSCALAR_H
#define RUNG_PASSES_LOWERING_STOCHASTICSCALAR_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung {

/// The f16 sum \p a + \p addend, rounded to one of its two neighbours: with lo
/// < v < hi the result is hi where \p bits, an unsigned i32, is below (v - lo)
/// / (hi - lo) * 2^32. Infinity stands at 2^16. A sum that is an f16, infinity
/// or NaN is the result. The device must round to nearest and keep subnormals;
/// where it does not, the chances are off by what it loses.
mlir::Value emitAddStochastic(mlir::ImplicitLocOpBuilder &b, mlir::Value a,
                              mlir::Value addend, mlir::Value bits);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_STOCHASTICSCALAR_H
