//===- RowKernel.cpp - a kernel that treats each row by itself ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/RowKernel.h"

#include "dialects/tile/TileWidths.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace rung {

namespace {

/// Elements that a workgroup's rows make together, about, if there are several.
constexpr int64_t kElementsPerGroup = 4096;
constexpr int64_t kMaxRowsPerGroup = 16;

/// Wide rows are spread over more threads, so that each waits for few accesses.
tile::LayoutAttr layoutOf(MLIRContext *context, int64_t columns) {
  int64_t threads = columns >= 1024 ? 256 : 64;
  return tile::LayoutAttr::get(context, {1, threads, 1}, /*subgroups=*/1,
                               /*subgroupSize=*/threads,
                               /*cooperative=*/false);
}

} // namespace

RowKernel::RowKernel(ProgramBuilder &program, Location loc, StringRef stem,
                     Value rowsOf, int64_t columns)
    : k(program, loc, stem, layoutOf(program.context(), columns)),
      symbol_(ProgramBuilder::rowSymbol(rowsOf)),
      rows_(k.push(ProgramBuilder::rowPush(rowsOf))), columns_(columns),
      divisor_(columns) {}

unsigned RowKernel::bind(Value buffer, tile::Access access) {
  elements_.push_back(
      cast<tile::BufferType>(buffer.getType()).getElementType());
  return k.bind(buffer, access);
}

int64_t RowKernel::width() {
  // The widest format decides, so that the accesses of neighbouring threads
  // leave no gaps.
  int64_t width = tile::kAccessBytes;
  for (Type element : elements_)
    width = std::min(width, tile::widestWidth(element, element, 0));
  while (width > 1 &&
         (divisor_ % width != 0 || !llvm::all_of(elements_, [&](Type element) {
            return tile::isWidth(width, element);
          })))
    width /= 2;
  return width;
}

int64_t RowKernel::rowsPerGroup() const {
  return std::clamp<int64_t>(kElementsPerGroup / columns_, 1, kMaxRowsPerGroup);
}

void RowKernel::begin(Value &first, Value &end) {
  k.begin();
  first = k.mul(k.block(gpu::Dimension::x), rowsPerGroup());
  end = k.b().createOrFold<arith::MinSIOp>(k.add(first, rowsPerGroup()),
                                           k.pushed(rows_));
  thread_ = k.thread();
}

void RowKernel::finish() {
  auto *context = k.b().getContext();
  auto one = tile::ExtentAttr::get(context, int64_t(1));
  k.dispatch(
      {tile::ExtentAttr::get(context, symbol_, rowsPerGroup(), 1), one, one});
}

void RowKernel::emit(function_ref<void(Value row)> body) {
  Value first, end;
  begin(first, end);
  auto loop = scf::ForOp::create(k.b(), first, end, k.index(1));
  k.b().setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
  finish();
}

void RowKernel::emitPointwise(function_ref<void(Value, Value)> body) {
  Value first, end;
  begin(first, end);
  Value groups = k.index(columns_ / width());
  auto loop =
      scf::ForOp::create(k.b(), thread_, k.mul(k.sub(end, first), groups),
                         k.index(k.layout().getThreads()));
  k.b().setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value row = arith::DivUIOp::create(k.b(), i, groups);
  Value group = arith::RemUIOp::create(k.b(), i, groups);
  body(k.add(first, row), k.mul(group, width()));
  finish();
}

void RowKernel::forColumns(int64_t columns, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(k.b(), thread_, k.index(columns / width()),
                                 k.index(k.layout().getThreads()));
  OpBuilder::InsertionGuard guard(k.b());
  k.b().setInsertionPointToStart(loop.getBody());
  body(k.mul(loop.getInductionVar(), width()));
}

Value RowKernel::reduce(tile::Reduction kind, Value initial,
                        function_ref<Value(Value column, Value sum)> next) {
  auto loop =
      scf::ForOp::create(k.b(), thread_, k.index(columns_ / width()),
                         k.index(k.layout().getThreads()), ValueRange{initial});
  {
    OpBuilder::InsertionGuard guard(k.b());
    k.b().setInsertionPointToStart(loop.getBody());
    Value sum =
        next(k.mul(loop.getInductionVar(), width()), loop.getRegionIterArg(0));
    scf::YieldOp::create(k.b(), sum);
  }
  return tile::ReduceOp::create(k.b(), kind, loop.getResult(0));
}

SmallVector<Value> RowKernel::load(unsigned buffer, Value index) {
  Value memory = k.buffer(buffer);
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  SmallVector<Type> types(width(), element);
  return Values(tile::ReadOp::create(k.b(), types, memory, index).getResults());
}

void RowKernel::store(ValueRange values, unsigned buffer, Value index) {
  tile::WriteOp::create(k.b(), values, k.buffer(buffer), index);
}

Value RowKernel::loadOne(unsigned buffer, Value index) {
  return memref::LoadOp::create(k.b(), k.buffer(buffer), index);
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
