//===- MapKernel.cpp - a pointwise function of rows -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"
#include "passes/lowering/ScalarBody.h"

using namespace mlir;

namespace rung {

namespace {

/// Whether something reads \p weight as a row, and not as a table.
bool isRow(BlockArgument weight) {
  return llvm::any_of(weight.getUses(), [](OpOperand &use) {
    auto lookup = dyn_cast<rnn::LookupOp>(use.getOwner());
    return !lookup || &use != &lookup.getTableMutable();
  });
}

class Map {
public:
  Map(ProgramBuilder &p, rnn::MapOp op)
      : p_(p), op_(op), r_(p, op.getLoc(), "map", op.getInputs().front()) {}

  LogicalResult bind() {
    for (Value input : op_.getInputs())
      inputs_.push_back(r_.read(p_.bufferOf(input)));
    for (Value weight : op_.getWeights()) {
      auto packed = packWhole(p_, op_, weight, getElementTypeOrSelf(weight));
      if (failed(packed))
        return failure();
      weights_.push_back(r_.read(*packed));
    }
    for (auto [row, result] :
         llvm::zip(op_.getYield().getOutputs(), op_.getResults()))
      if (!result.use_empty())
        outputs_.emplace_back(row, r_.write(p_.bufferOf(result)));
    return success();
  }

  void emit() {
    r_.emit([&](Value row) {
      Value base = r_.k.mul(row, op_.getWidth());
      r_.forColumns(op_.getWidth(),
                    [&](Value c) { emitElement(c, r_.k.add(base, c)); });
    });
  }

private:
  void emitElement(Value column, Value at) {
    IRMapping mapping;
    for (auto [argument, buffer] : llvm::zip(op_.getInputArguments(), inputs_))
      mapping.map(argument, r_.load(buffer, at));
    llvm::DenseMap<Value, unsigned> tables;
    for (auto [argument, buffer] :
         llvm::zip(op_.getWeightArguments(), weights_)) {
      tables[argument] = buffer;
      if (isRow(argument))
        mapping.map(argument, r_.load(buffer, column));
    }
    auto loadTable = [&](Value table, Value index) {
      return r_.load(tables.lookup(table), index);
    };
    ElementContext element;
    element.loadTable = loadTable;
    for (Operation &op : op_.getRow().without_terminator())
      emitScalar(r_.k.b(), op, mapping, element);
    for (auto [row, buffer] : outputs_)
      r_.store(mapping.lookup(row), buffer, at);
  }

  ProgramBuilder &p_;
  rnn::MapOp op_;
  RowKernel r_;
  SmallVector<unsigned> inputs_, weights_;
  SmallVector<std::pair<Value, unsigned>> outputs_;
};

} // namespace

LogicalResult lowerMap(ProgramBuilder &p, rnn::MapOp op) {
  Map map(p, op);
  if (failed(map.bind()))
    return failure();
  map.emit();
  return success();
}

} // namespace rung
