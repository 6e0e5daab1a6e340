//===- SelectStream.cpp - which functions run ahead of their input --------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellPlan.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/MarkFunctions.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/ProgramBuilder.h"
#include "passes/lowering/Stream.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_REQUESTSTREAM
#define GEN_PASS_DEF_SELECTSTREAM
#include "passes/lowering/Stream.h.inc"

namespace {

struct RequestStream : impl::RequestStreamBase<RequestStream> {
  using RequestStreamBase::RequestStreamBase;

  void runOnOperation() override {
    if (failed(markFunctions(getOperation(), function, kStreamAttr)))
      signalPassFailure();
  }
};

/// What a sequence of the recurrence is computed from.
Value sourceOf(Value sequence) {
  if (auto linear = sequence.getDefiningOp<rnn::LinearOp>())
    sequence = linear.getInput();
  return seeThroughCast(sequence);
}

/// Whether every state of \p op comes in and goes out by one linked pair of
/// ports, and nothing else has no steps.
bool handsOnStates(func::FuncOp function, rnn::RecurrenceOp op) {
  auto returned = function.front().getTerminator()->getOperands();
  for (auto [first, last] :
       llvm::zip_equal(op.getInitial(), op.getFinalStates())) {
    auto port = dyn_cast<BlockArgument>(first);
    Attribute link =
        port ? function.getArgAttr(port.getArgNumber(), rnn::kStateAttr)
             : Attribute();
    unsigned result = llvm::find(returned, last) - returned.begin();
    if (!link || function.getResultAttr(result, rnn::kStateAttr) != link)
      return false;
  }
  for (BlockArgument port : function.getArguments())
    if (!llvm::is_contained(op.getInitial(), port) &&
        cast<RankedTensorType>(port.getType()).getRank() < 3)
      return false;
  return true;
}

/// Why no kernel can do a step of \p function by itself; empty if one can.
std::string obstacleIn(func::FuncOp function, rnn::RecurrenceOp &recurrence) {
  if (!llvm::hasSingleElement(function.getBody()))
    return "it has no body of one block";
  for (Operation &op : function.front()) {
    if (auto found = dyn_cast<rnn::RecurrenceOp>(op)) {
      if (recurrence)
        return "it has several recurrences";
      recurrence = found;
    } else if (!isa<rnn::LinearOp, rnn::CastOp, rnn::LoadWeightOp,
                    func::ReturnOp>(op)) {
      return ("it has an '" + op.getName().getStringRef() + "'").str();
    }
  }
  if (!recurrence)
    return "it has no recurrence";
  if (recurrence.getLengths() || recurrence.getRandom() ||
      recurrence.getDirection() != rnn::Direction::Forward)
    return "its recurrence has lengths, random bits, or runs backwards";
  for (Value sequence : recurrence.getSequences())
    if (!isa<BlockArgument>(sourceOf(sequence)) ||
        (sequence.getDefiningOp<rnn::LinearOp>() && !sequence.hasOneUse()))
      return "a sequence is neither an input nor a product of one";
  auto returned = function.front().getTerminator()->getOperands();
  llvm::DenseSet<Value> distinct(returned.begin(), returned.end());
  if (distinct.size() != recurrence->getNumResults() ||
      returned.size() != recurrence->getNumResults() ||
      llvm::any_of(returned, [&](Value value) {
        return value.getDefiningOp() != recurrence;
      }))
    return "it returns something other than its recurrence's results";
  return handsOnStates(function, recurrence)
             ? ""
             : "a state is not handed on from a call to the next";
}

/// Why the products of \p op don't fit a kernel that awaits its step.
std::string obstacleIn(rnn::RecurrenceOp op, const Profile &profile) {
  if (!profile.jointProgress || !profile.has(Feature::DeviceScope))
    return "profile '" + profile.name +
           "' does not promise that a running kernel sees what others write";
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<CellPlan> plan = CellPlan::create(op);
  if (failed(plan) || plan->phases != 1 || !plan->carrier.isF32() ||
      !isa<FloatType>(plan->operandType))
    return "its recurrence has products of several phases or none, or states "
           "other than f32";
  for (Value leaf : plan->leavesOf(plan->operandsOf(1)))
    if (!plan->isState(leaf))
      return "it multiplies more than states";
  tiling::RecurrenceProblem problem = describe(op);
  tiling::RecurrenceTiles tiles =
      chooseRecurrenceTiles(profile, problem, tiling::Strategy::ResidentGrid);
  const tiling::Distribution &d = tiles.distribution;
  if (!d.cooperative || tiles.depth == 0)
    return "profile '" + profile.name + "' has no tiles for its products";
  int64_t depth = problem.matrices * tiles.depth;
  for (Value sequence : op.getSequences())
    if (auto linear = sequence.getDefiningOp<rnn::LinearOp>()) {
      auto type = cast<RankedTensorType>(linear.getWeight().getType());
      depth += type.getDimSize(0) / op.getWidth() *
               tiling::roundUp(type.getDimSize(1), d.k * d.subgroups);
    }
  int64_t all = depth * tiles.columns * byteWidth(plan->operandType);
  int64_t bytes = tiling::roundUp(all, d.threads()) / d.threads();
  if (bytes > tiling::kGridBytesPerThread)
    return "a thread would hold " + std::to_string(bytes) +
           " bytes of its weights; the limit is " +
           std::to_string(tiling::kGridBytesPerThread);
  return checkTiles(profile, d, sharedBytes(tiles, problem), problem.operand,
                    problem.accumulate);
}

struct SelectStream : impl::SelectStreamBase<SelectStream> {
  using SelectStreamBase::SelectStreamBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(kStreamAttr))
        continue;
      rnn::RecurrenceOp recurrence;
      std::string obstacle = obstacleIn(function, recurrence);
      if (obstacle.empty())
        obstacle = obstacleIn(recurrence, *target);
      if (obstacle.empty())
        continue;
      function->removeAttr(kStreamAttr);
      function.emitRemark("function '")
          << function.getSymName() << "' is no stream: " << obstacle;
    }
  }
};

} // namespace
} // namespace rung
