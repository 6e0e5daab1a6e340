//===- LowerInt8PwlGraph.h - layers in integers ------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWLGRAPH_H
#define RUNG_PASSES_PRECISION_LOWERINT8PWLGRAPH_H

#include "passes/precision/LowerInt8PwlBody.h"
#include "passes/precision/LowerInt8PwlMaps.h"

namespace rung::int8 {

/// Writes layers again in integers. Each result is also given as f32, so that
/// layers may be lowered one by one and in any number; where the next one takes
/// integers too, it takes them from here, and the f32 goes unused.
class GraphLowering {
public:
  GraphLowering(IntegerWeights &weights, const Options &options)
      : weights_(weights), options_(options) {}

  // Each replaces the operation, or fails with an error on it.
  mlir::LogicalResult lower(rnn::LinearOp op);
  mlir::LogicalResult lower(rnn::RecurrenceOp op, bool isShort);

  // Each replaces the operation if its inputs are known as integers; it stays
  // as it is otherwise.
  mlir::LogicalResult lower(rnn::EmbeddingOp op);
  mlir::LogicalResult lower(rnn::RmsNormOp op);
  void lower(rnn::AddOp op);
  void lower(rnn::ConcatOp op);

private:
  /// The integers that \p value stands for; no value if there are none.
  Fixed formOf(mlir::Value value) { return forms_.lookup(value); }
  /// No number of \p value is larger, or infinity; what calibration has seen on
  /// \p user goes before what can be proved.
  double magnitudeOf(mlir::Operation *user, mlir::Value value);
  void replace(mlir::OpBuilder &builder, mlir::Value old, const Fixed &form);

  IntegerWeights &weights_;
  const Options &options_;
  llvm::DenseMap<mlir::Value, Fixed> forms_;
};

/// The grids of the states of \p op: proved ranges where the body bounds a
/// state (a gated update with a bounded candidate, a gate times tanh), else
/// those of `rung.state_range`. Fails, with an error on \p op, without either.
mlir::FailureOr<llvm::SmallVector<StateGrid>>
chooseStateGrids(rnn::RecurrenceOp op, bool isShort);

} // namespace rung::int8

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWLGRAPH_H
