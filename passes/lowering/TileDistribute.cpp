//===- TileDistribute.cpp - kernels as one thread sees them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/GridWaits.h"
#include "passes/lowering/TileDistributor.h"
#include "passes/lowering/TilePasses.h"

namespace rung {
#define GEN_PASS_DEF_TILEDISTRIBUTE
#include "passes/lowering/TilePasses.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;

namespace {
struct TileDistribute : rung::impl::TileDistributeBase<TileDistribute> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      int64_t products = 0;
      kernel.walk([&](tile::MmaOp) { ++products; });
      kernel.walk(
          [&](tile::SplitMmaOp op) { products += op.getWeights().size(); });
      kernel.walk([&](Operation *op) {
        if (isa<tile::GridBarrierOp, tile::AwaitOp, tile::AwaitRowsOp>(op))
          kernel->setAttr(kJointAttr, UnitAttr::get(&getContext()));
      });
      if (failed(tile::TileDistributor(kernel).run()))
        return signalPassFailure();
      if (kernel.getLayout().getCooperative())
        kernel->setAttr("tile.mma_count",
                        Builder(&getContext()).getI64IntegerAttr(products));
    }
  }
};
} // namespace
