//===- TilePipelines.h - parts of the way to SPIR-V -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILEPIPELINES_H
#define RUNG_PASSES_LOWERING_TILEPIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace rung {

/// What `lower-tile-to-spirv` does behind `tile-distribute`.
void buildDistributedToSPIRVPipeline(mlir::OpPassManager &pm);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TILEPIPELINES_H
