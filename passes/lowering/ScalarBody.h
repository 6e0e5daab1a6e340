//===- ScalarBody.h - a cell's body on one element --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SCALARBODY_H
#define RUNG_PASSES_LOWERING_SCALARBODY_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung {

/// What an operation may ask about the element besides its operands. A kernel
/// gives what the operations of its body need.
struct ElementContext {
  /// For rnn.random, all i32: the row's step, its number in the batch, the
  /// place in the row, and the two words of the row's seed.
  mlir::Value step, row, column, seedLow, seedHigh;
  /// For rnn.lookup: the entry of a table, an operand in the body, at an index.
  llvm::function_ref<mlir::Value(mlir::Value table, mlir::Value index)>
      loadTable = nullptr;
};

/// Emits the elementwise operation \p op of a body for one element: operands
/// come from \p mapping, results go there. Splats become constants.
void emitScalar(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                mlir::IRMapping &mapping, const ElementContext &element = {});

/// 1 / (1 + exp(-x)).
mlir::Value emitScalarSigmoid(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// The pointwise function \p function at \p x.
mlir::Value emitScalarActivation(mlir::ImplicitLocOpBuilder &b,
                                 rnn::ActivationAttr function, mlir::Value x);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SCALARBODY_H
