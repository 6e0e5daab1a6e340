//===- RowKernel.cpp - a kernel that treats each row by itself ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/RowKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

constexpr int64_t kThreads = 64;
constexpr int64_t kRowsPerGroup = 16;

tile::LayoutAttr layoutOf(MLIRContext *context) {
  return tile::LayoutAttr::get(context, {1, kThreads, 1}, /*subgroups=*/1,
                               /*subgroupSize=*/kThreads,
                               /*cooperative=*/false);
}

} // namespace

RowKernel::RowKernel(ProgramBuilder &program, Location loc, StringRef stem,
                     Value rowsOf)
    : k(program, loc, stem, layoutOf(program.context())),
      symbol_(ProgramBuilder::rowSymbol(rowsOf)),
      rows_(k.push(ProgramBuilder::rowPush(rowsOf))) {}

void RowKernel::emit(function_ref<void(Value row)> body) {
  k.begin();
  Value first = k.mul(k.block(gpu::Dimension::x), kRowsPerGroup);
  Value end = k.b().createOrFold<arith::MinSIOp>(k.add(first, kRowsPerGroup),
                                                 k.pushed(rows_));
  thread_ = k.thread();
  auto loop = scf::ForOp::create(k.b(), first, end, k.index(1));
  k.b().setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
  auto *context = k.b().getContext();
  auto one = tile::ExtentAttr::get(context, int64_t(1));
  k.dispatch(
      {tile::ExtentAttr::get(context, symbol_, kRowsPerGroup, 1), one, one});
}

void RowKernel::forColumns(int64_t columns, function_ref<void(Value)> body) {
  auto loop =
      scf::ForOp::create(k.b(), thread_, k.index(columns), k.index(kThreads));
  OpBuilder::InsertionGuard guard(k.b());
  k.b().setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

Value RowKernel::reduce(int64_t columns, tile::Reduction kind, Value initial,
                        function_ref<Value(Value column, Value sum)> next) {
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

Value RowKernel::load(unsigned buffer, Value index) {
  return memref::LoadOp::create(k.b(), k.buffer(buffer), index);
}

void RowKernel::store(Value value, unsigned buffer, Value index) {
  memref::StoreOp::create(k.b(), value, k.buffer(buffer), index);
}

void RowKernel::once(function_ref<void()> body) {
  auto branch = scf::IfOp::create(k.b(), k.equal(thread_, k.index(0)));
  OpBuilder::InsertionGuard guard(k.b());
  k.b().setInsertionPointToStart(branch.thenBlock());
  body();
}

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

} // namespace rung
