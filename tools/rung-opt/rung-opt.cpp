//===- rung-opt.cpp - one pass at a time ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnDialect.h"
#include "dialects/tile/TileDialect.h"
#include "passes/Passes.h"
#include "passes/lowering/Lowering.h"
#include "passes/lowering/SingleDispatch.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/Stream.h"
#include "passes/lowering/TilePasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<rung::rnn::RnnDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::spirv::SPIRVDialect,
                  mlir::tensor::TensorDialect, rung::tile::TileDialect>();
  rung::registerRungPasses();
  rung::registerRungLoweringPasses();
  rung::registerRungSingleDispatchPasses();
  rung::registerRungSingleRowPasses();
  rung::registerRungStreamPasses();
  rung::registerTilePassesAndPipelines();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "rung-opt: Rung's passes\n", registry));
}
