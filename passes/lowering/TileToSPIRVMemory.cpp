//===- TileToSPIRVMemory.cpp - shared memory and blocks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;
using namespace rung;

namespace {

struct SharedPattern : OpConversionPattern<tile::SharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::SharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto module = op->getParentOfType<spirv::ModuleOp>();
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "memory has no SPIR-V type");
    int64_t number = 0;
    for (auto global : module.getOps<spirv::GlobalVariableOp>())
      number += global.getSymName().starts_with("shared_");
    spirv::GlobalVariableOp variable;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(module.getBody());
      variable = rewriter.create<spirv::GlobalVariableOp>(
          op.getLoc(), type, ("shared_" + Twine(number)).str(),
          FlatSymbolRefAttr());
    }
    rewriter.replaceOpWithNewOp<spirv::AddressOfOp>(op, variable);
    return success();
  }
};

struct BarrierPattern : OpConversionPattern<tile::BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using Semantics = spirv::MemorySemantics;
    Semantics semantics = Semantics::AcquireRelease |
                          Semantics::WorkgroupMemory |
                          Semantics::MakeAvailable | Semantics::MakeVisible;
    if (op.getGlobal())
      semantics = semantics | Semantics::UniformMemory;
    rewriter.replaceOpWithNewOp<spirv::ControlBarrierOp>(
        op, spirv::Scope::Workgroup, spirv::Scope::Workgroup, semantics);
    return success();
  }
};

struct ReturnPattern : OpConversionPattern<tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::ReturnOp>(op);
    return success();
  }
};

Value pointerTo(TypedValue<MemRefType> memory, Value pointer,
                ValueRange indices, Location loc, const TypeConverter *types,
                OpBuilder &builder) {
  return spirv::getElementPtr(*static_cast<const SPIRVTypeConverter *>(types),
                              memory.getType(), pointer, indices, loc, builder);
}

template <typename Op> spirv::CooperativeMatrixLayoutKHR layoutOf(Op op) {
  return op.getColumnMajor() ? spirv::CooperativeMatrixLayoutKHR::ColumnMajor
                             : spirv::CooperativeMatrixLayoutKHR::RowMajor;
}

struct BlockLoadPattern : OpConversionPattern<tile::BlockLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::BlockLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = pointerTo(cast<TypedValue<MemRefType>>(op.getMemory()),
                              adaptor.getMemory(), adaptor.getIndices(),
                              op.getLoc(), getTypeConverter(), rewriter);
    if (!pointer)
      return rewriter.notifyMatchFailure(op, "no pointer to the element");
    rewriter.replaceOpWithNewOp<spirv::KHRCooperativeMatrixLoadOp>(
        op, op.getBlock().getType(), pointer, layoutOf(op), adaptor.getStride(),
        spirv::MemoryAccessAttr(), IntegerAttr());
    return success();
  }
};

struct BlockStorePattern : OpConversionPattern<tile::BlockStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::BlockStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = pointerTo(cast<TypedValue<MemRefType>>(op.getMemory()),
                              adaptor.getMemory(), adaptor.getIndices(),
                              op.getLoc(), getTypeConverter(), rewriter);
    if (!pointer)
      return rewriter.notifyMatchFailure(op, "no pointer to the element");
    rewriter.replaceOpWithNewOp<spirv::KHRCooperativeMatrixStoreOp>(
        op, pointer, adaptor.getBlock(), layoutOf(op), adaptor.getStride(),
        spirv::MemoryAccessAttr(), IntegerAttr());
    return success();
  }
};

struct BlockFillPattern : OpConversionPattern<tile::BlockFillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::BlockFillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::CompositeConstructOp>(
        op, op.getBlock().getType(), adaptor.getScalar());
    return success();
  }
};

/// At device scope, in storage buffers. Serialization writes an `or` with zero
/// as a load, and an exchange without use as a store.
struct AtomicPattern : OpConversionPattern<tile::AtomicOp> {
  using OpConversionPattern::OpConversionPattern;

  static spirv::MemorySemantics semanticsOf(tile::Order order) {
    using Semantics = spirv::MemorySemantics;
    switch (order) {
    case tile::Order::Acquire:
      return Semantics::Acquire | Semantics::UniformMemory |
             Semantics::MakeVisible;
    case tile::Order::Release:
      return Semantics::Release | Semantics::UniformMemory |
             Semantics::MakeAvailable;
    case tile::Order::Relaxed:
      break;
    }
    return Semantics::None;
  }

  LogicalResult
  matchAndRewrite(tile::AtomicOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = pointerTo(cast<TypedValue<MemRefType>>(op.getMemory()),
                              adaptor.getMemory(), adaptor.getIndex(),
                              op.getLoc(), getTypeConverter(), rewriter);
    if (!pointer)
      return rewriter.notifyMatchFailure(op, "no pointer to the element");
    spirv::MemorySemantics semantics = semanticsOf(op.getOrder());
    auto emit = [&](auto kind) {
      rewriter.replaceOpWithNewOp<decltype(kind)>(
          op, op.getOld().getType(), pointer, spirv::Scope::Device, semantics,
          adaptor.getValue());
    };
    switch (op.getKind()) {
    case tile::AtomicKind::Add:
      emit(spirv::AtomicIAddOp());
      break;
    case tile::AtomicKind::Or:
      emit(spirv::AtomicOrOp());
      break;
    case tile::AtomicKind::Exchange:
      emit(spirv::AtomicExchangeOp());
      break;
    }
    return success();
  }
};

/// The frame gives buffers and push constants as casts of SPIR-V values.
struct CastPattern : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

} // namespace

void rung::populateTileMemoryPatterns(SPIRVTypeConverter &types,
                                      RewritePatternSet &patterns) {
  patterns.add<SharedPattern, BarrierPattern, ReturnPattern, BlockLoadPattern,
               BlockStorePattern, BlockFillPattern, AtomicPattern, CastPattern>(
      types, patterns.getContext());
}
