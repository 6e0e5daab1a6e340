//===- CellPlan.cpp - what a recurrence's body consists of ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Cell.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace rung {

namespace {

/// Position of \p value among the block's arguments of one kind.
template <typename Range>
std::optional<unsigned> positionIn(Range &&arguments, Value value) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument == value)
      return i;
  return std::nullopt;
}

struct SliceSource {
  Value source;
  int64_t offset = 0; ///< Along the sliced axis: the last, or a head's rows.
};

SliceSource sliceSource(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return {value, 0};
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  return {slice.getSource(), offsets.size() == 3 ? offsets[1] : offsets[0]};
}

bool isMatrices(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 3;
}

} // namespace

FailureOr<CellPlan> CellPlan::create(rnn::RecurrenceOp op) {
  CellPlan plan;
  plan.op = op;
  plan.heads = op.getHeads();
  plan.headWidth = op.getWidth() / op.getHeads();
  auto note = [&](Value value) {
    auto [source, offset] = sliceSource(value);
    if (auto i = positionIn(op.getSequenceArguments(), source)) {
      if (!plan.isSlice(value))
        plan.slices.push_back({*i, offset, value});
    } else if (auto w = positionIn(op.getWeightArguments(), source)) {
      if (!isMatrices(value) && llvm::none_of(plan.rows, [&](WeightRow &row) {
            return row.value == value;
          }))
        plan.rows.push_back({*w, offset, value});
    }
  };
  for (Operation &step : op.getStep()) {
    if (isa<tensor::ExtractSliceOp>(step))
      continue;
    unsigned level = 0;
    for (Value operand : step.getOperands()) {
      level = std::max(level, plan.phase(operand));
      note(operand);
    }
    if (auto dot = dyn_cast<rnn::DotOp>(step)) {
      auto [source, offset] = sliceSource(dot.getWeight());
      auto weight = positionIn(op.getWeightArguments(), source);
      if (!weight)
        return dot.emitOpError("multiplies by a matrix that is not a weight of "
                               "the recurrence; kernels can't run that");
      plan.dots[dot] = {*weight, offset};
      plan.operands.insert(dot.getInput());
      ++level;
    }
    plan.phases = std::max(plan.phases, level);
    for (Value result : step.getResults())
      plan.phase_[result] = level;
  }
  return plan;
}

bool CellPlan::isSlice(Value value) const {
  return llvm::any_of(
      slices, [&](const SequenceSlice &slice) { return slice.value == value; });
}

bool CellPlan::isState(Value value) const {
  rnn::RecurrenceOp recurrence = op;
  return llvm::is_contained(recurrence.getStateArguments(), value);
}

SmallVector<Value> CellPlan::operandsOf(unsigned phase) const {
  llvm::SetVector<Value> result;
  for (rnn::DotOp dot : dotsOf(phase))
    result.insert(dot.getInput());
  return result.takeVector();
}

SmallVector<rnn::DotOp> CellPlan::dotsOf(Value operand) const {
  SmallVector<rnn::DotOp> result;
  for (auto &[dot, weight] : dots)
    if (rnn::DotOp(dot).getInput() == operand)
      result.push_back(dot);
  return result;
}

SmallVector<rnn::DotOp> CellPlan::dotsOf(unsigned phase) const {
  SmallVector<rnn::DotOp> result;
  for (auto &[dot, weight] : dots)
    if (this->phase(rnn::DotOp(dot).getResult()) == phase)
      result.push_back(dot);
  return result;
}

llvm::SetVector<Value> CellPlan::leavesOf(ArrayRef<Value> targets) const {
  llvm::SetVector<Value> leaves, seen;
  SmallVector<Value> pending(llvm::reverse(targets));
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value))
      continue;
    Operation *definition = value.getDefiningOp();
    if (!definition || isa<rnn::DotOp, tensor::ExtractSliceOp>(definition)) {
      leaves.insert(value);
      continue;
    }
    for (Value operand : llvm::reverse(definition->getOperands()))
      pending.push_back(operand);
  }
  return leaves;
}

/// Where in the packed arrays a head's part goes; rows are padded by zeros.
FailureOr<Value> packRows(ProgramBuilder &p, const CellPlan &plan,
                          int64_t columns) {
  SmallVector<tile::PieceAttr> pieces;
  rnn::RecurrenceOp op = plan.op;
  for (auto [i, row] : llvm::enumerate(plan.rows)) {
    FailureOr<WeightSource> source = findWeight(op.getWeights()[row.weight]);
    if (failed(source))
      return op.emitOpError("has weight operand ")
             << row.weight << " that is not an rnn.weight";
    pieces.push_back(tile::PieceAttr::get(
        p.context(), source->symbol, row.offset, {plan.heads, plan.headWidth},
        {plan.headWidth, 1}, int64_t(i) * plan.heads * columns, {columns, 1}));
  }
  return p.packed(Float32Type::get(p.context()),
                  plan.rows.size() * plan.heads * columns, pieces);
}

FailureOr<Value> packMatrices(ProgramBuilder &p, const CellPlan &plan,
                              int64_t columns, int64_t depth) {
  SmallVector<tile::PieceAttr> pieces;
  rnn::RecurrenceOp op = plan.op;
  int64_t index = 0, width = plan.headWidth, head = columns * depth;
  Type element;
  for (auto &[dot, matrix] : plan.dots) {
    FailureOr<WeightSource> source = findWeight(op.getWeights()[matrix.weight]);
    if (failed(source))
      return op.emitOpError("has weight operand ")
             << matrix.weight << " that is not an rnn.weight";
    Type type = getElementTypeOrSelf(rnn::DotOp(dot).getWeight());
    if (element && element != type)
      return op.emitOpError("has products of ")
             << element << " and of " << type
             << "; one kernel multiplies in one format";
    element = type;
    int64_t rows = source->type.getDimSize(1);
    pieces.push_back(tile::PieceAttr::get(
        p.context(), source->symbol, matrix.firstRow * width,
        {plan.heads, width, width}, {rows * width, width, 1},
        index++ * plan.heads * head, {head, depth, 1}));
  }
  return p.packed(element, index * plan.heads * head, pieces);
}

} // namespace rung
