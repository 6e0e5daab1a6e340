//===- VerifyCooperative.cpp - no silent fall-back -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "passes/lowering/TilePasses.h"

namespace rung {
#define GEN_PASS_DEF_VERIFYCOOPERATIVE
#include "passes/lowering/TilePasses.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;

namespace {
struct VerifyCooperative
    : rung::impl::VerifyCooperativeBase<VerifyCooperative> {
  void runOnOperation() override {
    getOperation().walk([&](spirv::ModuleOp kernel) {
      auto wanted = kernel->getAttrOfType<IntegerAttr>("tile.mma_count");
      if (!wanted || wanted.getInt() == 0)
        return;
      int64_t found = 0;
      kernel.walk([&](spirv::KHRCooperativeMatrixMulAddOp) { ++found; });
      if (found >= wanted.getInt())
        return;
      kernel.emitError("kernel was tiled for cooperative matrices with ")
          << wanted.getInt() << " products but contains " << found
          << " cooperative multiply-adds";
      signalPassFailure();
    });
  }
};
} // namespace
