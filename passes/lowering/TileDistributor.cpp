//===- TileDistributor.cpp - the walk over a kernel's body -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/TileDistributor.h"
#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::tile;

TileDistributor::TileDistributor(KernelOp kernel)
    : kernel_(kernel), layout_(kernel.getLayout()),
      b_(kernel.getLoc(), kernel.getContext()) {}

LogicalResult TileDistributor::run() {
  Region old;
  old.takeBody(kernel_.getBodyRegion());
  Block &from = old.front();
  Block &to = kernel_.getBodyRegion().emplaceBlock();
  for (BlockArgument argument : from.getArguments())
    mapping_.map(argument, to.addArgument(convertType(argument.getType()),
                                          argument.getLoc()));
  b_.setInsertionPointToStart(&to);
  thread_ = b_.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Value size = index(layout_.getSubgroupSize());
  lane_ = b_.create<arith::RemUIOp>(thread_, size);
  // The device's own subgroup number is known to be uniform; a plain layout's
  // groups of threads are none of the device's.
  Value subgroup;
  if (cooperative())
    subgroup = b_.create<gpu::SubgroupIdOp>(b_.getIndexType(), IntegerAttr());
  else
    subgroup = b_.create<arith::DivUIOp>(thread_, size);
  subgroup_ = subgroupColumn_ = subgroup;
  if (layout_.getSubgroupRows() > 1) {
    Value across = index(layout_.getSubgroupColumns());
    subgroupRow_ = b_.create<arith::DivUIOp>(subgroup, across);
    subgroupColumn_ = b_.create<arith::RemUIOp>(subgroup, across);
  }
  return emitBody(from);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type TileDistributor::convertType(Type type) const {
  if (type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  auto memory = dyn_cast<MemRefType>(type);
  if (!memory)
    return type;
  auto space =
      dyn_cast_if_present<gpu::AddressSpaceAttr>(memory.getMemorySpace());
  bool shared = space && space.getValue() == gpu::AddressSpace::Workgroup;
  auto storage = spirv::StorageClassAttr::get(
      type.getContext(), shared ? spirv::StorageClass::Workgroup
                                : spirv::StorageClass::StorageBuffer);
  return MemRefType::get(memory.getShape(),
                         convertType(memory.getElementType()),
                         memory.getLayout(), storage);
}

spirv::CooperativeMatrixType TileDistributor::blockType(MatrixType type) const {
  Blocks blocks = blocksOf(type);
  bool transposed = layout_.getTransposed();
  auto use = spirv::CooperativeMatrixUseKHR::MatrixAcc;
  if (type.getUse() != MatrixUse::Acc)
    use = (type.getUse() == MatrixUse::A) == transposed
              ? spirv::CooperativeMatrixUseKHR::MatrixB
              : spirv::CooperativeMatrixUseKHR::MatrixA;
  if (transposed)
    std::swap(blocks.rows, blocks.columns);
  return spirv::CooperativeMatrixType::get(type.getElementType(), blocks.rows,
                                           blocks.columns,
                                           spirv::Scope::Subgroup, use);
}

SmallVector<Type> TileDistributor::expandType(Type type) const {
  if (auto flight = dyn_cast<FlightType>(type)) {
    int64_t width = flight.getWidth();
    tiling::LinearSpread spread(flight.getRows(), flight.getColumns() / width,
                                layout_.getThreads());
    Type element = convertType(flight.getElementType());
    if (width == 1)
      return SmallVector<Type>(spread.perOwner(), element);
    int64_t unit = unitOf(width, element);
    return SmallVector<Type>(spread.perOwner() * width * elementBytes(element) /
                                 unit,
                             unitType(type.getContext(), unit));
  }
  auto matrix = dyn_cast<MatrixType>(type);
  if (!matrix)
    return {convertType(type)};
  if (cooperative())
    return SmallVector<Type>(blocksOf(matrix).count(), blockType(matrix));
  // Plain operands are views of memory, which their product reads.
  if (matrix.getUse() != MatrixUse::Acc)
    return {};
  return SmallVector<Type>(blocksOf(matrix).count() * lanesElements(),
                           convertType(matrix.getElementType()));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static bool isSpread(Value value) {
  return isa<MatrixType, FlightType>(value.getType());
}

LogicalResult TileDistributor::emitBody(Block &from) {
  for (Operation &op : from)
    if (failed(emit(op)))
      return failure();
  return success();
}

LogicalResult TileDistributor::emit(Operation &op) {
  b_.setLoc(op.getLoc());
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<SharedOp, ReadOp, WriteOp, FetchOp, LandOp, DrainOp,
            ConvertSharedOp, ReduceOp, LoadOp, LoadPackedOp, BroadcastRowOp,
            BroadcastColumnOp, StoreOp, StoreGlobalOp, SliceOp, FillOp, MmaOp,
            MapOp, ConvertOp>([&](auto each) { return emitOp(each); })
      .Case<GridBarrierOp, PublishOp, AwaitOp, PublishPairsOp, PeekRowsOp,
            AwaitRowsOp, LiftOp, DeliverOp, LoadSplitOp, SplitMmaOp, PutOp,
            LaneRowOp, UnitDotOp, SubgroupSumOp>(
          [&](auto each) { return emitOp(each); })
      .Case<scf::ForOp>([&](scf::ForOp each) { return emitFor(each); })
      .Case<scf::IfOp>([&](scf::IfOp each) { return emitIf(each); })
      .Case<scf::YieldOp>([&](scf::YieldOp yield) {
        Values values;
        for (Value value : yield.getOperands())
          if (isSpread(value))
            llvm::append_range(values, expansions_[value]);
          else
            values.push_back(mapped(value));
        b_.create<scf::YieldOp>(values);
        return success();
      })
      .Default([&](Operation *each) { return emitScalar(*each); });
}

LogicalResult TileDistributor::emitFor(scf::ForOp op) {
  Values inits;
  for (Value init : op.getInitArgs())
    if (isSpread(init))
      llvm::append_range(inits, expansions_[init]);
    else
      inits.push_back(mapped(init));
  auto loop = b_.create<scf::ForOp>(mapped(op.getLowerBound()),
                                    mapped(op.getUpperBound()),
                                    mapped(op.getStep()), inits);
  mapping_.map(op.getInductionVar(), loop.getInductionVar());
  auto bind = [&](ValueRange from, ValueRange to) {
    for (Value value : from) {
      size_t count = expandType(value.getType()).size();
      if (isSpread(value))
        expand(value, to.take_front(count));
      else
        mapping_.map(value, to.front());
      to = to.drop_front(count);
    }
  };
  bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  bind(op.getResults(), loop.getResults());
  OpBuilder::InsertionGuard guard(b_);
  // A loop without carried values comes with its terminator.
  loop.getBody()->clear();
  b_.setInsertionPointToEnd(loop.getBody());
  return emitBody(*op.getBody());
}

LogicalResult TileDistributor::emitIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    llvm::append_range(types, expandType(result.getType()));
  auto branch =
      b_.create<scf::IfOp>(types, mapped(op.getCondition()),
                           /*addThenBlock=*/true,
                           /*addElseBlock=*/op.elseBlock() != nullptr);
  ValueRange results = branch.getResults();
  for (Value result : op.getResults()) {
    size_t count = expandType(result.getType()).size();
    if (isSpread(result))
      expand(result, results.take_front(count));
    else
      mapping_.map(result, results.front());
    results = results.drop_front(count);
  }
  OpBuilder::InsertionGuard guard(b_);
  branch.thenBlock()->clear();
  b_.setInsertionPointToEnd(branch.thenBlock());
  if (failed(emitBody(*op.thenBlock())))
    return failure();
  if (!op.elseBlock())
    return success();
  branch.elseBlock()->clear();
  b_.setInsertionPointToEnd(branch.elseBlock());
  return emitBody(*op.elseBlock());
}

/// Emits a tile op's region with the given values as its arguments; gives what
/// the region yields.
FailureOr<SmallVector<Value>>
TileDistributor::emitRegion(Region &region, ValueRange arguments) {
  Block &block = region.front();
  for (auto [from, to] : llvm::zip_equal(block.getArguments(), arguments))
    mapping_.map(from, to);
  for (Operation &op : block.without_terminator())
    if (failed(emit(op)))
      return failure();
  Values results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapped(value));
  return results;
}
