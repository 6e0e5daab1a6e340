//===- RecurrentLayers.cpp - layers and their matrices -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/RecurrentLayers.h"

#include "passes/precision/WeightValues.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {

std::string layerName(Operation *layer) {
  if (auto name = layer->getLoc()->findInstanceOf<NameLoc>())
    return name.getName().str();
  for (RecurrentWeight &weight : recurrentWeights(layer))
    if (weight.weight)
      return weight.weight.getSymName().str();
  return layer->getName().getStringRef().str();
}

SmallVector<Operation *> recurrentLayers(ModuleOp module) {
  SmallVector<Operation *> layers;
  module.walk([&](Operation *op) {
    if (isa<GruOp, RecurrenceOp>(op))
      layers.push_back(op);
  });
  return layers;
}

static RecurrentWeight describe(OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  return {&operand,           loadedWeight(operand.get()), type.getDimSize(0),
          type.getDimSize(1), type.getDimSize(2),          {}};
}

static SmallVector<RecurrentWeight> weightsOf(GruOp gru) {
  SmallVector<RecurrentWeight> weights;
  for (auto [index, operand] : llvm::enumerate(gru.getRecurrentMutable())) {
    RecurrentWeight weight = describe(operand);
    std::string prefix;
    if (gru.getNumDirections() == 2)
      prefix = index == 0 ? "forward " : "backward ";
    int64_t row = 0;
    for (StringRef gate : {"update", "reset", "candidate"}) {
      weight.gates.push_back({prefix + gate.str(), row});
      row += weight.width;
    }
    weights.push_back(std::move(weight));
  }
  return weights;
}

/// The argument that \p matrix is of, and its first row there.
static std::pair<Value, int64_t> sourceOf(Value matrix) {
  if (auto slice = matrix.getDefiningOp<tensor::ExtractSliceOp>())
    return {slice.getSource(), slice.getStaticOffsets()[1]};
  return {matrix, 0};
}

static SmallVector<RecurrentWeight> weightsOf(RecurrenceOp recurrence) {
  SmallVector<RecurrentWeight> weights;
  for (auto [operand, argument] : llvm::zip(recurrence.getWeightsMutable(),
                                            recurrence.getWeightArguments())) {
    if (cast<RankedTensorType>(argument.getType()).getRank() != 3)
      continue;
    RecurrentWeight weight = describe(operand);
    for (auto [index, dot] :
         llvm::enumerate(recurrence.getStep().getOps<DotOp>())) {
      auto [source, row] = sourceOf(dot.getWeight());
      if (source != argument ||
          llvm::any_of(weight.gates, [row = row](const RecurrentGate &gate) {
            return gate.row == row;
          }))
        continue;
      weight.gates.push_back({"product " + std::to_string(index + 1), row});
    }
    if (!weight.gates.empty())
      weights.push_back(std::move(weight));
  }
  return weights;
}

SmallVector<RecurrentWeight> recurrentWeights(Operation *layer) {
  if (auto gru = dyn_cast<GruOp>(layer))
    return weightsOf(gru);
  return weightsOf(cast<RecurrenceOp>(layer));
}

FailureOr<std::vector<float>> readRecurrentWeight(Operation *layer,
                                                  const RecurrentWeight &weight,
                                                  StringRef pass) {
  WeightOp values = weight.weight;
  if (!values)
    return layer->emitError("layer '")
           << layerName(layer) << "' has a recurrent matrix that is no loaded "
           << "weight; " << pass << " goes before the passes that round or "
           << "convert weights";
  if (!values.getType().getElementType().isF32())
    return layer->emitError("layer '")
           << layerName(layer) << "' has recurrent weight '"
           << values.getSymName() << "' of "
           << values.getType().getElementType() << "; " << pass
           << " works on f32";
  return readWeight(values);
}

} // namespace rung
