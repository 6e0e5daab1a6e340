//===- VerifyTiles.cpp - refuse tiles that a device can't run -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_VERIFYTILES
#include "passes/lowering/Lowering.h.inc"

namespace {

/// What the tiles of \p op, which has them, can't have on \p target.
FailureOr<std::string> complaintAbout(Operation *op, const Profile &target) {
  FailureOr<TileSizes> tiles = getTiles(op);
  if (failed(tiles))
    return failure();
  tiling::Distribution d = toDistribution(tiles->layout);
  if (auto linear = dyn_cast<rnn::LinearOp>(op)) {
    tiling::ProductProblem problem = describe(linear);
    tiling::ProductTiles product{d,
                                 tiles->rows,
                                 tiles->columns,
                                 tiles->depth,
                                 tiles->stageWeights,
                                 tiles->panel,
                                 tiles->narrowFirst};
    return tiling::checkTiles(target, d, sharedBytes(product, problem.operand),
                              problem.operand, problem.accumulate);
  }
  FailureOr<tiling::Strategy> strategy = getStrategy(op);
  if (failed(strategy))
    return failure();
  tiling::RecurrenceProblem problem = describe(cast<rnn::RecurrenceOp>(op));
  tiling::RecurrenceTiles recurrence{*strategy,    d,
                                     tiles->rows,  tiles->columns,
                                     tiles->depth, tiles->stages,
                                     tiles->group, tiles->twoLoops};
  return tiling::checkTiles(target, d, sharedBytes(recurrence, problem),
                            problem.operand, problem.accumulate);
}

struct VerifyTiles : impl::VerifyTilesBase<VerifyTiles> {
  using VerifyTilesBase::VerifyTilesBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      if (!isa<rnn::LinearOp, rnn::RecurrenceOp>(op))
        return WalkResult::advance();
      FailureOr<std::string> complaint = complaintAbout(op, *target);
      if (succeeded(complaint) && !complaint->empty())
        op->emitOpError(*complaint);
      if (failed(complaint) || !complaint->empty())
        signalPassFailure();
      return WalkResult::skip();
    });
  }
};

} // namespace
} // namespace rung
