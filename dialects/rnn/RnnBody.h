//===- RnnBody.h - what a cell's body may hold --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNBODY_H
#define RUNG_DIALECTS_RNN_RNNBODY_H

#include "dialects/rnn/RnnOps.h"

namespace rung::rnn {

/// The row of one step of \p value, a sequence or a state: its last axis.
mlir::RankedTensorType rowOf(mlir::Value value);

/// Checks that \p body, of \p op, has arguments of the types \p expected.
mlir::LogicalResult verifyBodyArguments(mlir::Operation *op, mlir::Block &body,
                                        llvm::ArrayRef<mlir::Type> expected);

/// Checks that \p body ends in an `rnn.yield` of a row for each of \p outputs
/// and of \p states.
mlir::LogicalResult verifyBodyYield(mlir::Operation *op, mlir::Block &body,
                                    mlir::ValueRange outputs,
                                    mlir::ValueRange states);

/// Checks every operation of a body: (C7) to (C10) of `rnn.recurrence`, and
/// (C6) of `rnn.map`.
mlir::LogicalResult verifyBodyOps(RecurrenceOp op);
mlir::LogicalResult verifyBodyOps(MapOp op);

/// Checks that sums of products of two \p operand may be of \p result: (C4) of
/// `rnn.dot` and (C6) of `rnn.linear`.
mlir::LogicalResult verifySum(mlir::Operation *op, mlir::Type operand,
                              mlir::Type result);

/// Checks that \p shift, of a requantization, is 1 to 62.
mlir::LogicalResult verifyShift(mlir::Operation *op, int32_t shift);

} // namespace rung::rnn

#endif // RUNG_DIALECTS_RNN_RNNBODY_H
