//===- LoweringConfig.cpp - kernel decisions as attributes ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/LoweringConfig.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <vector>

using namespace mlir;

namespace rung {

StringRef toString(tiling::Strategy strategy) {
  switch (strategy) {
  case tiling::Strategy::Step:
    return "step";
  case tiling::Strategy::ResidentHead:
    return "resident-head";
  case tiling::Strategy::ResidentGrid:
    return "resident-grid";
  }
  llvm_unreachable("unknown strategy");
}

std::optional<tiling::Strategy> parseStrategy(StringRef text) {
  using tiling::Strategy;
  for (Strategy strategy :
       {Strategy::Step, Strategy::ResidentHead, Strategy::ResidentGrid})
    if (text == toString(strategy))
      return strategy;
  return std::nullopt;
}

FailureOr<tiling::Strategy> getStrategy(Operation *op) {
  auto attribute = op->getAttrOfType<StringAttr>(kStrategyAttr);
  if (!attribute)
    return op->emitOpError("has no '") << kStrategyAttr << "' attribute";
  if (auto strategy = parseStrategy(attribute.getValue()))
    return *strategy;
  return op->emitOpError("has strategy '")
         << attribute.getValue()
         << "'; there are 'step', 'resident-head' and 'resident-grid'";
}

void setStrategy(Operation *op, tiling::Strategy strategy) {
  op->setAttr(kStrategyAttr,
              StringAttr::get(op->getContext(), toString(strategy)));
}

FailureOr<TileSizes> getTiles(Operation *op) {
  auto attribute = op->getAttrOfType<DictionaryAttr>(kTilesAttr);
  if (!attribute)
    return op->emitOpError("has no '") << kTilesAttr << "' attribute";
  TileSizes tiles;
  for (auto [name, target] :
       {std::pair<StringRef, int64_t *>{"rows", &tiles.rows},
        {"columns", &tiles.columns},
        {"depth", &tiles.depth},
        {"stages", &tiles.stages}}) {
    auto value = attribute.getAs<IntegerAttr>(name);
    if (!value || value.getInt() <= 0)
      return op->emitOpError("has '")
             << kTilesAttr << "' without a positive '" << name << "'";
    *target = value.getInt();
  }
  tiles.stageWeights = attribute.contains("stage_weights");
  tiles.narrowFirst = attribute.contains("narrow_first");
  tiles.twoLoops = attribute.contains("two_loops");
  if (auto panel = attribute.getAs<IntegerAttr>("panel")) {
    if (panel.getInt() <= 0)
      return op->emitOpError("has '")
             << kTilesAttr << "' with a 'panel' of " << panel.getInt();
    tiles.panel = panel.getInt();
  }
  if (auto group = attribute.getAs<IntegerAttr>("group")) {
    if (group.getInt() <= 0)
      return op->emitOpError("has '")
             << kTilesAttr << "' with a 'group' of " << group.getInt();
    tiles.group = group.getInt();
  }
  tiles.layout = attribute.getAs<tile::LayoutAttr>("layout");
  if (!tiles.layout)
    return op->emitOpError("has '") << kTilesAttr << "' without a 'layout'";
  if (tiles.stageWeights && !tiles.layout.getCooperative())
    return op->emitOpError("has '")
           << kTilesAttr << "' with 'stage_weights' and a plain layout, whose "
           << "products read weights where they lie";
  return tiles;
}

static NamedAttrList toAttributes(MLIRContext *context, int64_t rows,
                                  int64_t columns, int64_t depth,
                                  int64_t stages,
                                  const tiling::Distribution &d) {
  Builder b(context);
  auto layout = tile::LayoutAttr::get(context, {d.m, d.n, d.k}, d.subgroups,
                                      d.subgroupSize, d.cooperative,
                                      d.subgroupRows, d.transposed);
  NamedAttrList list;
  list.set("rows", b.getI64IntegerAttr(rows));
  list.set("columns", b.getI64IntegerAttr(columns));
  list.set("depth", b.getI64IntegerAttr(depth));
  list.set("stages", b.getI64IntegerAttr(stages));
  list.set("layout", layout);
  return list;
}

void setTiles(Operation *op, const tiling::ProductTiles &tiles) {
  Builder b(op->getContext());
  NamedAttrList list =
      toAttributes(op->getContext(), tiles.rows, tiles.columns, tiles.depth,
                   /*stages=*/2, tiles.distribution);
  if (tiles.stageWeights)
    list.set("stage_weights", b.getUnitAttr());
  if (tiles.narrowFirst)
    list.set("narrow_first", b.getUnitAttr());
  if (tiles.panel != 1)
    list.set("panel", b.getI64IntegerAttr(tiles.panel));
  op->setAttr(kTilesAttr, list.getDictionary(op->getContext()));
}

void setTiles(Operation *op, const tiling::RecurrenceTiles &tiles) {
  Builder b(op->getContext());
  NamedAttrList list =
      toAttributes(op->getContext(), tiles.rows, tiles.columns, tiles.depth,
                   tiles.stages, tiles.distribution);
  if (tiles.group != 1)
    list.set("group", b.getI64IntegerAttr(tiles.group));
  if (tiles.twoLoops)
    list.set("two_loops", b.getUnitAttr());
  op->setAttr(kTilesAttr, list.getDictionary(op->getContext()));
}

tiling::Distribution toDistribution(tile::LayoutAttr layout) {
  tiling::Distribution d;
  d.cooperative = layout.getCooperative();
  d.transposed = layout.getTransposed();
  d.subgroupRows = layout.getSubgroupRows();
  d.m = layout.getM(), d.n = layout.getN(), d.k = layout.getK();
  d.subgroups = layout.getSubgroups();
  d.subgroupSize = layout.getSubgroupSize();
  return d;
}

std::optional<ScalarType> toScalarType(Type type) {
  if (type.isF32())
    return ScalarType::F32;
  if (type.isF16())
    return ScalarType::F16;
  if (type.isBF16())
    return ScalarType::BF16;
  if (type.isInteger(32))
    return ScalarType::I32;
  if (type.isInteger(8))
    return ScalarType::S8;
  return std::nullopt;
}

Value inputOf(rnn::LinearOp op, const TileSizes &tiles) {
  auto cast = op.getInput().getDefiningOp<rnn::CastOp>();
  return cast && !tiles.narrowFirst ? cast.getInput() : op.getInput();
}

tiling::ProductProblem describe(rnn::LinearOp op) {
  tiling::ProductProblem problem;
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  problem.operand = *toScalarType(weight.getElementType());
  problem.accumulate = *toScalarType(getElementTypeOrSelf(op.getResult()));
  problem.stored =
      *toScalarType(getElementTypeOrSelf(inputOf(op, TileSizes())));
  problem.inner = weight.getDimSize(1);
  problem.columns = weight.getDimSize(0);
  return problem;
}

Type carrierOf(rnn::RecurrenceOp op) {
  Type state = getElementTypeOrSelf(op.getInitial().front());
  return state.isF16() || state.isInteger(32)
             ? state
             : Type(Float32Type::get(op.getContext()));
}

StringRef forbiddenFormat(rnn::RecurrenceOp op) {
  std::optional<rnn::PrecisionAttr> precision = op.getPrecision();
  if (!precision)
    return {};
  switch (precision->getAccumulate()) {
  case rnn::Format::F16:
    return "f32";
  case rnn::Format::S32:
    return "float";
  default:
    return {};
  }
}

/// How many operands of products have the same weights and \p level, if that
/// is the same number everywhere; else 1.
static int64_t
stackOf(const llvm::MapVector<Value, SmallVector<Value>> &weightsOf,
        llvm::function_ref<int64_t(Value)> level) {
  std::map<std::pair<int64_t, std::vector<const void *>>, int64_t> stacks;
  for (auto &[operand, weights] : weightsOf) {
    std::vector<const void *> key;
    for (Value weight : weights)
      key.push_back(weight.getAsOpaquePointer());
    ++stacks[{level(operand), key}];
  }
  int64_t stack = stacks.empty() ? 1 : stacks.begin()->second;
  return llvm::all_of(stacks, [&](auto &s) { return s.second == stack; })
             ? stack
             : 1;
}

tiling::RecurrenceProblem describe(rnn::RecurrenceOp op) {
  tiling::RecurrenceProblem problem;
  problem.accumulate = *toScalarType(carrierOf(op));
  problem.heads = op.getHeads();
  problem.headWidth = op.getWidth() / op.getHeads();
  problem.hasLengths = bool(op.getLengths());
  problem.outputs = op.getOutputs().size();
  problem.states = op.getInitial().size();
  llvm::DenseSet<Value> operands, matrices, inputs;
  llvm::DenseSet<std::pair<Value, int64_t>> inputMatrices;
  llvm::DenseMap<int64_t, llvm::DenseSet<Value>> operandsOf;
  llvm::DenseMap<int64_t, int64_t> dotsOf;
  llvm::DenseMap<Value, int64_t> phase;
  llvm::MapVector<Value, SmallVector<Value>> weightsOf;
  auto sequences = op.getSequenceArguments();
  auto isWide = [carrier = carrierOf(op)](Value value) {
    return !carrier.isF32() && getElementTypeOrSelf(value).isF32();
  };
  problem.wideOutputs = llvm::any_of(op.getOutputs(), isWide);
  for (Operation &step : op.getStep()) {
    int64_t level = 0;
    for (Value operand : step.getOperands())
      level = std::max(level, phase.lookup(operand));
    if (auto dot = dyn_cast<rnn::DotOp>(step)) {
      ++level;
      ++problem.dots;
      operands.insert(dot.getInput());
      operandsOf[level].insert(dot.getInput());
      problem.phaseDots = std::max(problem.phaseDots, ++dotsOf[level]);
      matrices.insert(dot.getWeight());
      weightsOf[dot.getInput()].push_back(dot.getWeight());
      problem.operand = *toScalarType(getElementTypeOrSelf(dot.getInput()));
      problem.accumulate = *toScalarType(getElementTypeOrSelf(dot.getResult()));
    }
    problem.draws |= isa<rnn::RandomOp>(step);
    if (auto dot = dyn_cast<rnn::InputDotOp>(step)) {
      problem.operand = *toScalarType(getElementTypeOrSelf(dot.getInput()));
      inputs.insert(dot.getInput());
      inputMatrices.insert({dot.getWeight(), int64_t(dot.getFirst())});
      problem.wideInputs |= isWide(dot.getResult());
      problem.inputWidth =
          std::max(problem.inputWidth, dot.getInput().getType().getDimSize(0));
    }
    problem.phases = std::max(problem.phases, level);
    for (Value result : step.getResults())
      phase[result] = level;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(step))
      problem.slices += llvm::is_contained(sequences, slice.getSource());
  }
  for (Value sequence : sequences)
    problem.slices +=
        !sequence.use_empty() &&
        llvm::any_of(sequence.getUsers(), [](Operation *user) {
          return !isa<tensor::ExtractSliceOp, rnn::InputDotOp>(user);
        });
  problem.inputs = inputs.size();
  problem.inputMatrices = inputMatrices.size();
  problem.operands = operands.size();
  problem.matrices = matrices.size();
  problem.stack =
      stackOf(weightsOf, [&](Value operand) { return phase.lookup(operand); });
  for (auto &[level, values] : operandsOf)
    problem.phaseOperands =
        std::max(problem.phaseOperands, int64_t(values.size()));
  return problem;
}

} // namespace rung
