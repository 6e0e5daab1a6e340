//===- CellPlan.cpp - what a recurrence's body consists of ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellPlan.h"

#include "passes/lowering/LoweringConfig.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

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

/// What an element is computed from, element by element.
SmallVector<Value> pointwiseOperands(Operation &op) {
  if (auto lookup = dyn_cast<rnn::LookupOp>(op))
    return {lookup.getInput()};
  return llvm::to_vector(op.getOperands());
}

} // namespace

FailureOr<CellPlan> CellPlan::create(rnn::RecurrenceOp op) {
  CellPlan plan;
  plan.op = op;
  plan.carrier = carrierOf(op);
  plan.heads = op.getHeads();
  plan.headWidth = op.getWidth() / op.getHeads();
  for (Value state : op.getStateArguments())
    if (failed(plan.checkFormat(state, "a state")))
      return failure();
  for (Operation &step : op.getStep()) {
    if (isa<tensor::ExtractSliceOp>(step))
      continue;
    if (auto dot = dyn_cast<rnn::InputDotOp>(step)) {
      if (failed(plan.addInput(dot)))
        return failure();
      continue;
    }
    unsigned level = 0;
    auto dot = dyn_cast<rnn::DotOp>(step);
    SmallVector<Value> operands =
        dot ? SmallVector<Value>{dot.getInput()} : pointwiseOperands(step);
    for (Value operand : operands) {
      level = std::max(level, plan.phase(operand));
      if (failed(plan.addOperand(operand)))
        return failure();
    }
    auto lookup = dyn_cast<rnn::LookupOp>(step);
    if ((dot && failed(plan.addDot(dot))) ||
        (lookup && failed(plan.addTable(lookup))))
      return failure();
    level += bool(dot);
    plan.phases = std::max(plan.phases, level);
    for (Value result : step.getResults())
      plan.phase_[result] = level;
  }
  plan.findNarrowed();
  return plan;
}

void CellPlan::findNarrowed() {
  for (Operation &step : op.getStep())
    if (isEdge(&step))
      for (Value result : step.getResults())
        if (!isWide(result))
          narrowed.push_back(result);
}

/// Notes a slice of a sequence or a row of a weight that the body uses.
LogicalResult CellPlan::addOperand(Value value) {
  auto [source, offset] = sliceSource(value);
  if (auto i = positionIn(op.getSequenceArguments(), source)) {
    if (isSlice(value))
      return success();
    slices.push_back({*i, offset, value});
    return checkFormat(value, "a row of a sequence");
  }
  auto weight = positionIn(op.getWeightArguments(), source);
  if (!weight ||
      llvm::any_of(rows, [&](WeightRow &row) { return row.value == value; }))
    return success();
  if (isWide(value)) {
    if (!llvm::any_of(wideRows,
                      [&](WeightRow &row) { return row.value == value; }))
      wideRows.push_back({*weight, offset, value});
    return success();
  }
  rows.push_back({*weight, offset, value});
  return checkFormat(value, "a row of a weight");
}

LogicalResult CellPlan::checkOperand(Type element) {
  if (operandType && operandType != element)
    return op.emitOpError("has products of ")
           << operandType << " and of " << element
           << "; one kernel multiplies in one format";
  operandType = element;
  return success();
}

LogicalResult CellPlan::addDot(rnn::DotOp dot) {
  auto [source, offset] = sliceSource(dot.getWeight());
  auto weight = positionIn(op.getWeightArguments(), source);
  if (!weight)
    return dot.emitOpError("multiplies by a matrix that is not a weight of "
                           "the recurrence; kernels can't run that");
  WeightMatrix matrix{*weight, offset, getElementTypeOrSelf(source)};
  if (failed(checkOperand(matrix.element)))
    return failure();
  auto found = llvm::find(matrices, matrix);
  dots[dot] = std::distance(matrices.begin(), found);
  if (found == matrices.end())
    matrices.push_back(matrix);
  operands.insert(dot.getInput());
  return checkFormat(dot.getResult(), "a product");
}

LogicalResult CellPlan::addInput(rnn::InputDotOp dot) {
  if (failed(checkOperand(getElementTypeOrSelf(dot.getWeight()))))
    return failure();
  unsigned sequence = *positionIn(op.getSequenceArguments(), dot.getInput());
  InputMatrix matrix{*positionIn(op.getWeightArguments(), dot.getWeight()),
                     int64_t(dot.getFirst())};
  auto row = llvm::find_if(
      inputs, [&](const InputRow &r) { return r.sequence == sequence; });
  if (row == inputs.end()) {
    int64_t width = dot.getInput().getType().getDimSize(0);
    inputWidth = std::max(inputWidth, width);
    inputs.push_back({sequence, width, {}});
    row = std::prev(inputs.end());
  }
  auto found = llvm::find(inputMatrices, matrix);
  row->products.push_back(
      {dot, unsigned(std::distance(inputMatrices.begin(), found))});
  if (found == inputMatrices.end())
    inputMatrices.push_back(matrix);
  return checkFormat(dot.getResult(), "a product");
}

LogicalResult CellPlan::addTable(rnn::LookupOp lookup) {
  Value table = lookup.getTable();
  auto weight = positionIn(op.getWeightArguments(), table);
  if (!weight)
    return lookup.emitOpError("looks up a value that is not a weight of the "
                              "recurrence; kernels can't run that");
  for (WeightTable &known : tables)
    if (known.value == table)
      return success();
  tables.push_back({*weight, tableEntries, table});
  tableEntries += cast<RankedTensorType>(table.getType()).getDimSize(0);
  return success();
}

/// f32 holds what comes from narrower floats; f16 and i32 hold themselves.
LogicalResult CellPlan::checkFormat(Value value, StringRef what) {
  Type type = getElementTypeOrSelf(value);
  bool widens =
      carrier.isF32() && isa<FloatType>(type) && !isState(value) &&
      !isa_and_nonnull<rnn::DotOp, rnn::InputDotOp>(value.getDefiningOp());
  bool wide =
      isWide(value) && isa_and_nonnull<rnn::InputDotOp>(value.getDefiningOp());
  if (type == carrier || widens || wide)
    return success();
  return op.emitOpError("has ")
         << what << " of " << type << " in a body of " << carrier
         << "; kernels hold rows, products and states in one format";
}

Operation *CellPlan::pointwiseDefinition(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && !isSum(value) && !isEdge(op) &&
                 !isa<rnn::DotOp, rnn::InputDotOp, tensor::ExtractSliceOp>(op)
             ? op
             : nullptr;
}

bool CellPlan::isWide(Value value) const {
  return !carrier.isF32() && getElementTypeOrSelf(value).isF32();
}

bool CellPlan::isEdge(Operation *op) const {
  auto wide = [&](Value value) { return isWide(value); };
  return !isa<rnn::YieldOp>(op) && (llvm::any_of(op->getOperands(), wide) ||
                                    llvm::any_of(op->getResults(), wide));
}

bool CellPlan::isSlice(Value value) const {
  return llvm::any_of(
      slices, [&](const SequenceSlice &slice) { return slice.value == value; });
}

bool CellPlan::isState(Value value) const {
  rnn::RecurrenceOp recurrence = op;
  return llvm::is_contained(recurrence.getStateArguments(), value);
}

bool CellPlan::isFixed(Value value) const {
  auto is = [&](const WeightRow &row) { return row.value == value; };
  return llvm::any_of(rows, is) || llvm::any_of(wideRows, is);
}

int64_t CellPlan::tableOffset(Value table) const {
  auto found = llvm::find_if(
      tables, [&](const WeightTable &each) { return each.value == table; });
  assert(found != tables.end() && "every lookup's table is in the plan");
  return found->offset;
}

SmallVector<Value> CellPlan::operandsOf(unsigned phase) const {
  llvm::SetVector<Value> result;
  for (rnn::DotOp dot : dotsOf(phase))
    result.insert(dot.getInput());
  return result.takeVector();
}

SmallVector<rnn::DotOp> CellPlan::dotsOf(Value operand) const {
  SmallVector<rnn::DotOp> result;
  for (auto &[dot, matrix] : dots)
    if (rnn::DotOp(dot).getInput() == operand)
      result.push_back(dot);
  return result;
}

SmallVector<rnn::DotOp> CellPlan::dotsOf(unsigned phase) const {
  SmallVector<rnn::DotOp> result;
  for (auto &[dot, matrix] : dots)
    if (this->phase(rnn::DotOp(dot).getResult()) == phase)
      result.push_back(dot);
  return result;
}

SmallVector<Value> CellPlan::results() const {
  rnn::YieldOp yield = rnn::RecurrenceOp(op).getYield();
  SmallVector<Value> result(yield.getOutputs());
  llvm::append_range(result, yield.getStates());
  return result;
}

llvm::SetVector<Value> CellPlan::leavesOf(ArrayRef<Value> targets) const {
  llvm::SetVector<Value> leaves, seen;
  SmallVector<Value> pending(llvm::reverse(targets));
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value))
      continue;
    Operation *definition = pointwiseDefinition(value);
    if (!definition) {
      leaves.insert(value);
      continue;
    }
    for (Value operand : llvm::reverse(pointwiseOperands(*definition)))
      pending.push_back(operand);
  }
  return leaves;
}

SmallVector<Operation *> CellPlan::operationsOf(ArrayRef<Value> targets) const {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> pending(targets);
  while (!pending.empty()) {
    Operation *op = pointwiseDefinition(pending.pop_back_val());
    if (op && needed.insert(op))
      llvm::append_range(pending, pointwiseOperands(*op));
  }
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

bool CellPlan::draws(ArrayRef<Value> targets) const {
  return llvm::any_of(operationsOf(targets),
                      [](Operation *op) { return isa<rnn::RandomOp>(op); });
}

} // namespace rung
