//===- Pipelines.cpp - the compiler's pipelines ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Pipelines.h"

#include "compiler/Compiler.h"
#include "dialects/rnn/RnnDialect.h"
#include "dialects/tile/TileDialect.h"
#include "passes/Passes.h"
#include "passes/lowering/Lowering.h"
#include "passes/lowering/SingleDispatch.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/Stream.h"
#include "passes/lowering/TilePasses.h"
#include "passes/lowering/TilePipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace rung {

void buildCellPipeline(OpPassManager &pm, const std::string &precision) {
  // Decide, once, how wide every number is.
  AnnotatePrecisionOptions annotate;
  annotate.precision = precision;
  pm.addPass(createAnnotatePrecision(annotate));

  // Open the cells, so that each rounding has a place to stand.
  pm.addPass(createExpandCells());
}

void buildPrecisionPipeline(OpPassManager &pm,
                            const PrecisionOptions &precision) {
  // Narrow each layer by the pass of its rung: operands or all of it in one
  // float format, pairs of f16, or integers. Each leaves the others' layers
  // alone.
  pm.addPass(createInsertCasts());
  pm.addPass(createExpandPairedFp16());
  LowerInt8PwlOptions integers;
  integers.pieces = precision.pieces;
  integers.operandBytes = precision.operandBytes;
  integers.activation = precision.activation;
  integers.all = precision.all;
  pm.addPass(createLowerInt8Pwl(integers));

  // Keep in the mean what rounding to nearest would lose each step.
  pm.addPass(createInsertStochasticRounding());
  pm.addPass(createCSEPass());
}

void buildKernelPipeline(OpPassManager &pm, const std::string &profile) {
  // Functions that ask to be streams are, where the device can do it.
  pm.addPass(createSelectStream({profile}));
  // A product of few inputs is cheaper where its result is used.
  pm.addPass(createFuseInputProduct({profile}));
  // Functions that ask for one dispatch get what the device has for it.
  pm.addPass(createSelectSingleDispatch({profile}));
  // Runs of a single row, where they can, have kernels of their own.
  pm.addPass(createSelectSingleRow({profile}));

  // Decide how each recurrence runs and how everything is cut; then check the
  // decisions against the device, whoever made them.
  pm.addPass(createSelectStrategy({profile}));
  pm.addPass(createSelectTiles({profile}));
  pm.addPass(createVerifyTiles({profile}));

  // From graphs to one workgroup's work.
  pm.addPass(createRnnToTile());
  pm.addPass(createExpandFma({profile}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void buildSpirvPipeline(OpPassManager &pm, const std::string &profile) {
  // One thread's view; one dispatch for programs that asked for it.
  pm.addPass(createTileDistribute());
  pm.addPass(createTileFuseDispatches());
  pm.addPass(createVerifySingleDispatch({profile}));

  // From arithmetic to instructions, then prove that none fell back.
  buildDistributedToSPIRVPipeline(pm);

  // Hold the device to what it promises of f16.
  pm.addPass(createSetFloatControls({profile}));
}

std::string describePipelines(const std::string &precision) {
  llvm::Expected<PrecisionOptions> parsed = parsePrecision(precision);
  if (!parsed) // The annotation has said so; nothing is described.
    return llvm::toString(parsed.takeError());
  auto text = [](llvm::function_ref<void(OpPassManager &)> build) {
    OpPassManager pm(ModuleOp::getOperationName(),
                     OpPassManager::Nesting::Implicit);
    build(pm);
    std::string result;
    llvm::raw_string_ostream out(result);
    pm.printAsTextualPipeline(out);
    return result;
  };
  return text([&](OpPassManager &pm) {
           buildCellPipeline(pm, precision);
           buildPrecisionPipeline(pm, *parsed);
         }) +
         "; " +
         text([&](OpPassManager &pm) { buildKernelPipeline(pm, "PROFILE"); }) +
         "; " +
         text([&](OpPassManager &pm) { buildSpirvPipeline(pm, "PROFILE"); });
}

void registerCompilerDialects(MLIRContext &context) {
  context.loadDialect<rnn::RnnDialect, tile::TileDialect, arith::ArithDialect,
                      func::FuncDialect, gpu::GPUDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect,
                      spirv::SPIRVDialect, tensor::TensorDialect>();
}

} // namespace rung
