//===- SelectTiles.cpp - tiles for products and recurrences ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/target/MeasuredTiles.h"
#include "compiler/tiling/Candidates.h"
#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"

#include "mlir/AsmParser/AsmParser.h"

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
    Result<MeasuredTiles> measured = findMeasuredTiles(profile);
    if (!measured.isOk()) {
      getOperation()->emitError(measured.status().message());
      return signalPassFailure();
    }
    remaining = measured->candidate.value_or(-1);
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (isPinned(op, target->name)) // Its author's choice stays.
        return WalkResult::skip();
      if (!isa<rnn::LinearOp, rnn::RecurrenceOp>(op))
        return WalkResult::advance();
      if (failed(select(op, *target, *measured)))
        return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (remaining >= 0) {
      getOperation()->emitError("candidate ")
          << *measured->candidate << " is wanted; there are "
          << *measured->candidate - remaining;
      signalPassFailure();
    }
  }

private:
  LogicalResult select(Operation *op, const Profile &target,
                       const MeasuredTiles &measured) {
    if (auto linear = dyn_cast<rnn::LinearOp>(op)) {
      tiling::ProductProblem problem = describe(linear);
      return take(
          op, measured, nameOf(problem),
          [&] { return productCandidates(target, problem); },
          [&] { return chooseProductTiles(target, problem); });
    }
    FailureOr<tiling::Strategy> strategy = getStrategy(op);
    if (failed(strategy))
      return failure();
    tiling::RecurrenceProblem problem = describe(cast<rnn::RecurrenceOp>(op));
    std::string name =
        (toString(*strategy) + " " + llvm::Twine(nameOf(problem))).str();
    return take(
        op, measured, name,
        [&] { return recurrenceCandidates(target, problem, *strategy); },
        [&] { return chooseRecurrenceTiles(target, problem, *strategy); });
  }

  /// Gives \p op the wanted candidate, or the measured tiles of its problem, or
  /// the rule's.
  template <typename Candidates, typename Rule>
  LogicalResult take(Operation *op, const MeasuredTiles &measured,
                     const std::string &problem, Candidates candidates,
                     Rule rule) {
    if (remaining >= 0) {
      auto all = candidates();
      const int64_t index = remaining;
      remaining -= all.size();
      if (remaining < 0) {
        setTiles(op, all[index]);
        op->setAttr("rung.problem", StringAttr::get(&getContext(), problem));
        return success();
      }
    }
    auto found = measured.byProblem.find(problem);
    if (found == measured.byProblem.end()) {
      setTiles(op, rule());
      return success();
    }
    Attribute tiles = parseAttribute(found->second, &getContext());
    if (!isa_and_nonnull<DictionaryAttr>(tiles))
      return op->emitOpError("has measured tiles in profile '")
             << profile << "' that are no attributes: " << found->second;
    op->setAttr(kTilesAttr, tiles);
    return success();
  }

  int64_t remaining = -1; ///< Candidates to be counted off; below 0: none.
};

} // namespace
} // namespace rung
