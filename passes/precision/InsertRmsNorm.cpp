//===- InsertRmsNorm.cpp - a norm before every recurrent layer -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/Passes.h"
#include "passes/precision/RecurrentLayers.h"
#include "passes/precision/WeightValues.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <format>
#include <map>

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace rung {
#define GEN_PASS_DEF_INSERTRMSNORM
#include "passes/Passes.h.inc"
} // namespace rung

namespace {
struct InsertRmsNorm : rung::impl::InsertRmsNormBase<InsertRmsNorm> {
  using InsertRmsNormBase::InsertRmsNormBase;
  void runOnOperation() override;

private:
  LogicalResult checkOptions(ArrayRef<Operation *> all);
  bool isMeant(Operation *layer) const {
    return layers.empty() || llvm::is_contained(layers, "all") ||
           llvm::is_contained(layers, layerName(layer));
  }
  LogicalResult runOnLayer(Operation *layer);
  Value normalize(Operation *layer, Value input);

  /// What was made of an input for a layer; its two directions share it.
  std::map<std::pair<std::string, void *>, Value> made_;
};
} // namespace

/// Whether \p input is normalized already, and perhaps rounded since.
static bool isNormalized(Value input) {
  while (auto rounding = input.getDefiningOp<CastOp>())
    input = rounding.getInput();
  return input.getDefiningOp<RmsNormOp>();
}

/// The operands that the input of \p layer comes by: its own, or after
/// rnn-expand-cells those of the products of all steps, which become its alone.
static FailureOr<SmallVector<OpOperand *>> inputsOf(Operation *layer) {
  if (auto gru = dyn_cast<GruOp>(layer))
    return SmallVector<OpOperand *>{&gru.getInputMutable()};
  SmallVector<OpOperand *> inputs;
  for (OpOperand &sequence : cast<RecurrenceOp>(layer).getSequencesMutable()) {
    auto linear = sequence.get().getDefiningOp<LinearOp>();
    if (!linear)
      return layer->emitError("layer '")
             << layerName(layer) << "' takes a sequence that is no product of "
             << "an input; there is no place for a norm before it";
    if (!linear->hasOneUse() && !isNormalized(linear.getInput())) {
      linear = cast<LinearOp>(OpBuilder(linear).clone(*linear));
      sequence.set(linear.getResult());
    }
    inputs.push_back(&linear.getInputMutable());
  }
  return inputs;
}

LogicalResult InsertRmsNorm::checkOptions(ArrayRef<Operation *> all) {
  if (!(epsilon >= 0) || !std::isfinite(epsilon))
    return getOperation().emitError("epsilon is ")
           << std::format("{:g}", double(epsilon))
           << "; rnn.rms_norm takes a finite one that is not negative";
  SmallVector<std::string> names;
  for (Operation *layer : all)
    names.push_back(layerName(layer));
  for (const std::string &name : layers)
    if (name != "all" && !llvm::is_contained(names, name))
      return getOperation().emitError("layer '")
             << name << "' is none of the recurrent layers"
             << (names.empty() ? "; there are none"
                               : ", '" + llvm::join(names, "', '") + "'");
  return success();
}

Value InsertRmsNorm::normalize(Operation *layer, Value input) {
  Value &result = made_[{layerName(layer), input.getAsOpaquePointer()}];
  if (result)
    return result;
  int64_t width = cast<RankedTensorType>(input.getType()).getShape().back();
  WeightOp scale = createWeight(getOperation(), layer->getLoc(),
                                layerName(layer) + ".rms_norm.scale", {width},
                                std::vector<float>(width, 1.0f));
  OpBuilder builder(layer->getContext());
  builder.setInsertionPointAfterValue(input);
  Value ones = loadWeight(builder, scale);
  result = RmsNormOp::create(builder, layer->getLoc(), input, ones,
                             builder.getF64FloatAttr(epsilon));
  return result;
}

LogicalResult InsertRmsNorm::runOnLayer(Operation *layer) {
  FailureOr<SmallVector<OpOperand *>> inputs = inputsOf(layer);
  if (failed(inputs))
    return failure();
  llvm::SetVector<Value> changed;
  for (OpOperand *operand : *inputs) {
    Value input = operand->get();
    if (isNormalized(input))
      continue;
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    if (!element.isF32())
      return layer->emitError("layer '")
             << layerName(layer) << "' has an input of " << element
             << "; rnn-insert-rms-norm goes before the passes that round or "
             << "convert inputs";
    operand->set(normalize(layer, input));
    changed.insert(input);
  }
  for (Value input : changed)
    layer->emitWarning("layer '")
        << layerName(layer) << "': inserts rms_norm before its input of width "
        << cast<RankedTensorType>(input.getType()).getShape().back()
        << "; this changes what the model computes, and weights trained "
        << "without it do not fit it";
  return success();
}

void InsertRmsNorm::runOnOperation() {
  made_.clear();
  SmallVector<Operation *> all = recurrentLayers(getOperation());
  if (failed(checkOptions(all)))
    return signalPassFailure();
  for (Operation *layer : all)
    if (isMeant(layer) && failed(runOnLayer(layer)))
      return signalPassFailure();
}
