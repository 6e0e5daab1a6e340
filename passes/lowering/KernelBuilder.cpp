//===- KernelBuilder.cpp - one kernel and its dispatch --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/KernelBuilder.h"

#include "compiler/tiling/Tiles.h"
#include "passes/lowering/LoweringConfig.h"

using namespace mlir;

namespace rung {

KernelBuilder::KernelBuilder(ProgramBuilder &program, Location loc,
                             StringRef stem, tile::LayoutAttr layout)
    : program_(program), name_(program.kernelName(stem)), layout_(layout),
      b_(loc, program.context()) {}

unsigned KernelBuilder::bind(Value buffer, tile::Access access) {
  for (auto [i, bound] : llvm::enumerate(buffers_))
    if (bound == buffer) {
      if (access_[i] != access)
        access_[i] = tile::Access::ReadWrite;
      return i;
    }
  buffers_.push_back(buffer);
  access_.push_back(access);
  return buffers_.size() - 1;
}

unsigned KernelBuilder::push(tile::PushAttr value) {
  pushes_.push_back(value);
  return pushes_.size() - 1;
}

unsigned KernelBuilder::push(tile::PushKind kind) {
  return push(tile::PushAttr::get(b_.getContext(), kind, /*value=*/0));
}

void KernelBuilder::begin() {
  b_.setInsertionPoint(program_.function());
  SmallVector<Type> elements;
  for (Value buffer : buffers_)
    elements.push_back(
        cast<tile::BufferType>(buffer.getType()).getElementType());
  kernel_ = tile::KernelOp::create(b_, name_, layout_, elements, access_,
                                   int64_t(pushes_.size()));
  b_.setInsertionPointToStart(&kernel_.getBody());
}

void KernelBuilder::dispatch(std::array<tile::ExtentAttr, 3> groups,
                             OpBuilder *host) {
  b_.setInsertionPointToEnd(&kernel_.getBody());
  tile::ReturnOp::create(b_);
  tile::DispatchOp::create(host ? *host : program_.host(), b_.getLoc(), name_,
                           groups, buffers_, pushes_);
}

Value KernelBuilder::block(gpu::Dimension dimension) {
  return gpu::BlockIdOp::create(b_, dimension);
}

Value KernelBuilder::thread() {
  return gpu::ThreadIdOp::create(b_, gpu::Dimension::x);
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantOp::create(b_, b_.getIndexAttr(value));
}

Value KernelBuilder::f32(double value) {
  return arith::ConstantOp::create(b_, b_.getF32FloatAttr(float(value)));
}

Value KernelBuilder::indicator(Value condition, Type type) {
  auto constant = [&](int64_t value) -> Value {
    TypedAttr attribute = b_.getZeroAttr(type);
    if (value != 0)
      attribute = b_.getOneAttr(type);
    return arith::ConstantOp::create(b_, attribute);
  };
  return select(condition, constant(1), constant(0));
}

Value KernelBuilder::number(Value index, Type type) {
  Value integer = arith::IndexCastOp::create(b_, b_.getI32Type(), index);
  return isa<FloatType>(type)
             ? arith::SIToFPOp::create(b_, type, integer).getResult()
             : integer;
}

Value KernelBuilder::add(Value lhs, Value rhs) {
  return b_.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value KernelBuilder::sub(Value lhs, Value rhs) {
  return b_.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value KernelBuilder::mul(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MulIOp>(lhs, rhs);
}

Value KernelBuilder::less(Value lhs, Value rhs) {
  return arith::CmpIOp::create(b_, arith::CmpIPredicate::slt, lhs, rhs);
}

Value KernelBuilder::equal(Value lhs, Value rhs) {
  return arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, lhs, rhs);
}

Value KernelBuilder::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b_, condition, yes, no);
}

Value KernelBuilder::maximum(Value lhs, Value rhs) {
  return b_.createOrFold<arith::MaxSIOp>(lhs, rhs);
}

Value KernelBuilder::rowBelow(Value value, Value limit) {
  return select(less(value, limit), value, index(-1));
}

Value KernelBuilder::shared(int64_t rows, int64_t columns, Type element) {
  return sharedExactly(
      rows, tiling::sharedPitch(columns, *toScalarType(element)), element);
}

Value KernelBuilder::sharedExactly(int64_t rows, int64_t pitch, Type element) {
  auto space =
      gpu::AddressSpaceAttr::get(b_.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({rows, pitch}, element, AffineMap(), space);
  return tile::SharedOp::create(b_, type);
}

} // namespace rung
