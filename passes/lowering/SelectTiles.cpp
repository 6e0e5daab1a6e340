//===- SelectTiles.cpp - tiles for products and recurrences ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_SELECTTILES
#include "passes/lowering/Lowering.h.inc"

namespace {

/// Whether \p op has tiles for profile \p name: such without a `profile` are
/// for every one.
bool isPinned(Operation *op, StringRef name) {
  auto tiles = op->getAttrOfType<DictionaryAttr>(kTilesAttr);
  if (!tiles)
    return false;
  auto profile = tiles.getAs<StringAttr>("profile");
  return !profile || profile.getValue() == name;
}

struct SelectTiles : impl::SelectTilesBase<SelectTiles> {
  using SelectTilesBase::SelectTilesBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (isPinned(op, target->name)) // Its author's choice stays.
        return WalkResult::skip();
      if (auto linear = dyn_cast<rnn::LinearOp>(op))
        setTiles(op, tiling::chooseProductTiles(*target, describe(linear)));
      auto recurrence = dyn_cast<rnn::RecurrenceOp>(op);
      if (!recurrence)
        return WalkResult::advance();
      FailureOr<tiling::Strategy> strategy = getStrategy(op);
      if (failed(strategy))
        return WalkResult::interrupt();
      setTiles(op, tiling::chooseRecurrenceTiles(*target, describe(recurrence),
                                                 *strategy));
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace rung
