//===- RnnToTile.cpp - graphs to kernels and schedules --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Kernels.h"
#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/Stream.h"
#include "passes/lowering/TabulatePieces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_RNNTOTILE
#include "passes/lowering/Lowering.h.inc"

namespace {

LogicalResult lowerRecurrence(ProgramBuilder &p, rnn::RecurrenceOp op) {
  FailureOr<tiling::Strategy> strategy = getStrategy(op);
  if (failed(strategy))
    return failure();
  FailureOr<TileSizes> tiles = getTiles(op);
  if (failed(tiles))
    return failure();
  if (isInStream(op)) {
    tabulatePieces(op);
    return lowerStream(p, op, *tiles);
  }
  if (*strategy != tiling::Strategy::ResidentHead &&
      !op.getStep().getOps<rnn::InputDotOp>().empty())
    return op.emitOpError("multiplies its inputs in its body; strategy '")
           << toString(*strategy)
           << "' is for those that an rnn.linear multiplies";
  tabulatePieces(op);
  switch (*strategy) {
  case tiling::Strategy::Step:
    return lowerStep(p, op, *tiles);
  case tiling::Strategy::ResidentHead:
    return lowerResidentHead(p, op, *tiles);
  case tiling::Strategy::ResidentGrid:
    return lowerResidentGrid(p, op, *tiles);
  }
  llvm_unreachable("unknown strategy");
}

/// Whether the reader of \p cast at \p use reads what it casts in its place.
FailureOr<bool> looksThrough(OpOperand &use, rnn::CastOp cast) {
  auto linear = dyn_cast<rnn::LinearOp>(use.getOwner());
  if (!linear)
    return roundsInKernel(use);
  FailureOr<TileSizes> tiles = getTiles(linear);
  if (failed(tiles))
    return failure();
  return inputOf(linear, *tiles) == cast.getInput();
}

/// A cast of an activation becomes a kernel only if something reads it that
/// does not round its input itself.
LogicalResult lowerCast(ProgramBuilder &p, rnn::CastOp op) {
  if (succeeded(findWeight(op.getInput())))
    return success();
  bool needed = false;
  for (OpOperand &use : op->getUses()) {
    FailureOr<bool> looks = looksThrough(use, op);
    if (failed(looks))
      return failure();
    needed |= !*looks;
  }
  if (!needed)
    return success();
  return lowerCopy(p, op.getLoc(), op.getInput(), p.bufferOf(op.getResult()));
}

LogicalResult lowerOperation(ProgramBuilder &p, Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](rnn::EmbeddingOp o) { return lowerEmbedding(p, o); })
      .Case([&](rnn::LinearOp o) { return lowerLinear(p, o); })
      .Case([&](rnn::RmsNormOp o) { return lowerRmsNorm(p, o); })
      .Case([&](rnn::SoftmaxOp o) { return lowerSoftmax(p, o); })
      .Case([&](rnn::ArgmaxOp o) { return lowerArgmax(p, o); })
      .Case([&](rnn::ActivationOp o) { return lowerActivation(p, o); })
      .Case([&](rnn::AddOp o) { return lowerAdd(p, o); })
      .Case([&](rnn::ConcatOp o) { return lowerConcat(p, o); })
      .Case([&](rnn::MapOp o) { return lowerMap(p, o); })
      .Case([&](rnn::IntegerRmsNormOp o) { return lowerIntegerRmsNorm(p, o); })
      .Case([&](rnn::AdvanceRandomOp o) { return lowerAdvanceRandom(p, o); })
      .Case([&](rnn::CastOp o) { return lowerCast(p, o); })
      .Case([&](rnn::RecurrenceOp o) { return lowerRecurrence(p, o); })
      .Case<rnn::LoadWeightOp, func::ReturnOp>([](auto) { return success(); })
      .Default([](Operation *o) {
        return o->emitOpError("has no kernel; lower it first");
      });
}

/// Fills output ports that hold something other than one operation's result:
/// an input as it is, or what another output holds too.
LogicalResult lowerReturn(ProgramBuilder &p, func::ReturnOp op) {
  llvm::DenseSet<Value> seen;
  for (auto [port, value] : llvm::enumerate(op.getOperands())) {
    if (succeeded(findWeight(value)))
      return op.emitOpError("returns a weight as output ")
             << port << "; outputs are tensors of T or B";
    bool written = !isa<BlockArgument>(value) && seen.insert(value).second;
    if (!written && failed(lowerCopy(p, op.getLoc(), value, p.output(port))))
      return failure();
  }
  return success();
}

LogicalResult lowerFunction(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("function '")
           << function.getName() << "' has no body of one block";
  FailureOr<ProgramBuilder> program = ProgramBuilder::create(function);
  if (failed(program))
    return failure();
  for (Operation &op : function.front())
    if (failed(lowerOperation(*program, op)))
      return failure();
  if (failed(lowerReturn(
          *program, cast<func::ReturnOp>(function.front().getTerminator()))))
    return failure();
  std::optional<SingleRowTarget> single = getSingleRow(function);
  return single ? lowerSingleRow(function, program->program(), *single)
                : success();
}

struct RnnToTile : impl::RnnToTileBase<RnnToTile> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (failed(lowerFunction(function)))
        return signalPassFailure();
      function.erase();
    }
  }
};

} // namespace
} // namespace rung
