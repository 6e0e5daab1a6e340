//===- InputSource.cpp - inputs that a seed makes -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/InputSource.h"

#include "runtime/base/Half.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/RandomPort.h"
#include "tools/rung-run/TimeAxis.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace rung::tools {
namespace {

const Tensor *findGiven(const InputRecipe &recipe, const std::string &name) {
  for (const auto &[given, tensor] : recipe.given)
    if (given == name)
      return &tensor;
  return nullptr;
}

/// The upper 53 bits of a number, in [0, 1).
double unit(std::mt19937_64 &generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

std::vector<uint64_t> shapeOf(const Port &port, uint64_t steps,
                              uint64_t batch) {
  std::vector<uint64_t> shape;
  for (int64_t dim : port.dims)
    shape.push_back(dim == RUNG_DIM_T   ? steps
                    : dim == RUNG_DIM_B ? batch
                                        : static_cast<uint64_t>(dim));
  return shape;
}

Status checkGiven(const Tensor &given, const Port &port, uint64_t steps) {
  if (given.shape.size() != port.dims.size())
    return Status(StatusCode::InvalidArgument,
                  concat("input ", quote(port.name), " is ", toString(given),
                         "; ", typeName(port), " is needed"));
  std::optional<size_t> axis = timeAxis(port);
  if (axis && given.shape[*axis] < steps)
    return Status(StatusCode::InvalidArgument,
                  concat("input ", quote(port.name), " has ",
                         given.shape[*axis], " steps; --steps is ", steps));
  return Status::ok();
}

} // namespace

double NormalSource::next() {
  if (second_) {
    double value = *second_;
    second_.reset();
    return value;
  }
  double u = unit(generator_), v = unit(generator_);
  double radius = std::sqrt(-2 * std::log1p(-u));
  double angle = 2 * std::numbers::pi * v;
  second_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

std::string_view toString(InputKind kind) {
  return kind == InputKind::White ? "white" : "slow";
}

std::optional<InputKind> parseInputKind(std::string_view text) {
  for (InputKind kind : {InputKind::White, InputKind::Slow})
    if (text == toString(kind))
      return kind;
  return std::nullopt;
}

Result<InputSource::Stream> InputSource::open(size_t index) const {
  Stream stream;
  const Port &port = function_->inputs[index];
  stream.port = &port;
  stream.axis = timeAxis(port);
  stream.given = findGiven(*recipe_, port.name);
  stream.normal = NormalSource(recipe_->seed + (uint64_t(index) << 32));
  stream.tokens.seed(recipe_->seed + (uint64_t(index) << 32));
  if (holdsLengths(port))
    return Status(StatusCode::InvalidArgument,
                  concat("input ", quote(port.name), " holds the rows' ",
                         "lengths; all rows must have all steps"));
  if (!stream.given && port.type == ScalarType::I32 && recipe_->tokens == 0)
    return Status(StatusCode::InvalidArgument,
                  concat("input ", quote(port.name), " takes tokens, and the ",
                         "bundle does not say how many there are; --tokens "
                         "does"));
  return stream;
}

Result<InputSource> InputSource::make(const Function &function,
                                      const InputRecipe &recipe,
                                      uint64_t steps) {
  InputSource source(function, recipe);
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    if (function.inputs[i].isState())
      continue;
    RUNG_ASSIGN_OR_RETURN(Stream stream, source.open(i));
    if (stream.given)
      RUNG_RETURN_IF_ERROR(checkGiven(*stream.given, *stream.port, steps));
    else if (!stream.axis)
      stream.constant = source.draw(stream, 1);
    source.streams_.push_back(std::move(stream));
  }
  return source;
}

NamedTensors InputSource::firstStates() const {
  NamedTensors states;
  for (const StateLink &link : function_->states) {
    const Port &port = function_->inputs[link.input];
    if (const Tensor *given = findGiven(*recipe_, port.name))
      states.emplace_back(port.name, *given);
    else if (&port == findRandomPort(*function_))
      states.emplace_back(port.name,
                          randomState(recipe_->seed, recipe_->batch));
  }
  return states;
}

void InputSource::drawNormal(Stream &stream, Tensor &tensor,
                             uint64_t steps) const {
  const uint64_t row = tensor.elementCount() / steps;
  const double memory = recipe_->kind == InputKind::Slow ? recipe_->memory : 0;
  const double share = std::sqrt(1 - memory * memory);
  auto values = tensor.values<double>();
  for (uint64_t i = 0; i < values.size(); ++i) {
    double value = stream.normal.next();
    if (stream.last.size() < row)
      stream.last.push_back(value);
    else
      stream.last[i % row] = memory * stream.last[i % row] + share * value;
    float rounded = fromBFloat16(toBFloat16(stream.last[i % row]));
    values[i] = fromHalf(toHalf(rounded));
  }
}

Tensor InputSource::draw(Stream &stream, uint64_t steps) const {
  const Port &port = *stream.port;
  Tensor tensor = Tensor::zeros(port.type == ScalarType::I32 ? ScalarType::I32
                                                             : ScalarType::F64,
                                shapeOf(port, steps, recipe_->batch));
  if (port.type != ScalarType::I32) {
    drawNormal(stream, tensor, stream.axis ? steps : 1);
    return convert(tensor, port.type);
  }
  for (int32_t &token : tensor.values<int32_t>())
    token = static_cast<int32_t>(
        (stream.tokens() >> 32) * uint64_t(recipe_->tokens) >> 32);
  return tensor;
}

NamedTensors InputSource::next(uint64_t steps) {
  NamedTensors inputs;
  for (Stream &stream : streams_) {
    const std::string &name = stream.port->name;
    if (stream.given)
      inputs.emplace_back(name, stream.axis
                                    ? sliceTime(*stream.given, *stream.axis,
                                                position_, position_ + steps)
                                    : *stream.given);
    else
      inputs.emplace_back(name,
                          stream.axis ? draw(stream, steps) : stream.constant);
  }
  position_ += steps;
  return inputs;
}

} // namespace rung::tools
