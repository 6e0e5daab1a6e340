//===- FusedKernelStages.cpp - the parts of a fused kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   for each stage:
//     wait until every workgroup has done the stage before
//     for each part: for this workgroup's share of the part's groups:
//       the part's body; barrier, since the next one uses its shared memory
//
// Parts of one stage share out their groups as if they were one list, so that
// workgroups that one part leaves idle begin with the next.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/FusedKernel.h"
#include "passes/lowering/GridBarrier.h"

using namespace mlir;

namespace rung::tile {

//===----------------------------------------------------------------------===//
// Stages and parts
//===----------------------------------------------------------------------===//

void FusedKernel::waitForAll() {
  expected_ = add(expected_, index(groups_));
  emitGridBarrier(b_, thread_, counter_, index(0), expected_);
}

LogicalResult FusedKernel::emitStages() {
  for (const Stage &stage : stages_) {
    if (&stage != &stages_.front())
      waitForAll();
    if (failed(emitLevel(stage.parts, /*step=*/Value())))
      return failure();
    for (ArrayRef<Level> repeat : stage.repeats)
      if (failed(emitRepeat(repeat)))
        return failure();
  }
  return success();
}

void FusedKernel::emitCopies() {
  if (copies_.empty())
    return;
  waitForAll();
  Value thread = add(mul(group_, index(threads_)), thread_);
  for (const Copy &copy : copies_) {
    Type element = cast<BufferType>(copy.from.getType()).getElementType();
    Value count = div(extent(copy.size), index(bytesOf(element)));
    auto loop =
        scf::ForOp::create(b_, thread, count, index(groups_ * threads_));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    Value value = memref::LoadOp::create(
        b_, buffers_.find(copy.from)->second.argument, at);
    memref::StoreOp::create(b_, value, buffers_.find(copy.to)->second.argument,
                            at);
  }
}

/// A loop over time; each step but the first waits for the one before.
LogicalResult FusedKernel::emitRepeat(ArrayRef<Level> levels) {
  auto loop =
      scf::ForOp::create(b_, index(0), steps_, index(1), ValueRange{expected_});
  {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    expected_ = loop.getRegionIterArg(0);
    Value later =
        arith::CmpIOp::create(b_, arith::CmpIPredicate::sgt, step, index(0));
    auto wait = scf::IfOp::create(b_, TypeRange{expected_.getType()}, later,
                                  /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard inner(b_);
      b_.setInsertionPointToStart(wait.elseBlock());
      scf::YieldOp::create(b_, expected_);
      b_.setInsertionPointToStart(wait.thenBlock());
      waitForAll();
      scf::YieldOp::create(b_, expected_);
    }
    expected_ = wait.getResult(0);
    for (const Level &level : levels) {
      if (&level != &levels.front())
        waitForAll();
      if (failed(emitLevel(level, step)))
        return failure();
    }
    scf::YieldOp::create(b_, expected_);
  }
  expected_ = loop.getResult(0);
  return success();
}

LogicalResult FusedKernel::emitLevel(ArrayRef<Part> parts, Value step) {
  Value taken;
  for (const Part &part : parts)
    if (failed(emitPart(part, taken, step)))
      return failure();
  return success();
}

/// \p taken counts the groups that the level has given out; null before.
LogicalResult FusedKernel::emitPart(const Part &part, Value &taken,
                                    Value step) {
  DispatchOp dispatch = part.dispatch;
  b_.setLoc(dispatch.getLoc());
  Value x = extent(dispatch.getGroupsX()), y = extent(dispatch.getGroupsY());
  Value xy = mul(x, y), total = mul(xy, extent(dispatch.getGroupsZ()));
  Value groups = index(groups_);
  Value first = group_;
  if (taken) { // The workgroup behind the last one that got a group begins.
    Value behind = b_.createOrFold<arith::SubIOp>(groups, rem(taken, groups));
    first = rem(add(group_, behind), groups);
  }
  taken = taken ? add(taken, total) : total;
  auto loop = scf::ForOp::create(b_, first, total, groups);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  return emitBody(part, step, {rem(at, x), rem(div(at, x), y), div(at, xy)});
}

LogicalResult FusedKernel::emitBody(const Part &part, Value step,
                                    ArrayRef<Value> group) {
  KernelOp kernel = part.kernel;
  DispatchOp dispatch = part.dispatch;
  IRMapping mapping;
  for (auto [i, buffer] : llvm::enumerate(dispatch.getBuffers()))
    mapping.map(kernel.getBuffer(i), buffers_.find(buffer)->second.argument);
  for (auto [i, push] :
       llvm::enumerate(dispatch.getPush().getAsRange<PushAttr>()))
    mapping.map(kernel.getPush(i), pushed(push, step));
  SmallVector<Operation *> emitted;
  SmallVector<SharedOp> arrays;
  for (Operation &op : kernel.getBody().without_terminator()) {
    Operation *copy = b_.clone(op, mapping);
    if (auto array = dyn_cast<SharedOp>(copy))
      arrays.push_back(array);
    else
      copy->walk([&](Operation *each) { emitted.push_back(each); });
  }
  if (!arrays.empty())
    BarrierOp::create(b_);
  llvm::DenseMap<Type, int64_t> used;
  for (SharedOp array : arrays) {
    MemRefType type = array.getMemory().getType();
    int64_t &offset = used[type.getElementType()];
    placeShared(array.getMemory(),
                shared_.find(type.getElementType())->second.memory, offset);
    offset += type.getNumElements();
    array.erase();
  }
  for (Operation *op : emitted) {
    if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
      id.replaceAllUsesWith(group[unsigned(id.getDimension())]);
      id.erase();
    } else if (kernel.getLayout().getThreads() < threads_ &&
               failed(narrow(op, kernel.getLayout().getThreads()))) {
      return failure();
    }
  }
  return success();
}

/// Lets accesses of \p array go to the one row of \p memory, from \p offset on.
/// Whatever the access, the memory is followed by its row and column.
void FusedKernel::placeShared(Value array, Value memory, int64_t offset) {
  OpBuilder::InsertionGuard guard(b_);
  int64_t pitch = cast<MemRefType>(array.getType()).getDimSize(1);
  for (OpOperand &use : llvm::make_early_inc_range(array.getUses())) {
    Operation *op = use.getOwner();
    unsigned at = use.getOperandNumber();
    b_.setInsertionPoint(op);
    Value row = mul(op->getOperand(at + 1), index(pitch));
    Value column = add(add(row, op->getOperand(at + 2)), index(offset));
    op->setOperand(at + 1, index(0));
    op->setOperand(at + 2, column);
    use.set(memory);
  }
}

/// Of a kernel with fewer \p threads: those beyond do what others do, so that
/// all meet at barriers, but write nothing.
LogicalResult FusedKernel::narrow(Operation *op, int64_t threads) {
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointAfter(op);
  auto wrap = [&](Value id, int64_t count) {
    Value own = rem(id, index(count));
    id.replaceUsesWithIf(own, [&](OpOperand &use) {
      return use.getOwner() != own.getDefiningOp();
    });
  };
  if (isa<gpu::ThreadIdOp>(op)) {
    wrap(op->getResult(0), threads);
    return success();
  }
  if (isa<gpu::SubgroupIdOp>(op)) {
    wrap(op->getResult(0), threads / cooperative_.getSubgroupSize());
    return success();
  }
  if (!changesMemory(op))
    return success();
  if (!op->use_empty())
    return op->emitOpError("changes memory and gives what was there; its "
                           "kernel cannot run with more than its ")
           << threads << " threads";
  b_.setInsertionPoint(op);
  Value own = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, thread_,
                                    index(threads));
  auto branch = scf::IfOp::create(b_, own, /*withElseRegion=*/false);
  op->moveBefore(branch.thenYield());
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value FusedKernel::pushed(PushAttr push, Value step) {
  switch (push.getKind()) {
  case PushKind::Constant:
    return index(push.getValue());
  case PushKind::T:
    return steps_;
  case PushKind::B:
    return batch_;
  case PushKind::TB:
    return mul(steps_, batch_);
  case PushKind::Step:
    return step;
  }
  llvm_unreachable("unknown push");
}

Value FusedKernel::extent(ExtentAttr extent) {
  Value product = index(1);
  for (FactorAttr factor : extent.getFactors()) {
    Value symbol = index(1);
    if (factor.getSymbol() == Symbol::T)
      symbol = steps_;
    else if (factor.getSymbol() == Symbol::B)
      symbol = batch_;
    else if (factor.getSymbol() == Symbol::TB)
      symbol = mul(steps_, batch_);
    Value rounded = add(symbol, index(factor.getDivisor() - 1));
    product = mul(mul(product, div(rounded, index(factor.getDivisor()))),
                  index(factor.getMultiplier()));
  }
  return product;
}

Value FusedKernel::index(int64_t value) {
  return arith::ConstantOp::create(b_, b_.getIndexAttr(value));
}
Value FusedKernel::add(Value lhs, Value rhs) {
  return b_.createOrFold<arith::AddIOp>(lhs, rhs);
}
Value FusedKernel::mul(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MulIOp>(lhs, rhs);
}
Value FusedKernel::rem(Value lhs, Value rhs) {
  return b_.createOrFold<arith::RemUIOp>(lhs, rhs);
}
Value FusedKernel::div(Value lhs, Value rhs) {
  return b_.createOrFold<arith::DivUIOp>(lhs, rhs);
}

} // namespace rung::tile
