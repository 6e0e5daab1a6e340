//===- TilePipelines.cpp - the named pipelines of tile ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/TilePipelines.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/lowering/TilePasses.h"

using namespace mlir;
using namespace rung;

void rung::buildTileToSPIRVPipeline(OpPassManager &pm) {
  // One thread's view.
  pm.addPass(createTileDistribute());
  buildDistributedToSPIRVPipeline(pm);
}

void rung::buildDistributedToSPIRVPipeline(OpPassManager &pm) {
  // Positions and addresses that a loop does not change leave it, and equal
  // loads become one.
  pm.addNestedPass<tile::KernelOp>(createCanonicalizerPass());
  pm.addNestedPass<tile::KernelOp>(createCSEPass());
  pm.addNestedPass<tile::KernelOp>(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<tile::KernelOp>(createCanonicalizerPass());
  pm.addNestedPass<tile::KernelOp>(createCSEPass());

  // Instructions, and proof that none fell back.
  pm.addPass(createTileToSPIRV());
  pm.addNestedPass<spirv::ModuleOp>(createCSEPass());
  pm.addPass(createVerifyCooperative());
  pm.addPass(createVerifyFormats());
}

void rung::registerTilePassesAndPipelines() {
  registerTilePasses();
  PassPipelineRegistration<>(
      "lower-tile-to-spirv",
      "lower every tile.kernel to a verified spirv.module",
      buildTileToSPIRVPipeline);
}
