//===- TileDistributePacked.cpp - a map on several elements ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A map's body on all of an invocation's elements of a block at once, operation
// by operation: operations that stand beside each other do not wait for each
// other, so that one subgroup alone can keep its processor busy. Numbers of 16
// bits go two by two, as vectors, for which devices have instructions.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/TileDistributor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rung::tile;

namespace {

bool isNarrow(Type type) {
  return type.isF16() || type.isInteger(16) || type.isInteger(1);
}

/// Whether \p op is done on two elements at once.
bool isPackable(Operation &op) {
  if (isa<arith::ConstantOp>(op))
    return isNarrow(op.getResult(0).getType());
  return OpTrait::hasElementwiseMappableTraits(&op) &&
         op.getNumResults() == 1 &&
         llvm::all_of(op.getOperandTypes(), isNarrow) &&
         llvm::all_of(op.getResultTypes(), isNarrow);
}

} // namespace

/// The value of one or two elements for a value of the region: as a vector, as
/// scalars, or both, made when they are asked for.
struct TileDistributor::ElementGroup {
  size_t size;
  llvm::DenseMap<Value, Value> packed;
  llvm::DenseMap<Value, Values> single;
};

Value TileDistributor::packedOf(ElementGroup &group, Value value) {
  Value &packed = group.packed[value];
  if (packed)
    return packed;
  Values lanes = group.single.lookup(value);
  if (lanes.empty()) // Of the outside: the same for every element.
    lanes.assign(group.size, mapped(value));
  auto type = VectorType::get({int64_t(group.size)}, lanes.front().getType());
  return packed = b_.create<spirv::CompositeConstructOp>(type, lanes);
}

Value TileDistributor::laneOf(ElementGroup &group, Value value, size_t lane) {
  Values &lanes = group.single[value];
  if (lanes.empty()) {
    Value packed = group.packed.lookup(value);
    for (size_t i = 0; i < group.size; ++i)
      lanes.push_back(packed ? b_.create<spirv::CompositeExtractOp>(
                                     packed, ArrayRef<int32_t>(int32_t(i)))
                                   .getResult()
                             : mapped(value));
  }
  return lanes[lane];
}

/// A sum, a difference or a shift by a constant of two i16 as one of a word:
/// what would go from the low half into the high one is kept out. Null for
/// other operations.
Value TileDistributor::emitInWord(Operation &op, ElementGroup &group) {
  Type type = op.getResult(0).getType(), i32 = b_.getI32Type();
  if (group.size != 2 || !type.isInteger(16))
    return {};
  auto constant = [&](uint32_t half) -> Value {
    return b_.create<arith::ConstantOp>(
        b_.getI32IntegerAttr(int32_t(half << 16 | half)));
  };
  auto word = [&](Value operand) -> Value {
    APInt value;
    if (matchPattern(operand, m_ConstantInt(&value)))
      return constant(uint32_t(value.getZExtValue()));
    return b_.create<spirv::BitcastOp>(i32, packedOf(group, operand));
  };
  auto halves = [&](Value result) -> Value {
    return b_.create<spirv::BitcastOp>(VectorType::get({2}, type), result);
  };
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    APInt by;
    if (!matchPattern(shift.getRhs(), m_ConstantInt(&by)) || by.uge(16))
      return {};
    uint32_t places = uint32_t(by.getZExtValue());
    Value moved = b_.create<arith::ShLIOp>(
        word(shift.getLhs()),
        b_.create<arith::ConstantOp>(b_.getI32IntegerAttr(int32_t(places))));
    Value kept = constant(0xffffu << places & 0xffffu);
    return halves(b_.create<arith::AndIOp>(moved, kept));
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return {};
  // The sum of all bits but the highest can't leave its half, nor, with the
  // highest bit set before it, can the difference; that bit is put right.
  Value x = word(op.getOperand(0)), y = word(op.getOperand(1));
  Value highest = constant(0x8000), others = constant(0x7fff);
  Value low = b_.create<arith::AndIOp>(y, others), result;
  Value differ = b_.create<arith::XOrIOp>(x, y);
  if (isa<arith::SubIOp>(op)) {
    Value high = b_.create<arith::OrIOp>(x, highest);
    result = b_.create<arith::SubIOp>(high, low);
    differ = b_.create<arith::XOrIOp>(differ, highest);
  } else {
    Value high = b_.create<arith::AndIOp>(x, others);
    result = b_.create<arith::AddIOp>(high, low);
  }
  Value mended = b_.create<arith::AndIOp>(differ, highest);
  return halves(b_.create<arith::XOrIOp>(result, mended));
}

/// \p op, which is packable, on vectors.
void TileDistributor::emitPacked(Operation &op, ElementGroup &group) {
  if (Value result = emitInWord(op, group)) {
    group.packed[op.getResult(0)] = result;
    return;
  }
  auto widen = [&](Type type) {
    return VectorType::get({int64_t(group.size)}, type);
  };
  Value result = op.getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = DenseElementsAttr::get(widen(constant.getType()),
                                        Attribute(constant.getValue()));
    group.packed[result] = b_.create<arith::ConstantOp>(splat);
    return;
  }
  OperationState state(op.getLoc(), op.getName());
  for (Value operand : op.getOperands())
    state.addOperands(packedOf(group, operand));
  state.addTypes(widen(result.getType()));
  state.addAttributes(op.getAttrs());
  group.packed[result] = b_.create(state)->getResult(0);
}

/// \p op on one element after the other.
LogicalResult TileDistributor::emitSingle(Operation &op, ElementGroup &group) {
  for (size_t lane = 0; lane < group.size; ++lane) {
    for (Value operand : op.getOperands())
      mapping_.map(operand, laneOf(group, operand, lane));
    if (failed(emit(op)))
      return failure();
    for (Value result : op.getResults())
      group.single[result].push_back(mapped(result));
  }
  return success();
}

/// What \p op yields for each of the elements whose operands are the entries of
/// \p operands, one list an operand; a list a result.
FailureOr<SmallVector<SmallVector<Value>>>
TileDistributor::emitTogether(MapOp op, ArrayRef<Values> operands) {
  Block &block = op.getBody().front();
  size_t count = operands.front().size();
  bool pairs = count % 2 == 0 && llvm::any_of(block, isPackable);
  SmallVector<ElementGroup> groups(pairs ? count / 2 : count);
  for (auto [g, group] : llvm::enumerate(groups)) {
    group.size = pairs ? 2 : 1;
    for (auto [argument, list] :
         llvm::zip_equal(block.getArguments(), operands))
      group.single[argument] =
          Values(ArrayRef(list).slice(g * group.size, group.size));
  }
  for (Operation &inner : block.without_terminator()) {
    b_.setLoc(inner.getLoc());
    for (ElementGroup &group : groups)
      if (pairs && isPackable(inner))
        emitPacked(inner, group);
      else if (failed(emitSingle(inner, group)))
        return failure();
  }
  SmallVector<Values> results;
  for (Value yielded : block.getTerminator()->getOperands()) {
    Values &list = results.emplace_back();
    for (ElementGroup &group : groups)
      for (size_t lane = 0; lane < group.size; ++lane)
        list.push_back(laneOf(group, yielded, lane));
  }
  return results;
}
