//===- BuildGru.cpp - a gru layer as rnn.gru operations -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/FunctionBuilder.h"
#include "frontends/spec/GruWeights.h"

#include <format>

using namespace mlir;

namespace rung::spec {

/// One rnn.gru for each stacked layer, the lowest first.
Value FunctionBuilder::build(const Layer &layer, const GruLayer &gru) {
  Value x = floatInput(layer);
  if (!x)
    return {};
  if (cast<RankedTensorType>(x.getType()).getRank() != 3) {
    fail(layer.inputs[0].location,
         std::format("layer '{}' reads '{}' of type {}; 'gru' needs f32 "
                     "[T, B, N]",
                     layer.name.value, layer.inputs[0].value,
                     typeText(x.getType())));
    return {};
  }
  Value lengths;
  if (gru.lengths) {
    lengths = values_.at(gru.lengths->value);
    auto type = cast<RankedTensorType>(lengths.getType());
    if (!type.getElementType().isInteger(32) || type.getRank() != 1) {
      fail(gru.lengths->location,
           std::format("'lengths' of layer '{}' is '{}' of type {}; it must be "
                       "i32 [B]",
                       layer.name.value, gru.lengths->value, typeText(type)));
      return {};
    }
  }
  GruWeightLoader loader(table_, layer);
  for (int64_t i = 0; i < gru.layers.value && x; ++i)
    x = buildGruLayer(layer, gru, loader, i, x, lengths);
  return x;
}

static ArrayAttr activationArray(Builder &builder, ArrayRef<Attribute> given,
                                 int64_t directions) {
  SmallVector<Attribute> all(given);
  if (all.empty()) {
    MLIRContext *context = builder.getContext();
    all = {rnn::ActivationAttr::get(context, rnn::Function::Sigmoid,
                                    std::nullopt, std::nullopt),
           rnn::ActivationAttr::get(context, rnn::Function::Tanh, std::nullopt,
                                    std::nullopt)};
  }
  // Two serve both directions.
  if (directions == 2 && all.size() == 2)
    all.append({all[0], all[1]});
  return builder.getArrayAttr(all);
}

Value FunctionBuilder::buildGruLayer(const Layer &layer, const GruLayer &gru,
                                     GruWeightLoader &loader, int64_t index,
                                     Value x, Value lengths) {
  Location location = locate(layer.name);
  SmallVector<Value> inputs, recurrents, inputBiases, recurrentBiases, initial;
  for (int64_t d = 0; d < gru.directions(); ++d) {
    bool reverse = d == 1 || gru.direction == Direction::Reverse;
    auto weights = loader.load(index, reverse, widthOf(x), location);
    if (!weights)
      return {};
    inputs.push_back(load(weights->input, location));
    recurrents.push_back(load(weights->recurrent, location));
    if (weights->inputBias)
      inputBiases.push_back(load(weights->inputBias, location));
    if (weights->recurrentBias)
      recurrentBiases.push_back(load(weights->recurrentBias, location));
    initial.push_back(states_[nextState_ + static_cast<size_t>(d)].initial);
  }
  size_t count = inputs.size();
  if (inputBiases.size() % count || recurrentBiases.size() % count) {
    fail(gru.weights.location,
         std::format("one direction of layer '{}' has a bias that the other "
                     "has not",
                     layer.name.value));
    return {};
  }
  SmallVector<Attribute> activations;
  for (const Activation &activation : gru.activations) {
    auto attr = attribute(activation);
    if (!attr)
      return {};
    activations.push_back(*attr);
  }

  MLIRContext *context = builder_.getContext();
  auto type = cast<RankedTensorType>(x.getType());
  int64_t hidden = gru.hidden.value;
  auto output = RankedTensorType::get(
      {type.getDimSize(0), type.getDimSize(1), gru.directions() * hidden},
      builder_.getF32Type());
  SmallVector<Type> finals(count, initial.front().getType());
  Reset reset = gru.reset.value_or(loader.defaultReset());
  auto op = builder_.create<rnn::GruOp>(
      location, output, finals, x, inputs, recurrents, inputBiases,
      recurrentBiases, initial, lengths,
      rnn::ResetAttr::get(context, reset == Reset::Before ? rnn::Reset::Before
                                                          : rnn::Reset::After),
      rnn::UpdateAttr::get(context, gru.update == Update::Keep
                                        ? rnn::Update::Keep
                                        : rnn::Update::Take),
      rnn::DirectionAttr::get(context, gru.direction == Direction::Forward
                                           ? rnn::Direction::Forward
                                       : gru.direction == Direction::Reverse
                                           ? rnn::Direction::Reverse
                                           : rnn::Direction::Bidirectional),
      activationArray(builder_, activations, gru.directions()),
      gru.clip ? builder_.getF64FloatAttr(*gru.clip) : FloatAttr(),
      rnn::PrecisionAttr());
  for (Value final : op.getFinalStates())
    states_[nextState_++].final = final;
  return op.getOutput();
}

} // namespace rung::spec
