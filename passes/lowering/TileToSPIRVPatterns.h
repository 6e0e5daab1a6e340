//===- TileToSPIRVPatterns.h - what upstream lacks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H
#define RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/SPIRVConversion.h"

namespace rung {

/// scf.for, scf.if and their yields, with values carried as block arguments.
void populateTileControlFlowPatterns(mlir::SPIRVTypeConverter &types,
                                     mlir::RewritePatternSet &patterns);

/// Shared memory, barriers, cooperative loads and stores, and the return.
void populateTileMemoryPatterns(mlir::SPIRVTypeConverter &types,
                                mlir::RewritePatternSet &patterns);

/// Functions for which the device's own are not trusted.
void populateTileMathPatterns(mlir::SPIRVTypeConverter &types,
                              mlir::RewritePatternSet &patterns);

/// Computes a sigmoid times a tanh, as gates of cells have them, by one
/// reciprocal for both: devices compute those as slowly as powers.
void shareReciprocals(mlir::Operation *kernel);

/// Marks f16 sums, differences, products and fused multiply-adds of the module
/// `no_contraction`, so that each is rounded as it is written.
void protectHalfArithmetic(mlir::spirv::ModuleOp module);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H
