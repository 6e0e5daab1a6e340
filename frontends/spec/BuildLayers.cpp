//===- BuildLayers.cpp - layers around the cell as operations -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/FunctionBuilder.h"

#include <format>

using namespace mlir;

namespace rung::spec {

static std::string userText(const Layer &layer) {
  return std::format("layer '{}'", layer.name.value);
}

/// The type of `value` with another last axis, or another element type.
static RankedTensorType withWidth(Value value, int64_t width) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape, type.getElementType());
}

Value FunctionBuilder::floatInput(const Layer &layer) {
  Value value = input(layer);
  if (cast<RankedTensorType>(value.getType()).getElementType().isF32())
    return value;
  fail(layer.inputs[0].location,
       std::format("layer '{}' reads '{}' of type {}; '{}' needs f32",
                   layer.name.value, layer.inputs[0].value,
                   typeText(value.getType()), layer.op.value));
  return {};
}

/// The shape of `tensor` where it is not what `needed` says.
static std::string shapeMessage(const safetensors::Tensor &tensor,
                                const Layer &layer, const std::string &needed) {
  return std::format("tensor '{}' of '{}' has shape {}; layer '{}' needs {}",
                     tensor.name, tensor.file,
                     safetensors::shapeText(tensor.shape), layer.name.value,
                     needed);
}

/// A tensor with no elements can't be computed with.
static bool isEmpty(const safetensors::Tensor &tensor) {
  return tensor.elementCount() == 0;
}

Value FunctionBuilder::build(const Layer &layer,
                             const EmbeddingLayer &embedding) {
  Value ids = input(layer);
  auto type = cast<RankedTensorType>(ids.getType());
  if (!type.getElementType().isInteger(32) || type.getRank() != 2) {
    fail(layer.inputs[0].location,
         std::format("layer '{}' reads '{}' of type {}; 'embedding' needs i32 "
                     "[T, B]",
                     layer.name.value, layer.inputs[0].value, typeText(type)));
    return {};
  }
  const auto *tensor = table_.find(embedding.weight, userText(layer));
  if (!tensor)
    return {};
  if (tensor->shape.size() != 2 || isEmpty(*tensor)) {
    fail(embedding.weight.location,
         shapeMessage(*tensor, layer, "[rows, width]"));
    return {};
  }
  Location location = locate(layer.name);
  auto weight = table_.addPlain(*tensor, /*transposed=*/false,
                                embedding.weight.location, location);
  if (!weight)
    return {};
  int64_t rows = tensor->shape[0];
  int64_t &least =
      tableRows_.try_emplace(layer.inputs[0].value, rows).first->second;
  least = std::min(least, rows);
  auto result = RankedTensorType::get(
      {ShapedType::kDynamic, ShapedType::kDynamic, tensor->shape[1]},
      builder_.getF32Type());
  return builder_.create<rnn::EmbeddingOp>(location, result, ids,
                                           load(weight, location));
}

Value FunctionBuilder::build(const Layer &layer, const LinearLayer &linear) {
  Value x = floatInput(layer);
  const auto *tensor =
      x ? table_.find(linear.weight, userText(layer)) : nullptr;
  if (!tensor)
    return {};
  int64_t width = widthOf(x);
  size_t inputAxis = linear.transposed ? 0 : 1;
  if (tensor->shape.size() != 2 || isEmpty(*tensor) ||
      tensor->shape[inputAxis] != width) {
    fail(linear.weight.location,
         shapeMessage(*tensor, layer,
                      std::format("[{}] for its input of type {}",
                                  linear.transposed
                                      ? std::format("{}, outputs", width)
                                      : std::format("outputs, {}", width),
                                  typeText(x.getType()))));
    return {};
  }
  int64_t outputs = tensor->shape[1 - inputAxis];
  Location location = locate(layer.name);
  auto weight = table_.addPlain(*tensor, linear.transposed,
                                linear.weight.location, location);
  if (!weight)
    return {};
  Value bias;
  if (linear.bias) {
    const auto *biasTensor = table_.find(*linear.bias, userText(layer));
    if (!biasTensor)
      return {};
    if (biasTensor->shape != std::vector<int64_t>{outputs}) {
      fail(linear.bias->location,
           shapeMessage(*biasTensor, layer, std::format("[{}]", outputs)));
      return {};
    }
    auto biasWeight =
        table_.addPlain(*biasTensor, false, linear.bias->location, location);
    if (!biasWeight)
      return {};
    bias = load(biasWeight, location);
  }
  Value loaded = load(weight, location);
  return builder_.create<rnn::LinearOp>(location, withWidth(x, outputs), x,
                                        loaded, bias, rnn::PrecisionAttr());
}

Value FunctionBuilder::build(const Layer &layer, const RmsNormLayer &norm) {
  Value x = floatInput(layer);
  const auto *tensor = x ? table_.find(norm.weight, userText(layer)) : nullptr;
  if (!tensor)
    return {};
  if (tensor->shape != std::vector<int64_t>{widthOf(x)}) {
    fail(norm.weight.location,
         shapeMessage(*tensor, layer,
                      std::format("[{}] for its input of type {}", widthOf(x),
                                  typeText(x.getType()))));
    return {};
  }
  Location location = locate(layer.name);
  auto weight = table_.addPlain(*tensor, false, norm.weight.location, location);
  if (!weight)
    return {};
  return builder_.create<rnn::RmsNormOp>(
      location, x.getType(), x, load(weight, location),
      builder_.getF64FloatAttr(norm.epsilon));
}

std::optional<rnn::ActivationAttr>
FunctionBuilder::attribute(const Activation &activation) {
  auto function = rnn::symbolizeFunction(activation.function.value);
  if (!function) {
    fail(activation.function.location,
         std::format("activation '{}' is unknown", activation.function.value));
    return std::nullopt;
  }
  auto value = [](const std::optional<Located<double>> &parameter) {
    return parameter ? std::optional<double>(parameter->value) : std::nullopt;
  };
  return rnn::ActivationAttr::get(module_.getContext(), *function,
                                  value(activation.alpha),
                                  value(activation.beta));
}

Value FunctionBuilder::build(const Layer &layer,
                             const ActivationLayer &activation) {
  Value x = floatInput(layer);
  auto function = x ? attribute(activation.activation) : std::nullopt;
  if (!function)
    return {};
  return builder_.create<rnn::ActivationOp>(locate(layer.name), x.getType(), x,
                                            *function);
}

Value FunctionBuilder::build(const Layer &layer, const SoftmaxLayer &) {
  Value x = floatInput(layer);
  if (!x)
    return {};
  return builder_.create<rnn::SoftmaxOp>(locate(layer.name), x.getType(), x);
}

Value FunctionBuilder::build(const Layer &layer, const ArgmaxLayer &) {
  Value x = floatInput(layer);
  if (!x)
    return {};
  auto type = cast<RankedTensorType>(x.getType());
  classes_[layer.name.value] = widthOf(x);
  return builder_.create<rnn::ArgmaxOp>(
      locate(layer.name),
      RankedTensorType::get(type.getShape().drop_back(), builder_.getI32Type()),
      x);
}

Value FunctionBuilder::build(const Layer &layer, const AddLayer &) {
  Value a = floatInput(layer);
  Value b = input(layer, 1);
  if (!a)
    return {};
  if (a.getType() != b.getType()) {
    fail(layer.inputs[1].location,
         std::format("layer '{}' adds '{}' of type {} and '{}' of type {}; "
                     "both must be of one type",
                     layer.name.value, layer.inputs[0].value,
                     typeText(a.getType()), layer.inputs[1].value,
                     typeText(b.getType())));
    return {};
  }
  return builder_.create<rnn::AddOp>(locate(layer.name), a.getType(), a, b);
}

Value FunctionBuilder::build(const Layer &layer, const ConcatLayer &) {
  Value first = floatInput(layer);
  if (!first)
    return {};
  SmallVector<Value> inputs;
  int64_t width = 0;
  for (size_t i = 0; i < layer.inputs.size(); ++i) {
    Value value = input(layer, i);
    if (withWidth(value, 1) != withWidth(first, 1)) {
      fail(layer.inputs[i].location,
           std::format("layer '{}' joins '{}' of type {} and '{}' of type {}; "
                       "they may differ in the last size only",
                       layer.name.value, layer.inputs[0].value,
                       typeText(first.getType()), layer.inputs[i].value,
                       typeText(value.getType())));
      return {};
    }
    inputs.push_back(value);
    width += widthOf(value);
  }
  if (width > kMaxWidth) {
    fail(layer.name.location, std::format("layer '{}' is {} wide, more than {}",
                                          layer.name.value, width, kMaxWidth));
    return {};
  }
  return builder_.create<rnn::ConcatOp>(locate(layer.name),
                                        withWidth(first, width), inputs);
}

} // namespace rung::spec
