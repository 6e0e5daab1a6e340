//===- I32Builder.cpp - arithmetic on 32-bit integers ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/I32Builder.h"

using namespace mlir;

namespace rung {

Value I32Builder::constant(int64_t value) {
  return arith::ConstantOp::create(b_, b_.getI32IntegerAttr(int32_t(value)));
}

Value I32Builder::add(Value lhs, Value rhs) {
  return b_.createOrFold<arith::AddIOp>(lhs, rhs);
}
Value I32Builder::add(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : add(lhs, constant(rhs));
}
Value I32Builder::sub(Value lhs, Value rhs) {
  return b_.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value I32Builder::shiftLeft(Value value, Value by) {
  return b_.createOrFold<arith::ShLIOp>(value, by);
}
Value I32Builder::shiftLeft(Value value, int64_t by) {
  return by == 0 ? value : shiftLeft(value, constant(by));
}
Value I32Builder::shiftRight(Value value, Value by) {
  return b_.createOrFold<arith::ShRUIOp>(value, by);
}
Value I32Builder::shiftRight(Value value, int64_t by) {
  return by == 0 ? value : shiftRight(value, constant(by));
}
Value I32Builder::shiftRightSigned(Value value, int64_t by) {
  return by == 0 ? value : b_.createOrFold<arith::ShRSIOp>(value, constant(by));
}

Value I32Builder::bitAnd(Value lhs, int64_t rhs) {
  return bitAnd(lhs, constant(rhs));
}
Value I32Builder::bitAnd(Value lhs, Value rhs) {
  return b_.createOrFold<arith::AndIOp>(lhs, rhs);
}
Value I32Builder::bitOr(Value lhs, Value rhs) {
  return b_.createOrFold<arith::OrIOp>(lhs, rhs);
}
Value I32Builder::bitXor(Value lhs, Value rhs) {
  return b_.createOrFold<arith::XOrIOp>(lhs, rhs);
}

Value I32Builder::compare(arith::CmpIPredicate predicate, Value lhs,
                          Value rhs) {
  return b_.createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
}
Value I32Builder::select(Value condition, Value yes, Value no) {
  return yes == no ? yes : b_.createOrFold<arith::SelectOp>(condition, yes, no);
}
Value I32Builder::minSigned(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MinSIOp>(lhs, rhs);
}
Value I32Builder::maxSigned(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MaxSIOp>(lhs, rhs);
}
Value I32Builder::minUnsigned(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MinUIOp>(lhs, rhs);
}
Value I32Builder::maxUnsigned(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MaxUIOp>(lhs, rhs);
}

std::pair<Value, Value> I32Builder::multiplySigned(Value lhs, Value rhs) {
  SmallVector<Value> words;
  b_.createOrFold<arith::MulSIExtendedOp>(words, lhs, rhs);
  return {words[0], words[1]};
}
std::pair<Value, Value> I32Builder::multiplyUnsigned(Value lhs, Value rhs) {
  SmallVector<Value> words;
  b_.createOrFold<arith::MulUIExtendedOp>(words, lhs, rhs);
  return {words[0], words[1]};
}

} // namespace rung
