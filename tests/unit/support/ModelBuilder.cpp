//===- ModelBuilder.cpp - bundles of graphs, node by node -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/support/ModelBuilder.h"

#include "runtime/base/Profile.h"

#include <random>

namespace rung::test {

namespace {
template <typename Member, typename Value>
std::unique_ptr<fb::AttributeT>
makeAttribute(std::string name, fb::AttributeKind kind,
              Member fb::AttributeT::*member, Value value) {
  auto result = std::make_unique<fb::AttributeT>();
  result->name = std::move(name);
  result->kind = kind;
  (*result).*member = std::move(value);
  return result;
}

fb::Factor factorOf(int32_t dim) {
  if (dim == kDimT)
    return fb::Factor(1, 1, fb::Symbol::T);
  if (dim == kDimB)
    return fb::Factor(1, 1, fb::Symbol::B);
  return fb::Factor(1, static_cast<uint64_t>(dim), fb::Symbol::One);
}

std::unique_ptr<fb::ScheduleT> scheduleOf(const fb::FunctionT &function) {
  auto schedule = std::make_unique<fb::ScheduleT>();
  for (uint32_t i = 0; i < function.outputs.size(); ++i) {
    const fb::TensorTypeT &type = *function.outputs[i]->type;
    std::vector<fb::Factor> size = {
        factorOf(static_cast<int32_t>(byteSize(toScalarType(type.element))))};
    for (int32_t dim : type.dims)
      size.push_back(factorOf(dim));
    auto buffer = std::make_unique<fb::BufferT>();
    buffer->role = fb::BufferRole::Output;
    buffer->port = i;
    buffer->size = extent(std::move(size));
    schedule->buffers.push_back(std::move(buffer));
  }
  return schedule;
}
} // namespace

std::unique_ptr<fb::AttributeT> attribute(std::string name, double value) {
  return makeAttribute(std::move(name), fb::AttributeKind::Float,
                       &fb::AttributeT::f, value);
}
std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<double> value) {
  return makeAttribute(std::move(name), fb::AttributeKind::Floats,
                       &fb::AttributeT::floats, std::move(value));
}
std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<std::string> value) {
  return makeAttribute(std::move(name), fb::AttributeKind::Strings,
                       &fb::AttributeT::strings, std::move(value));
}

uint32_t GraphBuilder::value(const Type &type) {
  graph_->values.push_back(tensorType(type.element, type.dims));
  return static_cast<uint32_t>(graph_->values.size() - 1);
}

uint32_t GraphBuilder::input(const Type &type) {
  graph_->inputs.push_back(value(type));
  return graph_->inputs.back();
}

std::vector<uint32_t> GraphBuilder::op(std::string name,
                                       std::vector<uint32_t> operands,
                                       std::vector<Type> results,
                                       Attributes attributes,
                                       std::unique_ptr<fb::GraphT> body) {
  std::vector<uint32_t> numbers;
  for (const Type &type : results)
    numbers.push_back(value(type));
  auto made = node(std::move(name), std::move(operands), numbers);
  made->attributes = std::move(attributes);
  made->body = std::move(body);
  graph_->nodes.push_back(std::move(made));
  return numbers;
}

FunctionBuilder::FunctionBuilder(std::string name)
    : function_(std::make_unique<fb::FunctionT>()) {
  function_->name = std::move(name);
}

uint32_t FunctionBuilder::input(std::string name, const Type &type) {
  function_->inputs.push_back(port(std::move(name), type.element, type.dims));
  return graph.input(type);
}

void FunctionBuilder::output(std::string name, const Type &type,
                             uint32_t value) {
  function_->outputs.push_back(port(std::move(name), type.element, type.dims));
  graph.output(value);
}

uint32_t FunctionBuilder::state(std::string name, const Type &type) {
  auto index = static_cast<uint32_t>(function_->inputs.size());
  function_->states.push_back(stateLink(name, index, 0));
  return input(std::move(name), type);
}

void FunctionBuilder::stateOutput(const std::string &name, const Type &type,
                                  uint32_t value) {
  for (auto &state : function_->states)
    if (state->name == name)
      state->output = static_cast<uint32_t>(function_->outputs.size());
  output(name, type, value);
}

fb::GenerationT &FunctionBuilder::generation() {
  if (!function_->generation)
    function_->generation = std::make_unique<fb::GenerationT>();
  return *function_->generation;
}

std::unique_ptr<fb::FunctionT> FunctionBuilder::take() {
  function_->graph = graph.take();
  return std::move(function_);
}

ModelBuilder::ModelBuilder(std::string name) {
  bundle_.name = std::move(name);
  bundle_.provenance = std::make_unique<fb::ProvenanceT>();
  bundle_.provenance->tool_version = "test";
}

int64_t ModelBuilder::weight(std::string name, std::vector<int32_t> dims,
                             const std::vector<float> &values) {
  return weight(std::move(name), std::move(dims), ScalarType::F32,
                std::as_bytes(std::span(values)));
}

int64_t ModelBuilder::weight(std::string name, std::vector<int32_t> dims,
                             ScalarType element,
                             std::span<const std::byte> bytes) {
  auto made = std::make_unique<fb::WeightT>();
  made->name = std::move(name);
  made->type = tensorType(element, std::move(dims));
  made->offset = blob_.append(bytes);
  made->size = bytes.size();
  bundle_.weights.push_back(std::move(made));
  return static_cast<int64_t>(bundle_.weights.size() - 1);
}

uint32_t ModelBuilder::load(FunctionBuilder &function, int64_t weight) {
  const fb::TensorTypeT &type =
      *bundle_.weights[static_cast<size_t>(weight)]->type;
  return function.graph.op1("rnn.load_weight", {},
                            {toScalarType(type.element), type.dims},
                            attributes(attribute("weight", weight)));
}

void ModelBuilder::add(FunctionBuilder function) {
  bundle_.functions.push_back(function.take());
}

void ModelBuilder::asset(std::string name, std::string_view bytes) {
  auto made = std::make_unique<fb::AssetT>();
  made->name = std::move(name);
  made->bytes.assign(bytes.begin(), bytes.end());
  bundle_.assets.push_back(std::move(made));
}

void ModelBuilder::addGenericVariant() {
  auto variant = std::make_unique<fb::VariantT>();
  variant->profile = "generic";
  variant->requirements = std::make_unique<fb::RequirementsT>();
  variant->requirements->api_version = makeApiVersion(1, 3);
  for (const auto &function : bundle_.functions)
    variant->schedules.push_back(scheduleOf(*function));
  bundle_.variants.clear();
  bundle_.variants.push_back(std::move(variant));
}

Result<std::vector<std::byte>> ModelBuilder::file() {
  addGenericVariant();
  return serializeBundle(bundle_, blob_.bytes());
}

Result<BundleReader> ModelBuilder::read() {
  RUNG_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, file());
  return BundleReader::fromBytes(bytes);
}

std::vector<float> randomNumbers(size_t count, uint64_t seed, double scale) {
  std::mt19937_64 generator(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = static_cast<float>(
        scale * (static_cast<double>(generator() >> 11) * 0x1p-52 - 1));
  return values;
}

} // namespace rung::test
