//===- VerifyFormats.cpp - no float where there may be none ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "passes/lowering/Formats.h"
#include "passes/lowering/TilePasses.h"

namespace rung {
#define GEN_PASS_DEF_VERIFYFORMATS
#include "passes/lowering/TilePasses.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;

namespace {

struct VerifyFormats : rung::impl::VerifyFormatsBase<VerifyFormats> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](spirv::ModuleOp kernel) {
      failed |=
          mlir::failed(verifyFormats(kernel, kernel.getName().value_or("")));
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
