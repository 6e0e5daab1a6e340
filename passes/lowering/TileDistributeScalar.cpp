//===- TileDistributeScalar.cpp - scalars, and bf16 as bits ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"

using namespace mlir;
using namespace rung::tile;

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

Value TileDistributor::index(int64_t value) {
  return b_.create<arith::ConstantIndexOp>(value);
}
Value TileDistributor::add(Value a, Value b) {
  return b_.create<arith::AddIOp>(a, b);
}
Value TileDistributor::add(Value a, int64_t b) {
  return b == 0 ? a : add(a, index(b));
}
Value TileDistributor::mul(Value a, Value b) {
  return b_.create<arith::MulIOp>(a, b);
}
Value TileDistributor::mul(Value a, int64_t b) {
  return b == 1 ? a : mul(a, index(b));
}
Value TileDistributor::zero(Type type) {
  return b_.create<arith::ConstantOp>(b_.getZeroAttr(type));
}
Value TileDistributor::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return b_.create<arith::AndIOp>(a, b);
}

void TileDistributor::guarded(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = b_.create<scf::IfOp>(condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(branch.thenBlock());
  body();
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// f32 of a bf16's bits: they are its upper half.
Value TileDistributor::widenBF16(Value bits) {
  Type i32 = b_.getI32Type();
  Value wide = b_.create<arith::ExtUIOp>(i32, bits);
  Value shift = b_.create<arith::ConstantIntOp>(16, 32);
  Value high = b_.create<arith::ShLIOp>(wide, shift);
  return b_.create<arith::BitcastOp>(b_.getF32Type(), high);
}

/// The bits of the nearest bf16, ties to even. A NaN keeps its upper bits and
/// is made quiet, since rounding could carry it into infinity.
Value TileDistributor::narrowBF16(Value number) {
  auto constant = [&](int64_t value) -> Value {
    return b_.create<arith::ConstantIntOp>(value, 32);
  };
  Value bits = b_.create<arith::BitcastOp>(b_.getI32Type(), number);
  Value high = b_.create<arith::ShRUIOp>(bits, constant(16));
  Value odd = b_.create<arith::AndIOp>(high, constant(1));
  Value bias = b_.create<arith::AddIOp>(odd, constant(0x7fff));
  Value sum = b_.create<arith::AddIOp>(bits, bias);
  Value rounded = b_.create<arith::ShRUIOp>(sum, constant(16));
  Value quiet = b_.create<arith::OrIOp>(high, constant(0x40));
  // Compared as bits: a driver may assume that no float is NaN.
  Value magnitude = b_.create<arith::AndIOp>(bits, constant(0x7fffffff));
  Value isNaN = b_.create<arith::CmpIOp>(arith::CmpIPredicate::ugt, magnitude,
                                         constant(0x7f800000));
  Value result = b_.create<arith::SelectOp>(isNaN, quiet, rounded);
  return b_.create<arith::TruncIOp>(b_.getIntegerType(16), result);
}

/// A value held in `from`'s representation, in that of `to`; both floats, or
/// integers, which keep their sign or their low bits.
Value TileDistributor::convertFloat(Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (from.isInteger())
    return to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()
               ? b_.create<arith::ExtSIOp>(to, value).getResult()
               : b_.create<arith::TruncIOp>(to, value).getResult();
  if (from.isBF16()) {
    value = widenBF16(value);
    from = b_.getF32Type();
  }
  if (to.isBF16()) {
    if (from.isF16())
      value = b_.create<arith::ExtFOp>(b_.getF32Type(), value);
    return narrowBF16(value);
  }
  if (from == to)
    return value;
  if (from.isF16())
    return b_.create<arith::ExtFOp>(to, value);
  return b_.create<arith::TruncFOp>(to, value);
}

//===----------------------------------------------------------------------===//
// Upstream's ops
//===----------------------------------------------------------------------===//

static bool touchesBF16(Operation &op) {
  auto isBF16 = [](Type type) { return type.isBF16(); };
  return llvm::any_of(op.getOperandTypes(), isBF16) ||
         llvm::any_of(op.getResultTypes(), isBF16);
}

LogicalResult TileDistributor::emitScalar(Operation &op) {
  if (op.getNumRegions() != 0)
    return op.emitOpError("can't stand in a tile.kernel");
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
    if (from.isBF16() || to.isBF16()) {
      mapping_.map(op.getResult(0),
                   convertFloat(mapped(op.getOperand(0)), from, to));
      return success();
    }
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (constant.getType().isBF16()) {
      APInt bits =
          cast<FloatAttr>(constant.getValue()).getValue().bitcastToAPInt();
      mapping_.map(constant.getResult(),
                   b_.create<arith::ConstantOp>(
                       b_.getIntegerAttr(b_.getIntegerType(16), bits)));
      return success();
    }
  if (touchesBF16(op) &&
      !isa<arith::SelectOp, memref::LoadOp, memref::StoreOp>(op))
    return op.emitOpError("has bf16 operands or results; bf16 can only be "
                          "loaded, stored, selected and converted");
  Operation *copy = b_.clone(op, mapping_);
  for (Value result : copy->getResults())
    result.setType(convertType(result.getType()));
  return success();
}
