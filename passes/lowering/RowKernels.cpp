//===- RowKernels.cpp - kernels that treat each row by itself -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"
#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace rung {

namespace {

/// `value` in float format `to`.
Value convertFloat(ImplicitLocOpBuilder &b, Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (from < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, to, value);
  if (from > to.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(b, to, value);
  return arith::TruncFOp::create(
      b, to, arith::ExtFOp::create(b, b.getF32Type(), value));
}

} // namespace

LogicalResult lowerEmbedding(ProgramBuilder &p, rnn::EmbeddingOp op) {
  Type element = getElementTypeOrSelf(op.getResult());
  FailureOr<Value> table = packWhole(p, op, op.getTable(), element);
  if (failed(table))
    return failure();
  int64_t width = ProgramBuilder::rowWidth(op.getResult());
  int64_t entries =
      cast<RankedTensorType>(op.getTable().getType()).getDimSize(0);
  RowKernel r(p, op.getLoc(), "embedding", op.getResult(), width);
  unsigned ids = r.read(p.bufferOf(op.getIds())), rows = r.read(*table),
           out = r.write(p.bufferOf(op.getResult()));
  r.emitPointwise([&](Value row, Value c) {
    KernelBuilder &k = r.k;
    Value id = arith::IndexCastOp::create(k.b(), k.b().getIndexType(),
                                          r.loadOne(ids, row));
    Value low = k.maximum(id, k.index(0));
    Value bounded =
        k.b().createOrFold<arith::MinSIOp>(low, k.index(entries - 1));
    r.store(r.load(rows, k.add(k.mul(bounded, width), c)), out,
            k.add(k.mul(row, width), c));
  });
  return success();
}

LogicalResult lowerSoftmax(ProgramBuilder &p, rnn::SoftmaxOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "softmax", op.getInput(), width);
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Value base = k.mul(row, width);
    double lowest = -std::numeric_limits<float>::max();
    Value largest =
        r.reduce(tile::Reduction::Max, k.f32(lowest), [&](Value c, Value best) {
          for (Value x : r.load(in, k.add(base, c)))
            best = arith::MaximumFOp::create(b, best, x);
          return best;
        });
    auto powers = [&](Value c) {
      SmallVector<Value> values = r.load(in, k.add(base, c));
      for (Value &x : values)
        x = math::ExpOp::create(b, arith::SubFOp::create(b, x, largest));
      return values;
    };
    Value sum =
        r.reduce(tile::Reduction::Add, k.f32(0), [&](Value c, Value sum) {
          for (Value power : powers(c))
            sum = arith::AddFOp::create(b, sum, power);
          return sum;
        });
    r.forColumns(width, [&](Value c) {
      SmallVector<Value> values = powers(c);
      for (Value &power : values)
        power = arith::DivFOp::create(b, power, sum);
      r.store(values, out, k.add(base, c));
    });
  });
  return success();
}

namespace {

/// How argmax compares: floats as f32, integers as i32; both hold every value
/// of a narrower format.
struct Order {
  ImplicitLocOpBuilder &b;
  bool isFloat;

  Value lowest() {
    if (!isFloat)
      return arith::ConstantOp::create(
          b, b.getI32IntegerAttr(std::numeric_limits<int32_t>::min()));
    return arith::ConstantOp::create(
        b, b.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  }
  Value widen(Value x) {
    if (isFloat)
      return convertFloat(b, x, b.getF32Type());
    return x.getType().isInteger(32)
               ? x
               : arith::ExtSIOp::create(b, b.getI32Type(), x).getResult();
  }
  Value larger(Value x, Value y) {
    return isFloat ? arith::MaximumFOp::create(b, x, y).getResult()
                   : arith::MaxSIOp::create(b, x, y).getResult();
  }
  Value equal(Value x, Value y) {
    if (isFloat)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  }
};

} // namespace

LogicalResult lowerArgmax(ProgramBuilder &p, rnn::ArgmaxOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "argmax", op.getInput(), width);
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Order order{b, isa<FloatType>(getElementTypeOrSelf(op.getInput()))};
    Value base = k.mul(row, width);
    auto at = [&](Value c) {
      SmallVector<Value> values = r.load(in, k.add(base, c));
      for (Value &value : values)
        value = order.widen(value);
      return values;
    };
    Value largest = r.reduce(tile::Reduction::Max, order.lowest(),
                             [&](Value c, Value best) {
                               for (Value value : at(c))
                                 best = order.larger(best, value);
                               return best;
                             });
    // The lowest column that holds it; the last one if none does (NaN).
    Value last =
        arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(width - 1)));
    Value found =
        r.reduce(tile::Reduction::Min, last, [&](Value c, Value best) {
          for (auto [i, value] : llvm::enumerate(at(c))) {
            Value column = arith::IndexCastOp::create(b, b.getI32Type(),
                                                      k.add(c, int64_t(i)));
            Value lower = arith::MinSIOp::create(b, best, column);
            best = k.select(order.equal(value, largest), lower, best);
          }
          return best;
        });
    r.once([&] { r.store(found, out, row); });
  });
  return success();
}

LogicalResult lowerActivation(ProgramBuilder &p, rnn::ActivationOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "activation", op.getInput(), width);
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emitPointwise([&](Value row, Value c) {
    Value at = r.k.add(r.k.mul(row, width), c);
    SmallVector<Value> values = r.load(in, at);
    for (Value &value : values)
      value = emitScalarActivation(r.k.b(), op.getFunction(), value);
    r.store(values, out, at);
  });
  return success();
}

LogicalResult lowerAdd(ProgramBuilder &p, rnn::AddOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getResult());
  RowKernel r(p, op.getLoc(), "add", op.getResult(), width);
  unsigned lhs = r.read(p.bufferOf(op.getLhs())),
           rhs = r.read(p.bufferOf(op.getRhs())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emitPointwise([&](Value row, Value c) {
    Value at = r.k.add(r.k.mul(row, width), c);
    SmallVector<Value> values = r.load(lhs, at);
    for (auto [x, y] : llvm::zip(values, r.load(rhs, at)))
      x = isa<FloatType>(x.getType())
              ? arith::AddFOp::create(r.k.b(), x, y).getResult()
              : arith::AddIOp::create(r.k.b(), x, y).getResult();
    r.store(values, out, at);
  });
  return success();
}

LogicalResult lowerConcat(ProgramBuilder &p, rnn::ConcatOp op) {
  int64_t total = ProgramBuilder::rowWidth(op.getResult());
  RowKernel r(p, op.getLoc(), "concat", op.getResult(), total);
  SmallVector<unsigned> inputs;
  for (Value input : op.getInputs()) {
    inputs.push_back(r.read(p.bufferOf(input)));
    r.align(ProgramBuilder::rowWidth(input));
  }
  unsigned out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    int64_t offset = 0;
    for (auto [value, input] : llvm::zip(op.getInputs(), inputs)) {
      int64_t width = ProgramBuilder::rowWidth(value);
      Value from = r.k.mul(row, width);
      Value to = r.k.add(r.k.mul(row, total), offset);
      r.forColumns(width, [&, input = input](Value c) {
        r.store(r.load(input, r.k.add(from, c)), out, r.k.add(to, c));
      });
      offset += width;
    }
  });
  return success();
}

LogicalResult lowerCopy(ProgramBuilder &p, Location loc, Value source,
                        Value target) {
  int64_t width = ProgramBuilder::rowWidth(source);
  Type to = cast<tile::BufferType>(target.getType()).getElementType();
  RowKernel r(p, loc, "copy", source, width);
  unsigned in = r.read(p.bufferOf(source)), out = r.write(target);
  r.emitPointwise([&](Value row, Value c) {
    Value at = r.k.add(r.k.mul(row, width), c);
    SmallVector<Value> values = r.load(in, at);
    for (Value &value : values)
      if (isa<FloatType>(to))
        value = convertFloat(r.k.b(), value, to);
    r.store(values, out, at);
  });
  return success();
}

} // namespace rung
