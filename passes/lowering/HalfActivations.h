//===- HalfActivations.h - sigmoid and tanh in f16 alone --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_HALFACTIVATIONS_H
#define RUNG_PASSES_LOWERING_HALFACTIVATIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung {

/// Functions of an f16 by its own arithmetic. A device's exp in f16 may err by
/// 1 + 2 |x| ulps, 2 % where a slow gate is; these err by two or three, have
/// the same bits on every device whose arithmetic is IEEE's.

/// exp(-x) for x >= 0, subnormals included.
mlir::Value emitHalfExpOfMinus(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value emitHalfSigmoid(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value emitHalfTanh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_HALFACTIVATIONS_H
