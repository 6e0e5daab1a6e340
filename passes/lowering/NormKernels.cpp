//===- NormKernels.cpp - rows divided by their root mean square -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/I32Builder.h"
#include "passes/lowering/IntegerScalar.h"
#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace rung {

LogicalResult lowerRmsNorm(ProgramBuilder &p, rnn::RmsNormOp op) {
  Type element = getElementTypeOrSelf(op.getResult());
  FailureOr<Value> scale = packWhole(p, op, op.getScale(), element);
  if (failed(scale))
    return failure();
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "rms_norm", op.getInput(), width);
  unsigned in = r.read(p.bufferOf(op.getInput())), weights = r.read(*scale),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Value base = k.mul(row, width);
    Value sum =
        r.reduce(tile::Reduction::Add, k.f32(0), [&](Value c, Value sum) {
          for (Value x : r.load(in, k.add(base, c)))
            sum = arith::AddFOp::create(b, sum, arith::MulFOp::create(b, x, x));
          return sum;
        });
    Value mean = arith::DivFOp::create(b, sum, k.f32(double(width)));
    Value shifted = arith::AddFOp::create(
        b, mean, k.f32(op.getEpsilon().convertToDouble()));
    Value root = math::SqrtOp::create(b, shifted);
    r.forColumns(width, [&](Value c) {
      SmallVector<Value> values = r.load(in, k.add(base, c));
      for (auto [x, weight] : llvm::zip(values, r.load(weights, c)))
        x = arith::MulFOp::create(b, arith::DivFOp::create(b, x, root), weight);
      r.store(values, out, k.add(base, c));
    });
  });
  return success();
}

namespace {

/// The row of an integer norm, as the operation defines it.
class IntegerNorm {
public:
  IntegerNorm(ImplicitLocOpBuilder &b, rnn::IntegerRmsNormOp op)
      : i_(b), op_(op) {
    int64_t width = ProgramBuilder::rowWidth(op.getInput());
    k_ = std::max<int64_t>(0, int64_t(llvm::Log2_64_Ceil(width)) - 1);
    p_ = 14 - (k_ + 1) / 2;
  }

  Value limited(Value x) {
    return i_.minSigned(i_.maxSigned(x, i_.constant(-32767)),
                        i_.constant(32767));
  }

  /// x^2 / 2^k, halves going up.
  Value square(Value x) {
    Value product = i_.b().createOrFold<arith::MulIOp>(x, x);
    if (k_ == 0)
      return product;
    return i_.shiftRight(i_.add(product, int64_t(1) << (k_ - 1)), k_);
  }

  /// From the sum of squares: the root of 2^30 and more, and by how many bits
  /// an element is shifted before it is divided by that.
  void setSum(Value sum) {
    Value v = i_.maxUnsigned(i_.add(sum, op_.getEpsilon()), i_.constant(1));
    // Fourfold until 2^30 is reached, that is, until one leading zero is left
    // or none.
    Value zeros = i_.b().createOrFold<math::CountLeadingZerosOp>(v);
    Value doublings = i_.shiftRight(zeros, 1);
    root_ = squareRoot(i_.shiftLeft(v, i_.shiftLeft(doublings, 1)));
    shift_ = i_.add(doublings, p_);
  }

  Value element(Value x, Value factor) {
    Value scaled = i_.shiftLeft(limited(x), shift_);
    Value z = i_.b().createOrFold<arith::DivSIOp>(scaled, root_);
    return emitRequantize(i_.b(), z, factor, op_.getShift());
  }

private:
  /// floor(sqrt(v)) of 2^30 <= v < 2^32: sixteen bits, the first of which is
  /// set; every other stays if the square does not exceed v.
  Value squareRoot(Value v) {
    auto &b = i_.b();
    Value one = arith::ConstantOp::create(b, b.getIndexAttr(1));
    Value first = arith::ConstantOp::create(b, b.getIndexAttr(0));
    Value end = arith::ConstantOp::create(b, b.getIndexAttr(15));
    auto loop = scf::ForOp::create(b, first, end, one,
                                   ValueRange{i_.constant(1 << 15)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value turn =
        arith::IndexCastOp::create(b, b.getI32Type(), loop.getInductionVar());
    Value bit = i_.shiftRight(i_.constant(1 << 14), turn);
    Value root = loop.getRegionIterArg(0);
    Value tried = i_.bitOr(root, bit);
    Value square = arith::MulIOp::create(b, tried, tried);
    Value fits = i_.compare(arith::CmpIPredicate::ule, square, v);
    scf::YieldOp::create(b, i_.select(fits, tried, root));
    return loop.getResult(0);
  }

  I32Builder i_;
  rnn::IntegerRmsNormOp op_;
  int64_t k_, p_;
  Value root_, shift_;
};

} // namespace

LogicalResult lowerIntegerRmsNorm(ProgramBuilder &p, rnn::IntegerRmsNormOp op) {
  auto factor =
      packWhole(p, op, op.getFactor(), getElementTypeOrSelf(op.getFactor()));
  if (failed(factor))
    return failure();
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "integer_rms_norm", op.getInput(), width);
  unsigned in = r.read(p.bufferOf(op.getInput())), factors = r.read(*factor),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    IntegerNorm norm(k.b(), op);
    Value base = k.mul(row, width);
    auto at = [&](Value c) { return r.load(in, k.add(base, c)); };
    Value zero = arith::ConstantOp::create(k.b(), k.b().getI32IntegerAttr(0));
    norm.setSum(r.reduce(tile::Reduction::Add, zero, [&](Value c, Value sum) {
      for (Value x : at(c))
        sum = k.add(sum, norm.square(norm.limited(x)));
      return sum;
    }));
    r.forColumns(width, [&](Value c) {
      SmallVector<Value> values = at(c);
      for (auto [x, factor] : llvm::zip(values, r.load(factors, c)))
        x = norm.element(x, factor);
      r.store(values, out, k.add(base, c));
    });
  });
  return success();
}

} // namespace rung
