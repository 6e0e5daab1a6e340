//===- PairedBody.h - one step of a cell in pairs of f16 --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_PAIREDBODY_H
#define RUNG_PASSES_PRECISION_PAIREDBODY_H

#include "dialects/rnn/RnnOps.h"
#include "passes/precision/PairArithmetic.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace rung {

/// Writes the body of a recurrence, in f32, again in pairs. Every row becomes
/// two; a matrix stays one. So the new recurrence has two sequences, states,
/// outputs and weights of rank 1 for each one, high and low in turn.
class PairedBody {
public:
  /// \p to is a recurrence without a body.
  PairedBody(rnn::RecurrenceOp from, rnn::RecurrenceOp to);

  /// Fails, with an error on it, at an operation that has no form in pairs.
  mlir::LogicalResult build();

private:
  void addArguments();
  mlir::Value addArgument(mlir::Value old);
  void addPair(mlir::Value old);

  mlir::LogicalResult rewrite(mlir::Operation &op);
  /// Arithmetic on rows; false if \p op is none that there is a form for.
  bool rewriteArithmetic(PairBuilder &b, mlir::Operation &op);
  bool rewriteActivation(PairBuilder &b, mlir::Operation &op);
  void rewriteSlice(mlir::tensor::ExtractSliceOp slice);
  void rewriteDot(PairBuilder &b, rnn::DotOp dot);
  bool rewriteConstant(PairBuilder &b, mlir::arith::ConstantOp constant);
  void rewriteProduct(PairBuilder &b, mlir::arith::MulFOp product);
  void rewriteCompare(PairBuilder &b, mlir::arith::CmpFOp compare);
  /// The larger or the smaller of two, NaN if one is.
  Pair extreme(PairBuilder &b, mlir::Value x, mlir::Value y, bool larger);
  mlir::LogicalResult rewriteYield(PairBuilder &b, rnn::YieldOp yield);
  /// Marks the sums that round a state; fails where there are none.
  mlir::LogicalResult markSums(rnn::YieldOp yield, unsigned state,
                               const Pair &pair);

  mlir::Value compare(PairBuilder &b, mlir::arith::CmpFPredicate predicate,
                      mlir::Value x, mlir::Value y);
  /// The pair of a row of the old body, at a scale of at most \p scale.
  Pair get(PairBuilder &b, mlir::Value old, int scale = 0);
  /// As get, normalised, at scale 0; a row is normalised once.
  Pair normal(PairBuilder &b, mlir::Value old);

  rnn::RecurrenceOp from_, to_;
  mlir::OpBuilder builder_;
  mlir::RankedTensorType row_;
  bool stochastic_;
  llvm::DenseMap<mlir::Value, Pair> pairs_;
  /// Matrices, and truth values.
  mlir::IRMapping others_;
};

/// The scale at which a product may stay: more than 0 where it is the share of
/// a distance that a state moves, u * (n - h) of h + u * (n - h), with a gate
/// for u. The larger one where the distance can't overflow at it for any state
/// within -32 .. 32.
int shareScale(rnn::RecurrenceOp recurrence, mlir::arith::MulFOp product);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_PAIREDBODY_H
