//===- MapKernel.cpp - a pointwise function of rows -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"
#include "passes/lowering/ScalarBody.h"

#include "llvm/ADT/MapVector.h"

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
      : p_(p), op_(op),
        r_(p, op.getLoc(), "map", op.getInputs().front(), op.getWidth()) {}

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
    r_.emitPointwise([&](Value row, Value c) {
      emitGroup(c, r_.k.add(r_.k.mul(row, op_.getWidth()), c));
    });
  }

private:
  /// The neighbours from \p column on, at \p at in inputs and outputs.
  void emitGroup(Value column, Value at) {
    using Values = SmallVector<Value>;
    llvm::MapVector<Value, Values> loaded;
    for (auto [argument, buffer] : llvm::zip(op_.getInputArguments(), inputs_))
      loaded[argument] = r_.load(buffer, at);
    llvm::DenseMap<Value, unsigned> tables;
    for (auto [argument, buffer] :
         llvm::zip(op_.getWeightArguments(), weights_)) {
      tables[argument] = buffer;
      if (isRow(argument))
        loaded[argument] = r_.load(buffer, column);
    }
    auto loadTable = [&](Value table, Value index) {
      return r_.loadOne(tables.lookup(table), index);
    };
    ElementContext element;
    element.loadTable = loadTable;
    SmallVector<Values> results(outputs_.size());
    for (int64_t i = 0, e = r_.width(); i < e; ++i) {
      IRMapping mapping;
      for (auto &[argument, values] : loaded)
        mapping.map(argument, values[i]);
      for (Operation &op : op_.getRow().without_terminator())
        emitScalar(r_.k.b(), op, mapping, element);
      for (auto [list, output] : llvm::zip(results, outputs_))
        list.push_back(mapping.lookup(output.first));
    }
    for (auto [list, output] : llvm::zip(results, outputs_))
      r_.store(list, output.second, at);
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
