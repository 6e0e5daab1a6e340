//===- TileToSPIRVControlFlow.cpp - loops and branches ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Upstream's patterns pass the results of scf.for and scf.if through Function
// variables, which are stored at every iteration; cooperative matrices must
// stay values. So here results are yielded by the structured op.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;
using namespace rung;

namespace {

/// Operations of a body above which a loop is to stay as it is: a driver that
/// unrolls such a one makes code that no instruction cache holds
/// (docs/performance.md, "What a step's arithmetic takes").
constexpr int kMostUnrolled = 600;

spirv::LoopControl controlOf(scf::ForOp loop) {
  int operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  return operations > kMostUnrolled ? spirv::LoopControl::DontUnroll
                                    : spirv::LoopControl::None;
}

/// entry -> header(iv, values) -> body -> continue(values) -> header
///                             -> merge, which yields the header's values
struct ForPattern : OpConversionPattern<scf::ForOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::ForOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> inits(adaptor.getInitArgs());
    SmallVector<Type> types(ValueRange(inits).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto loop = rewriter.create<spirv::LoopOp>(loc, types, controlOf(op));
    Region &region = loop.getBody();
    Block *entry = rewriter.createBlock(&region);
    Block *header = rewriter.createBlock(&region, region.end());
    BlockArgument counter =
        header->addArgument(adaptor.getLowerBound().getType(), loc);
    header->addArguments(types, locs);
    ValueRange carried = header->getArguments().drop_front();
    Block *advance = rewriter.createBlock(&region, region.end());
    advance->addArguments(types, locs);
    Block *merge = rewriter.createBlock(&region, region.end());

    // The body's block goes between header and continue block.
    Block *body = op.getBody();
    TypeConverter::SignatureConversion signature(body->getNumArguments());
    for (auto [i, argument] : llvm::enumerate(header->getArguments()))
      signature.remapInput(i, argument);
    body = rewriter.applySignatureConversion(body, signature);
    rewriter.inlineRegionBefore(op.getRegion(), advance);

    SmallVector<Value> first{adaptor.getLowerBound()};
    llvm::append_range(first, inits);
    rewriter.setInsertionPointToEnd(entry);
    rewriter.create<spirv::BranchOp>(loc, header, first);
    rewriter.setInsertionPointToEnd(header);
    Value more = rewriter.create<spirv::SLessThanOp>(
        loc, rewriter.getI1Type(), counter, adaptor.getUpperBound());
    rewriter.create<spirv::BranchConditionalOp>(loc, more, body, ValueRange(),
                                                merge, ValueRange());
    rewriter.setInsertionPointToEnd(advance);
    SmallVector<Value> next{rewriter.create<spirv::IAddOp>(
        loc, counter.getType(), counter, adaptor.getStep())};
    llvm::append_range(next, advance->getArguments());
    rewriter.create<spirv::BranchOp>(loc, header, next);
    rewriter.setInsertionPointToEnd(merge);
    rewriter.create<spirv::MergeOp>(loc, carried);
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

struct IfPattern : OpConversionPattern<scf::IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::IfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "a result has no SPIR-V type");
    auto selection = rewriter.create<spirv::SelectionOp>(
        loc, types, spirv::SelectionControl::None);
    Region &region = selection.getBody();
    Block *header = rewriter.createBlock(&region);
    Block *merge = rewriter.createBlock(&region, region.end());
    merge->addArguments(types, SmallVector<Location>(types.size(), loc));
    Block *yes = op.thenBlock(), *no = merge;
    rewriter.inlineRegionBefore(op.getThenRegion(), merge);
    if (op.elseBlock()) {
      no = op.elseBlock();
      rewriter.inlineRegionBefore(op.getElseRegion(), merge);
    }
    rewriter.setInsertionPointToEnd(header);
    rewriter.create<spirv::BranchConditionalOp>(
        loc, adaptor.getCondition(), yes, ValueRange(), no, ValueRange());
    rewriter.setInsertionPointToEnd(merge);
    rewriter.create<spirv::MergeOp>(loc, merge->getArguments());
    rewriter.replaceOp(op, selection.getResults());
    return success();
  }
};

/// entry -> header(values), the loop's first region -> body -> continue(values)
///                                                -> merge        -> header
/// The first region must be one block, and stay one: no branch or loop in it.
struct WhilePattern : OpConversionPattern<scf::WhileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::WhileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> results, carried;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "a result has no SPIR-V type");
    llvm::append_range(carried, ValueRange(adaptor.getInits()).getTypes());
    auto loop =
        rewriter.create<spirv::LoopOp>(loc, results, spirv::LoopControl::None);
    Region &region = loop.getBody();
    Block *entry = rewriter.createBlock(&region);
    Block *advance =
        rewriter.createBlock(&region, region.end(), carried,
                             SmallVector<Location>(carried.size(), loc));
    rewriter.createBlock(&region, region.end());
    auto place = [&](Region &from) {
      Block *block = &from.front();
      TypeConverter::SignatureConversion signature(block->getNumArguments());
      for (auto [i, type] : llvm::enumerate(block->getArgumentTypes()))
        signature.addInputs(i, getTypeConverter()->convertType(type));
      block = rewriter.applySignatureConversion(block, signature);
      rewriter.inlineRegionBefore(from, advance);
      return block;
    };
    Block *header = place(op.getBefore());
    place(op.getAfter());
    rewriter.setInsertionPointToEnd(entry);
    rewriter.create<spirv::BranchOp>(loc, header, adaptor.getInits());
    rewriter.setInsertionPointToEnd(advance);
    rewriter.create<spirv::BranchOp>(loc, header, advance->getArguments());
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

/// Ends the header of a loop that WhilePattern has made.
struct ConditionPattern : OpConversionPattern<scf::ConditionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::ConditionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto loop = dyn_cast<spirv::LoopOp>(op->getParentOp());
    if (!loop)
      return rewriter.notifyMatchFailure(op, "parent is not converted yet");
    Block *body = op->getBlock()->getNextNode();
    Block *merge = &loop.getBody().back();
    rewriter.setInsertionPointToEnd(merge);
    rewriter.create<spirv::MergeOp>(op.getLoc(), adaptor.getArgs());
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<spirv::BranchConditionalOp>(
        op, adaptor.getCondition(), body, adaptor.getArgs(), merge,
        ValueRange());
    return success();
  }
};

/// Parents are converted first, so that a yield finds itself in the new op.
struct YieldPattern : OpConversionPattern<scf::YieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::YieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block *target = nullptr;
    if (auto loop = dyn_cast<spirv::LoopOp>(op->getParentOp()))
      target = loop.getContinueBlock();
    else if (auto branch = dyn_cast<spirv::SelectionOp>(op->getParentOp()))
      target = branch.getMergeBlock();
    else
      return rewriter.notifyMatchFailure(op, "parent is not converted yet");
    rewriter.replaceOpWithNewOp<spirv::BranchOp>(op, target,
                                                 adaptor.getOperands());
    return success();
  }
};

} // namespace

void rung::populateTileControlFlowPatterns(SPIRVTypeConverter &types,
                                           RewritePatternSet &patterns) {
  patterns
      .add<ForPattern, IfPattern, WhilePattern, ConditionPattern, YieldPattern>(
          types, patterns.getContext());
}
