//===- TileToSPIRVPatterns.h - what upstream lacks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H
#define RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H

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

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TILETOSPIRVPATTERNS_H
