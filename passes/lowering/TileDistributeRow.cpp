//===- TileDistributeRow.cpp - products of single rows ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

LogicalResult TileDistributor::emitOp(PutOp op) {
  Values values;
  for (Value value : op.getValues())
    values.push_back(mapped(value));
  storeShared(values, /*bytes=*/0, op.getMemory(), mapped(op.getRow()),
              mapped(op.getColumn()), index(0), values.size());
  return success();
}

LogicalResult TileDistributor::emitOp(LaneRowOp op) {
  int64_t units = op.getDepth() / kAccessBytes;
  int64_t lanes = layout_.getSubgroupSize();
  bool shared = cast<MemRefType>(op.getMemory().getType()).getRank() == 2;
  if (shared && sharedUnits_.lookup(op.getMemory()) != kAccessBytes)
    return op.emitOpError("reads shared memory that is not made of units");
  Value base = mapped(op.getIndex());
  Value memory = mapped(op.getMemory());
  if (!shared) {
    memory = view(memory, kAccessBytes);
    base = toUnits(base, kAccessBytes);
  }
  for (auto [v, result] : llvm::enumerate(op.getUnits())) {
    Value unit = add(lane_, int64_t(v) * lanes), valid;
    if ((int64_t(v) + 1) * lanes > units) {
      valid = b_.create<arith::CmpIOp>(arith::CmpIPredicate::slt, unit,
                                       index(units));
      unit = b_.create<arith::SelectOp>(valid, unit, index(0));
    }
    Value loaded =
        shared ? b_.create<memref::LoadOp>(memory, ValueRange{base, unit})
               : b_.create<memref::LoadOp>(memory, add(base, unit));
    if (valid)
      loaded =
          b_.create<arith::SelectOp>(valid, loaded, zero(loaded.getType()));
    mapping_.map(result, loaded);
  }
  return success();
}

LogicalResult TileDistributor::emitOp(UnitDotOp op) {
  Type i32 = b_.getI32Type();
  auto packed = spirv::PackedVectorFormatAttr::get(
      op.getContext(), spirv::PackedVectorFormat::PackedVectorFormat4x8Bit);
  Value sum = mapped(op.getSum());
  for (int32_t i = 0; i < 4; ++i) {
    auto part = [&](Value unit) -> Value {
      return b_.create<spirv::CompositeExtractOp>(mapped(unit), i);
    };
    Value product = b_.create<spirv::SDotOp>(i32, part(op.getLhs()),
                                             part(op.getRhs()), packed);
    sum = b_.create<arith::AddIOp>(sum, product);
  }
  mapping_.map(op.getResult(), sum);
  return success();
}

LogicalResult TileDistributor::emitOp(SubgroupSumOp op) {
  mapping_.map(op.getResult(),
               b_.create<spirv::GroupNonUniformIAddOp>(
                   b_.getI32Type(), spirv::Scope::Subgroup,
                   spirv::GroupOperation::Reduce, mapped(op.getValue()),
                   /*cluster_size=*/Value()));
  return success();
}
