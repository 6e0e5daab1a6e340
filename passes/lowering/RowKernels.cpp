//===- RowKernels.cpp - kernels that treat each row by itself -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A workgroup of 64 threads takes 16 rows, one after the other; its threads
// share a row's columns.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/KernelBuilder.h"
#include "passes/lowering/Kernels.h"
#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace rung {

namespace {

constexpr int64_t kThreads = 64;
constexpr int64_t kRowsPerGroup = 16;

class RowKernel {
public:
  RowKernel(ProgramBuilder &program, Location loc, StringRef stem, Value rowsOf)
      : k(program, loc, stem, layoutOf(program.context())),
        symbol_(ProgramBuilder::rowSymbol(rowsOf)),
        rows_(k.push(ProgramBuilder::rowPush(rowsOf))) {}

  unsigned read(Value buffer) { return k.bind(buffer, tile::Access::Read); }
  unsigned write(Value buffer) { return k.bind(buffer, tile::Access::Write); }

  /// Emits \p body once, for the row it is given, and the dispatch.
  void emit(llvm::function_ref<void(Value row)> body) {
    k.begin();
    Value first = k.mul(k.block(gpu::Dimension::x), kRowsPerGroup);
    Value end = k.b().createOrFold<arith::MinSIOp>(k.add(first, kRowsPerGroup),
                                                   k.pushed(rows_));
    thread_ = k.thread();
    auto loop = scf::ForOp::create(k.b(), first, end, k.index(1));
    k.b().setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
    auto one = tile::ExtentAttr::get(k.b().getContext(), int64_t(1));
    k.dispatch(
        {tile::ExtentAttr::get(k.b().getContext(), symbol_, kRowsPerGroup, 1),
         one, one});
  }

  /// Emits \p body for each of \p columns columns.
  void forColumns(int64_t columns, llvm::function_ref<void(Value)> body) {
    auto loop =
        scf::ForOp::create(k.b(), thread_, k.index(columns), k.index(kThreads));
    OpBuilder::InsertionGuard guard(k.b());
    k.b().setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  /// The reduction of \p next over a row's columns, on all threads.
  Value reduce(int64_t columns, tile::Reduction kind, Value initial,
               llvm::function_ref<Value(Value column, Value sum)> next) {
    auto loop = scf::ForOp::create(k.b(), thread_, k.index(columns),
                                   k.index(kThreads), ValueRange{initial});
    {
      OpBuilder::InsertionGuard guard(k.b());
      k.b().setInsertionPointToStart(loop.getBody());
      Value sum = next(loop.getInductionVar(), loop.getRegionIterArg(0));
      scf::YieldOp::create(k.b(), sum);
    }
    return tile::ReduceOp::create(k.b(), kind, loop.getResult(0));
  }

  Value load(unsigned buffer, Value index) {
    return memref::LoadOp::create(k.b(), k.buffer(buffer), index);
  }
  void store(Value value, unsigned buffer, Value index) {
    memref::StoreOp::create(k.b(), value, k.buffer(buffer), index);
  }
  /// For the thread that speaks for the workgroup.
  void once(llvm::function_ref<void()> body) {
    auto branch = scf::IfOp::create(k.b(), k.equal(thread_, k.index(0)));
    OpBuilder::InsertionGuard guard(k.b());
    k.b().setInsertionPointToStart(branch.thenBlock());
    body();
  }

  KernelBuilder k;

private:
  static tile::LayoutAttr layoutOf(MLIRContext *context) {
    return tile::LayoutAttr::get(context, {1, kThreads, 1}, /*subgroups=*/1,
                                 /*subgroupSize=*/kThreads,
                                 /*cooperative=*/false);
  }

  tile::Symbol symbol_;
  unsigned rows_;
  Value thread_;
};

/// A weight as it is, in the element type of \p like.
FailureOr<Value> packWhole(ProgramBuilder &p, Operation *op, Value weight,
                           Type element) {
  FailureOr<WeightSource> source = findWeight(weight);
  if (failed(source))
    return op->emitOpError("has an operand that is not a weight; kernels read "
                           "trained numbers only from weights");
  int64_t count = source->type.getNumElements();
  return p.packed(element, count,
                  tile::PieceAttr::get(p.context(), source->symbol,
                                       /*offset=*/0, {count}, {1},
                                       /*targetOffset=*/0, {1}));
}

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
  RowKernel r(p, op.getLoc(), "embedding", op.getResult());
  unsigned ids = r.read(p.bufferOf(op.getIds())), rows = r.read(*table),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    Value id = arith::IndexCastOp::create(k.b(), k.b().getIndexType(),
                                          r.load(ids, row));
    Value low = k.maximum(id, k.index(0));
    Value bounded =
        k.b().createOrFold<arith::MinSIOp>(low, k.index(entries - 1));
    Value from = k.mul(bounded, width), to = k.mul(row, width);
    r.forColumns(width, [&](Value c) {
      r.store(r.load(rows, k.add(from, c)), out, k.add(to, c));
    });
  });
  return success();
}

LogicalResult lowerRmsNorm(ProgramBuilder &p, rnn::RmsNormOp op) {
  Type element = getElementTypeOrSelf(op.getResult());
  FailureOr<Value> scale = packWhole(p, op, op.getScale(), element);
  if (failed(scale))
    return failure();
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "rms_norm", op.getInput());
  unsigned in = r.read(p.bufferOf(op.getInput())), weights = r.read(*scale),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Value base = k.mul(row, width);
    Value sum = r.reduce(width, tile::Reduction::Add, k.f32(0),
                         [&](Value c, Value sum) -> Value {
                           Value x = r.load(in, k.add(base, c));
                           Value square = arith::MulFOp::create(b, x, x);
                           return arith::AddFOp::create(b, sum, square);
                         });
    Value mean = arith::DivFOp::create(b, sum, k.f32(double(width)));
    Value shifted = arith::AddFOp::create(
        b, mean, k.f32(op.getEpsilon().convertToDouble()));
    Value root = math::SqrtOp::create(b, shifted);
    r.forColumns(width, [&](Value c) {
      Value x = r.load(in, k.add(base, c));
      Value normal = arith::DivFOp::create(b, x, root);
      r.store(arith::MulFOp::create(b, normal, r.load(weights, c)), out,
              k.add(base, c));
    });
  });
  return success();
}

LogicalResult lowerSoftmax(ProgramBuilder &p, rnn::SoftmaxOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "softmax", op.getInput());
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Value base = k.mul(row, width);
    double lowest = -std::numeric_limits<float>::max();
    Value largest = r.reduce(width, tile::Reduction::Max, k.f32(lowest),
                             [&](Value c, Value best) -> Value {
                               Value x = r.load(in, k.add(base, c));
                               return arith::MaximumFOp::create(b, best, x);
                             });
    auto power = [&](Value c) -> Value {
      Value x = r.load(in, k.add(base, c));
      return math::ExpOp::create(b, arith::SubFOp::create(b, x, largest));
    };
    Value sum = r.reduce(width, tile::Reduction::Add, k.f32(0),
                         [&](Value c, Value sum) -> Value {
                           return arith::AddFOp::create(b, sum, power(c));
                         });
    r.forColumns(width, [&](Value c) {
      r.store(arith::DivFOp::create(b, power(c), sum), out, k.add(base, c));
    });
  });
  return success();
}

LogicalResult lowerArgmax(ProgramBuilder &p, rnn::ArgmaxOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "argmax", op.getInput());
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Type i32 = b.getI32Type();
    Value base = k.mul(row, width);
    double lowest = -std::numeric_limits<float>::infinity();
    Value largest = r.reduce(width, tile::Reduction::Max, k.f32(lowest),
                             [&](Value c, Value best) -> Value {
                               Value x = r.load(in, k.add(base, c));
                               return arith::MaximumFOp::create(b, best, x);
                             });
    // The lowest column that holds it; the last one if none does (NaN).
    Value last =
        arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(width - 1)));
    Value found = r.reduce(
        width, tile::Reduction::Min, last, [&](Value c, Value best) -> Value {
          Value x = r.load(in, k.add(base, c));
          Value equal =
              arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, largest);
          Value column = arith::IndexCastOp::create(b, i32, c);
          Value lower = arith::MinSIOp::create(b, best, column);
          return k.select(equal, lower, best);
        });
    r.once([&] { r.store(found, out, row); });
  });
  return success();
}

LogicalResult lowerActivation(ProgramBuilder &p, rnn::ActivationOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getInput());
  RowKernel r(p, op.getLoc(), "activation", op.getInput());
  unsigned in = r.read(p.bufferOf(op.getInput())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    Value base = r.k.mul(row, width);
    r.forColumns(width, [&](Value c) {
      Value at = r.k.add(base, c);
      r.store(emitScalarActivation(r.k.b(), op.getFunction(), r.load(in, at)),
              out, at);
    });
  });
  return success();
}

LogicalResult lowerAdd(ProgramBuilder &p, rnn::AddOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getResult());
  RowKernel r(p, op.getLoc(), "add", op.getResult());
  unsigned lhs = r.read(p.bufferOf(op.getLhs())),
           rhs = r.read(p.bufferOf(op.getRhs())),
           out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    Value base = r.k.mul(row, width);
    r.forColumns(width, [&](Value c) {
      Value at = r.k.add(base, c);
      r.store(arith::AddFOp::create(r.k.b(), r.load(lhs, at), r.load(rhs, at)),
              out, at);
    });
  });
  return success();
}

LogicalResult lowerConcat(ProgramBuilder &p, rnn::ConcatOp op) {
  int64_t total = ProgramBuilder::rowWidth(op.getResult());
  RowKernel r(p, op.getLoc(), "concat", op.getResult());
  SmallVector<unsigned> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(r.read(p.bufferOf(input)));
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
  RowKernel r(p, loc, "copy", source);
  unsigned in = r.read(p.bufferOf(source)), out = r.write(target);
  r.emit([&](Value row) {
    Value base = r.k.mul(row, width);
    r.forColumns(width, [&](Value c) {
      Value at = r.k.add(base, c);
      Value value = r.load(in, at);
      if (isa<FloatType>(to))
        value = convertFloat(r.k.b(), value, to);
      r.store(value, out, at);
    });
  });
  return success();
}

} // namespace rung
