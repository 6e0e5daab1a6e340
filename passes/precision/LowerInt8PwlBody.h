//===- LowerInt8PwlBody.h - a cell's step in integers ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWLBODY_H
#define RUNG_PASSES_PRECISION_LOWERINT8PWLBODY_H

#include "compiler/numerics/IntegerActivation.h"
#include "passes/precision/LowerInt8PwlFixed.h"
#include "passes/precision/LowerInt8PwlWeights.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace rung::int8 {

// Grids. Arguments of activations: rounding to 2^-16 is far below what pieces
// lose. Gates: a share of 2^-13 a step, which keeps a state for thousands of
// steps, still has 17 bits. Candidates: as fine as the finest state.
inline constexpr int kArgumentBits = 16;
inline constexpr int kGateBits = 30;
inline constexpr int kCandidateBits = 24;

/// How activations are computed.
enum class ActivationForm { Piecewise, Table, InterpolatedTable };

struct Options {
  int pieces = 32;
  int operandBytes = 2;
  ActivationForm form = ActivationForm::Piecewise;
};

/// Where the carried state lies: integers of magnitude up to `limit`.
struct StateGrid {
  int bits = 0;
  int64_t limit = 0;
};

/// A step whose values are floats, written again with integers.
class BodyLowering {
public:
  /// Writes into \p target, which has the arguments of a recurrence with
  /// sequences as in \p sequences and states on the grids \p states; the
  /// weights are added as they are needed.
  BodyLowering(rnn::RecurrenceOp source, mlir::Block &target,
               llvm::ArrayRef<Fixed> sequences,
               llvm::ArrayRef<StateGrid> states, IntegerWeights &weights,
               const Options &options);

  /// Fails, with an error on the operation, at what has no integer form.
  mlir::LogicalResult run();

  /// What the block's weight arguments stand for, in their order.
  llvm::ArrayRef<rnn::WeightOp> weights() const { return weightOps_; }
  /// What the block yields as outputs.
  llvm::ArrayRef<Fixed> outputs() const { return outputs_; }

private:
  mlir::LogicalResult lower(mlir::Operation &op);
  mlir::LogicalResult lowerSlice(mlir::tensor::ExtractSliceOp slice);
  mlir::LogicalResult lowerDot(rnn::DotOp dot);
  mlir::LogicalResult lowerConstant(mlir::arith::ConstantOp constant);
  mlir::LogicalResult lowerArithmetic(mlir::Operation &op);
  void lowerYield(rnn::YieldOp yield);

  Fixed get(mlir::Value value) { return fixed_.lookup(value); }
  /// The argument that stands for \p weight; added if there is none.
  mlir::Value argumentOf(rnn::WeightOp weight);
  mlir::Value slice(mlir::Value row, int64_t offset);

  Fixed squash(numerics::Squash function, Fixed argument);
  Fixed pieces(numerics::Squash function, Fixed argument, numerics::Range seen);
  Fixed table(numerics::Squash function, Fixed argument, numerics::Range seen);

  rnn::RecurrenceOp source_;
  mlir::Block &target_;
  llvm::SmallVector<StateGrid> states_;
  IntegerWeights &pool_;
  const Options &options_;
  mlir::OpBuilder builder_;
  FixedBuilder b_;

  llvm::DenseMap<mlir::Value, Fixed> fixed_;
  llvm::DenseMap<mlir::Value, mlir::Value> conditions_;
  llvm::DenseMap<mlir::Value, Bytes> operands_;
  llvm::SmallVector<rnn::WeightOp> weightOps_;
  llvm::SmallVector<Fixed> outputs_;
  unsigned activations_ = 0; ///< How many have been lowered.
};

/// The grid of a state that stays within \p magnitude, a state that is kept in
/// 16 bits (\p isShort) or in the 25 that an f32 holds exactly.
StateGrid stateGrid(double magnitude, bool isShort);

} // namespace rung::int8

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWLBODY_H
