//===- RecurrentLayers.h - layers and their matrices ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_RECURRENTLAYERS_H
#define RUNG_PASSES_PRECISION_RECURRENTLAYERS_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace rung {

/// What messages call a layer: the name in its location, which is that of the
/// model's description; else the name of its first recurrent weight; else that
/// of its operation.
std::string layerName(mlir::Operation *layer);

/// Every `rnn.gru` and `rnn.recurrence` of \p module, in the order of the text.
llvm::SmallVector<mlir::Operation *> recurrentLayers(mlir::ModuleOp module);

/// One square matrix a head, as rows of a weight [heads, rows, width]: that of
/// head i begins at element (i * rows + row) * width.
struct RecurrentGate {
  std::string name; ///< "update", "product 1", "backward reset" …
  int64_t row;
};

/// A weight that a layer multiplies its state by.
struct RecurrentWeight {
  mlir::OpOperand *operand; ///< Of the layer.
  rnn::WeightOp weight;     ///< Null if it is no `rnn.load_weight`.
  int64_t heads, rows, width;
  llvm::SmallVector<RecurrentGate> gates; ///< Of different rows.

  /// Where the matrix of \p head and \p gate begins; it has width * width
  /// elements.
  int64_t offset(int64_t head, const RecurrentGate &gate) const {
    return (head * rows + gate.row) * width;
  }
};

/// The recurrent weights of an `rnn.gru` or an `rnn.recurrence`, in the order
/// of its operands.
llvm::SmallVector<RecurrentWeight> recurrentWeights(mlir::Operation *layer);

/// The values of \p weight for a pass named \p pass. Fails, with an error on
/// \p layer, if it is no f32 weight loaded by `rnn.load_weight`.
mlir::FailureOr<std::vector<float>>
readRecurrentWeight(mlir::Operation *layer, const RecurrentWeight &weight,
                    llvm::StringRef pass);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_RECURRENTLAYERS_H
