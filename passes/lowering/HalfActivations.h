//===- HalfActivations.h - sigmoid and tanh in f16 alone --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_HALFACTIVATIONS_H
#define RUNG_PASSES_LOWERING_HALFACTIVATIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung {

/// Functions of an f16 by its own arithmetic. A device's exp in f16 may err by
/// 1 + 2 |x| ulps, 2 % where a slow gate is; these err by three at most, four
/// for tanh, and by 0.6 in the root mean square, with multiply-adds that are
/// fused or not. They hold no division, no conversion and no branch, so that
/// elements can be computed side by side.

/// Keeps its relative accuracy where it is small, subnormals included.
mlir::Value emitHalfSigmoid(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value emitHalfTanh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_HALFACTIVATIONS_H
