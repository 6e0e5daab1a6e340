//===- SingleRowPlan.cpp - which kernel computes which rows ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/SingleRowPlan.h"

#include "passes/lowering/ProgramBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rung {

namespace {

bool isWeight(Value value) { return succeeded(findWeight(value)); }

/// The value outside of a body that its argument \p argument stands for.
Value outside(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto map = dyn_cast<rnn::MapOp>(parent)) {
    unsigned inputs = map.getInputs().size();
    return number < inputs ? map.getInputs()[number]
                           : map.getWeights()[number - inputs];
  }
  auto cell = dyn_cast<rnn::RecurrenceOp>(parent);
  if (!cell)
    return {};
  unsigned sequences = cell.getSequences().size();
  if (number < sequences)
    return cell.getSequences()[number];
  number -= sequences;
  unsigned weights = cell.getWeights().size();
  return number < weights ? cell.getWeights()[number]
                          : cell.getInitial()[number - weights];
}

Value yielded(OpResult result) {
  unsigned number = result.getResultNumber();
  if (auto map = dyn_cast<rnn::MapOp>(result.getOwner()))
    return map.getYield().getOutputs()[number];
  auto cell = dyn_cast<rnn::RecurrenceOp>(result.getOwner());
  if (!cell)
    return {};
  unsigned outputs = cell.getYield().getOutputs().size();
  return number < outputs ? cell.getYield().getOutputs()[number]
                          : cell.getYield().getStates()[number - outputs];
}

bool canRun(rnn::RecurrenceOp cell) {
  return cell.getHeads() == 1 && !cell.getLengths() && !cell.getRandom();
}

} // namespace

bool SingleRowPlan::isApart(Operation *op) {
  return isa<rnn::ArgmaxOp, rnn::SoftmaxOp, rnn::RmsNormOp,
             rnn::IntegerRmsNormOp, rnn::ConcatOp>(op);
}

std::optional<RowPlace> renamed(RowPlace place) {
  if (auto argument = dyn_cast<BlockArgument>(place.value)) {
    Value value = outside(argument);
    return value ? std::optional(RowPlace{value, place.offset}) : std::nullopt;
  }
  if (Value value = yielded(cast<OpResult>(place.value)))
    return RowPlace{value, place.offset};
  if (auto slice = place.value.getDefiningOp<tensor::ExtractSliceOp>())
    return RowPlace{slice.getSource(),
                    place.offset + slice.getStaticOffsets().back()};
  return std::nullopt;
}

std::optional<RowDot> dotOf(Operation *op) {
  auto depthOf = [](Value weight) {
    return cast<RankedTensorType>(weight.getType()).getShape().back();
  };
  if (auto linear = dyn_cast_or_null<rnn::LinearOp>(op))
    return RowDot{linear.getInput(), linear.getWeight(), 0,
                  depthOf(linear.getWeight())};
  if (auto dot = dyn_cast_or_null<rnn::InputDotOp>(op))
    return RowDot{dot.getInput(), dot.getWeight(), int64_t(dot.getFirst()),
                  depthOf(dot.getWeight())};
  auto dot = dyn_cast_or_null<rnn::DotOp>(op);
  if (!dot)
    return std::nullopt;
  RowDot result{dot.getInput(), dot.getWeight(), 0, depthOf(dot.getWeight())};
  if (auto slice = dot.getWeight().getDefiningOp<tensor::ExtractSliceOp>()) {
    result.weight = slice.getSource();
    result.firstRow = slice.getStaticOffsets()[1];
  }
  return result;
}

SmallVector<Value> elementOperands(Operation *op) {
  if (auto lookup = dyn_cast<rnn::LookupOp>(op))
    return {lookup.getInput()};
  if (auto embedding = dyn_cast<rnn::EmbeddingOp>(op))
    return {embedding.getIds()};
  return SmallVector<Value>(op->getOperands());
}

std::optional<SingleRowPlan> SingleRowPlan::create(func::FuncOp function) {
  SingleRowPlan plan;
  if (!llvm::hasSingleElement(function.getBody()))
    return std::nullopt;
  bool multiplies = false;
  WalkResult walked = function.walk([&](Operation *op) {
    multiplies |= dotOf(op).has_value();
    return isa<rnn::AdvanceRandomOp, rnn::RandomOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!multiplies || walked.wasInterrupted())
    return std::nullopt;
  for (Value value : function.front().getTerminator()->getOperands()) {
    if (isa<BlockArgument>(value))
      continue;
    if (isWeight(value) || !plan.visit(value))
      return std::nullopt;
    plan.keep(value, /*read=*/false);
  }
  plan.sort();
  return plan;
}

/// Goes through all that \p value is computed from.
bool SingleRowPlan::visit(Value value) {
  if (isWeight(value) || !seen_.insert(value).second)
    return true;
  if (std::optional<RowPlace> next = renamed({value})) {
    if (auto cell = value.getDefiningOp<rnn::RecurrenceOp>();
        cell && !canRun(cell))
      return false;
    return visit(next->value);
  }
  Operation *op = value.getDefiningOp();
  return !op || visitOperation(op);
}

bool SingleRowPlan::visitOperation(Operation *op) {
  if (isApart(op)) {
    apart_.insert(op);
    for (Value operand : op->getOperands()) {
      if (isWeight(operand))
        continue;
      if (!visit(operand))
        return false;
      keep(operand, /*read=*/true);
    }
    return true;
  }
  if (std::optional<RowDot> dot = dotOf(op)) {
    Value weight = dot->weight;
    if (auto argument = dyn_cast<BlockArgument>(weight))
      weight = outside(argument);
    if (!weight || !isWeight(weight) || dot->depth % 16 != 0 ||
        !getElementTypeOrSelf(dot->operand).isInteger(8) ||
        !getElementTypeOrSelf(op->getResult(0)).isInteger(32) ||
        !visit(dot->operand))
      return false;
    if (comesFromProduct(dot->operand))
      keep(dot->operand, /*read=*/true);
    auto linear = dyn_cast<rnn::LinearOp>(op);
    return !linear || !linear.getBias() || isWeight(linear.getBias());
  }
  // What is left works on single elements.
  bool known = isa<rnn::EmbeddingOp, rnn::AddOp, rnn::ActivationOp>(op) ||
               isa<rnn::MapOp, rnn::RecurrenceOp>(op->getParentOp());
  return known && llvm::all_of(elementOperands(op),
                               [&](Value value) { return visit(value); });
}

void SingleRowPlan::keep(Value value, bool read) {
  if (isa<BlockArgument>(value) &&
      isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp()))
    return;
  kept_.insert(value);
  if (read)
    read_.insert(value);
}

bool SingleRowPlan::comesFromProduct(Value value) {
  if (isWeight(value))
    return false;
  if (auto found = fromProduct_.find(value); found != fromProduct_.end())
    return found->second;
  bool result = false;
  Operation *op = value.getDefiningOp();
  if (std::optional<RowPlace> next = renamed({value}))
    result = comesFromProduct(next->value);
  else if (op)
    result = dotOf(op) || isApart(op) ||
             llvm::any_of(elementOperands(op), [&](Value operand) {
               return comesFromProduct(operand);
             });
  return fromProduct_[value] = result;
}

/// The first level at which a kernel can compute \p value.
int64_t SingleRowPlan::level(Value value) {
  if (isWeight(value))
    return 1;
  if (auto found = levels_.find(value); found != levels_.end())
    return found->second;
  int64_t result = 1;
  Operation *op = value.getDefiningOp();
  if (std::optional<RowPlace> next = renamed({value})) {
    result = level(next->value);
  } else if (op) {
    bool behind = isApart(op);
    SmallVector<Value> operands = elementOperands(op);
    if (std::optional<RowDot> dot = dotOf(op)) {
      operands = {dot->operand};
      behind = kept_.contains(dot->operand);
    }
    for (Value operand : operands) {
      // What stands apart is done between this level and the next.
      bool apart = operand.getDefiningOp() && isApart(operand.getDefiningOp());
      result = std::max(result, level(operand) + (behind || apart));
    }
  }
  return levels_[value] = result;
}

void SingleRowPlan::sort() {
  std::map<std::pair<int64_t, int64_t>, Stage> byLevel;
  std::multimap<int64_t, Operation *> apart;
  for (Value value : kept_) {
    Operation *op = value.getDefiningOp();
    if (op && isApart(op))
      continue;
    byLevel[{level(value), ProgramBuilder::rowWidth(value)}].rows.push_back(
        value);
  }
  for (Operation *op : apart_)
    apart.emplace(level(op->getResult(0)), op);
  // An operation apart has a level of its own: it comes before the kernels of
  // that level.
  for (auto &[place, stage] : byLevel) {
    for (auto end = apart.upper_bound(place.first); apart.begin() != end;
         apart.erase(apart.begin()))
      stages.push_back({{}, apart.begin()->second});
    stages.push_back(std::move(stage));
  }
  for (auto &[level, op] : apart)
    stages.push_back({{}, op});
}

} // namespace rung
