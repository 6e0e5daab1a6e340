//===- TileFuseDispatches.cpp - a program in one dispatch -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Formats.h"
#include "passes/lowering/FusedKernel.h"
#include "passes/lowering/SingleDispatch.h"

namespace rung {
#define GEN_PASS_DEF_TILEFUSEDISPATCHES
#include "passes/lowering/SingleDispatch.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;
using namespace rung::tile;

namespace {

/// A program of one dispatch and the kernels that it alone runs.
class SingleProgram {
public:
  SingleProgram(ProgramOp program, const tiling::SingleDispatch &limits,
                SymbolTable &symbols)
      : program_(program), limits_(limits), symbols_(symbols) {
    program.walk([&](DispatchOp op) { dispatches_.push_back(op); });
  }

  LogicalResult fuse() {
    FailureOr<SmallVector<Stage>> stages = scheduleStages(program_, symbols_);
    if (failed(stages) || failed(verifyParts()))
      return failure();
    FusedKernel fused(program_, limits_.groups, *stages);
    std::string obstacle = fused.obstacle(limits_.sharedBytes);
    if (obstacle.empty())
      return replace(fused);
    program_->removeAttr(kSingleDispatchAttr);
    program_.emitRemark("function '")
        << program_.getSymName()
        << "' runs in several dispatches: " << obstacle;
    return success();
  }

private:
  /// What a part forbids is proven of it here: its neighbours may differ.
  LogicalResult verifyParts() {
    for (DispatchOp part : dispatches_)
      if (failed(verifyFormats(symbols_.lookup(part.getKernel()),
                               part.getKernel())))
        return failure();
    return success();
  }

  /// An output that no kernel reads can lie where the host sees it, so parts
  /// that read one get scratch for it, which is copied in the end.
  void standInForReadOutputs(FusedKernel &fused) {
    for (auto output : llvm::make_early_inc_range(
             program_.getBody().front().getOps<BufferOp>())) {
      if (output.getRole() != BufferRole::Output ||
          llvm::none_of(output.getBuffer().getUses(),
                        [&](OpOperand &use) { return isRead(use); }))
        continue;
      OpBuilder builder(output);
      auto scratch = BufferOp::create(
          builder, output.getLoc(),
          cast<BufferType>(output.getBuffer().getType()).getElementType(),
          BufferRole::Scratch, std::nullopt, output.getSize());
      output.getBuffer().replaceAllUsesWith(scratch.getBuffer());
      fused.standIn(scratch.getBuffer(), output.getBuffer(), output.getSize());
    }
  }

  bool isRead(OpOperand &use) {
    auto dispatch = cast<DispatchOp>(use.getOwner());
    auto kernel = symbols_.lookup<KernelOp>(dispatch.getKernel());
    return kernel &&
           kernel.getBufferAccess(use.getOperandNumber()) != Access::Write;
  }

  LogicalResult replace(FusedKernel &fused) {
    standInForReadOutputs(fused);
    MLIRContext *context = program_->getContext();
    Block &body = program_.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    auto arrivals = BufferOp::create(
        builder, program_.getLoc(), IntegerType::get(context, 32),
        BufferRole::Progress, std::nullopt, ExtentAttr::get(context, 4));
    FailureOr<KernelOp> kernel =
        fused.emit(program_.getSymName(), arrivals.getBuffer());
    if (failed(kernel))
      return failure();
    symbols_.insert(*kernel); // Makes the name its own.
    fused.dispatch(*kernel);
    eraseKernels();
    for (Operation &op : llvm::make_early_inc_range(llvm::drop_end(body)))
      if (isa<DispatchOp, RepeatOp>(op))
        op.erase();
    return success();
  }

  void eraseKernels() {
    for (DispatchOp part : dispatches_)
      if (Operation *kernel = symbols_.lookup(part.getKernel()))
        symbols_.erase(kernel);
  }

  ProgramOp program_;
  tiling::SingleDispatch limits_;
  SymbolTable &symbols_;
  SmallVector<DispatchOp> dispatches_;
};

struct TileFuseDispatches
    : rung::impl::TileFuseDispatchesBase<TileFuseDispatches> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto program :
         llvm::make_early_inc_range(getOperation().getOps<ProgramOp>())) {
      auto limits = getSingleDispatch(program);
      if (failed(limits) ||
          (*limits && failed(SingleProgram(program, **limits, symbols).fuse())))
        return signalPassFailure();
    }
  }
};

} // namespace
