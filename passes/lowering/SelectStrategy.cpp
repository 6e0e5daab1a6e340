//===- SelectStrategy.cpp - how each recurrence runs ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/Stream.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_SELECTSTRATEGY
#include "passes/lowering/Lowering.h.inc"

namespace {

struct SelectStrategy : impl::SelectStrategyBase<SelectStrategy> {
  using SelectStrategyBase::SelectStrategyBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    getOperation().walk([&](rnn::RecurrenceOp op) {
      // Pinned ones keep their author's choice.
      if (!op->hasAttr(kStrategyAttr))
        setStrategy(op, isInStream(op)
                            ? tiling::Strategy::ResidentGrid
                            : tiling::chooseStrategy(*target, describe(op)));
    });
  }
};

} // namespace
} // namespace rung
