//===- Kernels.h - the kernels of each graph operation ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_KERNELS_H
#define RUNG_PASSES_LOWERING_KERNELS_H

#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProgramBuilder.h"

namespace rung {

/// Kernels that treat each row of a tensor by itself. Each appends one
/// dispatch; threads of a workgroup share a row's columns.
mlir::LogicalResult lowerEmbedding(ProgramBuilder &p, rnn::EmbeddingOp op);
mlir::LogicalResult lowerRmsNorm(ProgramBuilder &p, rnn::RmsNormOp op);
mlir::LogicalResult lowerIntegerRmsNorm(ProgramBuilder &p,
                                        rnn::IntegerRmsNormOp op);
mlir::LogicalResult lowerSoftmax(ProgramBuilder &p, rnn::SoftmaxOp op);
mlir::LogicalResult lowerArgmax(ProgramBuilder &p, rnn::ArgmaxOp op);
mlir::LogicalResult lowerActivation(ProgramBuilder &p, rnn::ActivationOp op);
mlir::LogicalResult lowerAdd(ProgramBuilder &p, rnn::AddOp op);
mlir::LogicalResult lowerConcat(ProgramBuilder &p, rnn::ConcatOp op);
mlir::LogicalResult lowerMap(ProgramBuilder &p, rnn::MapOp op);
mlir::LogicalResult lowerAdvanceRandom(ProgramBuilder &p,
                                       rnn::AdvanceRandomOp op);
/// Copies \p source's rows into \p target, a buffer of their shape, converting
/// floats to its element type.
mlir::LogicalResult lowerCopy(ProgramBuilder &p, mlir::Location loc,
                              mlir::Value source, mlir::Value target);

/// One tiled product of all rows with a weight, bias added.
mlir::LogicalResult lowerLinear(ProgramBuilder &p, rnn::LinearOp op);

/// The whole recurrence in one kernel, a workgroup a (head, batch tile).
mlir::LogicalResult lowerResidentHead(ProgramBuilder &p, rnn::RecurrenceOp op,
                                      const TileSizes &tiles);
/// The whole recurrence in one kernel, a workgroup a (head, columns), which
/// exchange the operands of products; behind one that publishes the first.
mlir::LogicalResult lowerResidentGrid(ProgramBuilder &p, rnn::RecurrenceOp op,
                                      const TileSizes &tiles);
/// One step of one row in one kernel, which awaits it.
mlir::LogicalResult lowerStream(ProgramBuilder &p, rnn::RecurrenceOp op,
                                const TileSizes &tiles);
/// One dispatch a step and phase, a workgroup a (head, batch tile, columns).
mlir::LogicalResult lowerStep(ProgramBuilder &p, rnn::RecurrenceOp op,
                              const TileSizes &tiles);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_KERNELS_H
