//===- FuseInputProduct.cpp - input products into recurrences -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/RecurrenceEdges.h"
#include "passes/lowering/SingleDispatch.h"
#include "passes/lowering/Stream.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_FUSEINPUTPRODUCT
#include "passes/lowering/Lowering.h.inc"

namespace {

/// Fuses into \p op what stands before \p sequences, if that is worth it.
bool fuse(rnn::RecurrenceOp op, ArrayRef<unsigned> sequences,
          const Profile &profile) {
  std::optional<InputEdge> inputs = InputEdge::find(op, sequences);
  if (!inputs)
    return false;
  std::optional<OutputEdge> outputs = OutputEdge::find(op);
  rnn::RecurrenceOp fused = buildFused(op, *inputs, outputs);
  if (!isInStream(fused) && !tiling::fusesInput(profile, describe(fused))) {
    fused.erase();
    return false;
  }
  replaceFused(op, fused, *inputs, outputs);
  return true;
}

/// Whether the kernel of \p op becomes a part of one that may not hold f32.
bool mayHoldNoEdge(rnn::RecurrenceOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return !carrierOf(op).isF32() && function &&
         function->hasAttr(kSingleDispatchAttr);
}

struct FuseInputProduct : impl::FuseInputProductBase<FuseInputProduct> {
  using FuseInputProductBase::FuseInputProductBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    SmallVector<rnn::RecurrenceOp> recurrences;
    getOperation().walk([&](rnn::RecurrenceOp op) {
      // A pinned strategy or pinned tiles were chosen for the body as it is.
      if (!op->hasAttr(kStrategyAttr) && !op->hasAttr(kTilesAttr) &&
          !mayHoldNoEdge(op))
        recurrences.push_back(op);
    });
    for (rnn::RecurrenceOp op : recurrences) {
      auto all = llvm::to_vector(
          llvm::seq<unsigned>(0, unsigned(op.getSequences().size())));
      if (fuse(op, all, *target))
        continue;
      for (unsigned sequence : all)
        if (all.size() > 1 && fuse(op, sequence, *target))
          break; // The operation is another; its other sequences stay.
    }
  }
};

} // namespace
} // namespace rung
