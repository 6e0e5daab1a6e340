//===- AnnotatePrecision.cpp - a precision for every product -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"
#include "passes/Passes.h"
#include "passes/precision/Presets.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_ANNOTATEPRECISION
#include "passes/Passes.h.inc"
} // namespace rung

namespace {
struct AnnotatePrecision
    : rung::impl::AnnotatePrecisionBase<AnnotatePrecision> {
  using AnnotatePrecisionBase::AnnotatePrecisionBase;

  void runOnOperation() override {
    auto preset = rung::getPrecisionPreset(&getContext(), precision);
    if (!preset) {
      getOperation().emitError(llvm::toString(preset.takeError()));
      return signalPassFailure();
    }
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<GruOp, LinearOp, RecurrenceOp>(
          [&](auto layer) {
            if (!layer.getPrecision()) // A pinned layer keeps its own.
              layer.setPrecisionAttr(*preset);
          });
    });
  }
};
} // namespace
