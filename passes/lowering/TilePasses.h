//===- TilePasses.h - from the tile dialect to SPIR-V ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILEPASSES_H
#define RUNG_PASSES_LOWERING_TILEPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace rung {

#define GEN_PASS_DECL
#include "passes/lowering/TilePasses.h.inc"

/// From tile kernels to verified SPIR-V modules; programs are left alone.
void buildTileToSPIRVPipeline(mlir::OpPassManager &pm);

#define GEN_PASS_REGISTRATION
#include "passes/lowering/TilePasses.h.inc"

/// The passes, and the pipeline as `lower-tile-to-spirv`.
void registerTilePassesAndPipelines();

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TILEPASSES_H
