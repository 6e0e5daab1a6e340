//===- ScalarBody.h - a cell's body on one element --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SCALARBODY_H
#define RUNG_PASSES_LOWERING_SCALARBODY_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung {

/// Emits the elementwise operation \p op of a cell's body for one element:
/// operands come from \p mapping, results go there. Splats become constants.
void emitScalar(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                mlir::IRMapping &mapping);

/// 1 / (1 + exp(-x)).
mlir::Value emitScalarSigmoid(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// The pointwise function \p function at \p x.
mlir::Value emitScalarActivation(mlir::ImplicitLocOpBuilder &b,
                                 rnn::ActivationAttr function, mlir::Value x);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SCALARBODY_H
