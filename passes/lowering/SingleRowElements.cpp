//===- SingleRowElements.cpp - elements of a single row on demand ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ScalarBody.h"
#include "passes/lowering/SingleRowKernel.h"

#include "dialects/tile/TileWidths.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace rung {

const SingleRowKernel::Elements &SingleRowKernel::at(RowPlace place,
                                                     Scope &scope) {
  auto found = scope.known.find(place);
  if (found != scope.known.end())
    return found->second;
  Elements elements = compute(place, scope);
  return scope.known[place] = std::move(elements);
}

SingleRowKernel::Elements SingleRowKernel::compute(RowPlace place,
                                                   Scope &scope) {
  if (isLoaded(place.value) || succeeded(findWeight(place.value)))
    return load(buffers_.lookup(place.value),
                k_->add(scope.column, place.offset), scope.width);
  if (std::optional<RowPlace> next = renamed(place))
    return at(*next, scope);
  Operation *op = place.value.getDefiningOp();
  if (dotOf(op))
    return computeDot(place, scope);
  if (auto embedding = dyn_cast<rnn::EmbeddingOp>(op))
    return computeEmbedding(embedding, place.offset, scope);
  return computePointwise(op, place.offset, scope);
}

SingleRowKernel::Elements SingleRowKernel::computeDot(RowPlace place,
                                                      Scope &scope) {
  int64_t number = dots_.at(place);
  Value index = k_->add(k_->mul(thread_, int64_t(products_.size())), number);
  Value sum =
      memref::LoadOp::create(b(), sums_, ValueRange{k_->index(0), index});
  auto linear = place.value.getDefiningOp<rnn::LinearOp>();
  if (linear && linear.getBias())
    sum = arith::AddIOp::create(
        b(), sum, at({linear.getBias(), place.offset}, scope).front());
  return {sum};
}

SingleRowKernel::Elements SingleRowKernel::computeEmbedding(rnn::EmbeddingOp op,
                                                            int64_t offset,
                                                            Scope &scope) {
  auto table = cast<RankedTensorType>(op.getTable().getType());
  Scope one{k_->index(0), 1, {}};
  Value id = arith::IndexCastOp::create(b(), b().getIndexType(),
                                        at({op.getIds()}, one).front());
  Value low = k_->maximum(id, k_->index(0));
  Value bounded =
      b().createOrFold<arith::MinSIOp>(low, k_->index(table.getDimSize(0) - 1));
  Value row = k_->mul(bounded, table.getDimSize(1));
  return load(buffers_.lookup(op.getTable()),
              k_->add(row, k_->add(scope.column, offset)), scope.width);
}

SingleRowKernel::Elements
SingleRowKernel::computePointwise(Operation *op, int64_t offset, Scope &scope) {
  SmallVector<Value> operands = elementOperands(op);
  SmallVector<Elements> values;
  for (Value operand : operands)
    values.push_back(at({operand, offset}, scope));
  auto lookUp = [&](Value table, Value index) {
    return loadTable(sourceOf(table), index);
  };
  ElementContext element;
  element.loadTable = lookUp;
  Elements results;
  for (int64_t i = 0; i < scope.width; ++i) {
    IRMapping mapping;
    for (auto [operand, elements] : llvm::zip(operands, values))
      mapping.map(operand, elements[i]);
    if (auto sum = dyn_cast<rnn::AddOp>(op)) {
      Value x = mapping.lookup(sum.getLhs()), y = mapping.lookup(sum.getRhs());
      results.push_back(isa<FloatType>(x.getType())
                            ? arith::AddFOp::create(b(), x, y).getResult()
                            : arith::AddIOp::create(b(), x, y).getResult());
    } else if (auto activation = dyn_cast<rnn::ActivationOp>(op)) {
      results.push_back(
          emitScalarActivation(b(), activation.getFunction(),
                               mapping.lookup(activation.getInput())));
    } else {
      emitScalar(b(), *op, mapping, element);
      results.push_back(mapping.lookup(op->getResult(0)));
    }
  }
  return results;
}

/// Neighbours, by as few accesses as is known to be possible.
SingleRowKernel::Elements SingleRowKernel::load(unsigned buffer, Value index,
                                                int64_t width) {
  Value memory = k_->buffer(buffer);
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  if (width > 1 && tile::isWidth(width, element) &&
      tile::knownDivisor(index) % width == 0) {
    SmallVector<Type> types(width, element);
    return Elements(
        tile::ReadOp::create(b(), types, memory, index).getResults());
  }
  Elements elements;
  for (int64_t i = 0; i < width; ++i)
    elements.push_back(memref::LoadOp::create(b(), memory, k_->add(index, i)));
  return elements;
}

Value SingleRowKernel::loadTable(Value table, Value index) {
  if (Value memory = tableMemory_.lookup(table))
    return memref::LoadOp::create(b(), memory, ValueRange{k_->index(0), index});
  return memref::LoadOp::create(b(), k_->buffer(buffers_.lookup(table)), index);
}

} // namespace rung
