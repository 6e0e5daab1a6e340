//===- Model.cpp - a bundle's interface through runtime/rung.h ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Model.h"

#include "runtime/base/Text.h"

#include <utility>

namespace rung::tools {
namespace {

Port makePort(const rung_port &port) {
  return {port.name, static_cast<ScalarType>(port.dtype),
          std::vector<int64_t>(port.dims, port.dims + port.rank), port.state};
}

Generation makeGeneration(const rung_generation &from) {
  Generation to;
  to.promptFunction = from.prompt_function;
  to.promptInput = from.prompt_input;
  to.tokenInput = from.token_input;
  to.tokenOutput = from.token_output;
  to.logitsOutput = from.logits_output;
  to.inputVocabulary = from.input_vocabulary;
  to.outputVocabulary = from.output_vocabulary;
  to.append.assign(from.append, from.append + from.append_count);
  to.start = from.start;
  to.stop = from.stop;
  to.maxSteps = from.max_steps;
  return to;
}

std::optional<size_t> find(const std::vector<Port> &ports,
                           std::string_view name) {
  for (size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == name)
      return i;
  return std::nullopt;
}

Result<Function> readFunction(const rung_bundle *bundle, size_t index) {
  Function function;
  function.index = index;
  function.name = rung_bundle_function_name(bundle, index);
  rung_port port;
  for (size_t i = 0; i < rung_function_input_count(bundle, index); ++i) {
    if (rung_code code = rung_function_input(bundle, index, i, &port))
      return lastError(code);
    function.inputs.push_back(makePort(port));
  }
  for (size_t i = 0; i < rung_function_output_count(bundle, index); ++i) {
    if (rung_code code = rung_function_output(bundle, index, i, &port))
      return lastError(code);
    function.outputs.push_back(makePort(port));
  }
  for (size_t i = 0; i < rung_function_state_count(bundle, index); ++i) {
    rung_state state;
    if (rung_code code = rung_function_state(bundle, index, i, &state))
      return lastError(code);
    function.states.push_back({state.name, state.input, state.output});
  }
  rung_generation generation;
  rung_code code = rung_function_generation(bundle, index, &generation);
  if (code == RUNG_OK)
    function.generation = makeGeneration(generation);
  else if (code != RUNG_NOT_FOUND)
    return lastError(code);
  return function;
}

} // namespace

std::string typeName(const Port &port) {
  std::vector<std::string> dims;
  for (int64_t dim : port.dims)
    dims.push_back(dim == RUNG_DIM_T   ? "T"
                   : dim == RUNG_DIM_B ? "B"
                                       : std::to_string(dim));
  return concat(toString(port.type), "[", joined(dims), "]");
}

std::optional<size_t> Function::findInput(std::string_view name) const {
  return find(inputs, name);
}
std::optional<size_t> Function::findOutput(std::string_view name) const {
  return find(outputs, name);
}

Status lastError(rung_code code) {
  static constexpr StatusCode kCodes[] = {
      StatusCode::Ok,          StatusCode::InvalidArgument,
      StatusCode::NotFound,    StatusCode::InvalidData,
      StatusCode::Unsupported, StatusCode::ResourceExhausted,
      StatusCode::Io,          StatusCode::Device};
  auto index = static_cast<size_t>(code);
  return Status(index < std::size(kCodes) ? kCodes[index]
                                          : StatusCode::FailedPrecondition,
                rung_last_error());
}

Result<Model> Model::open(const std::string &path) {
  rung_bundle *bundle = nullptr;
  if (rung_code code = rung_bundle_open(path.c_str(), &bundle))
    return lastError(code);
  Model model;
  model.bundle_.reset(bundle);
  RUNG_RETURN_IF_ERROR(model.readInterface());
  return model;
}

Status Model::readInterface() {
  size_t count = rung_bundle_function_count(bundle_.get());
  for (size_t i = 0; i < count; ++i) {
    RUNG_ASSIGN_OR_RETURN(Function function, readFunction(bundle_.get(), i));
    functions_.push_back(std::move(function));
  }
  return Status::ok();
}

Result<const Function *> Model::function(std::string_view name) const {
  std::vector<std::string> names;
  for (const Function &function : functions_) {
    if (function.name == name || (name.empty() && functions_.size() == 1))
      return &function;
    names.push_back(function.name);
  }
  if (name.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("bundle has ", names.size(), " functions, ",
                         joined(names), "; --function chooses one"));
  return Status(StatusCode::NotFound,
                concat("bundle has no function ", quote(name), "; it has ",
                       joined(names)));
}

Result<std::string> Model::asset(const std::string &name) const {
  const void *data = nullptr;
  size_t size = 0;
  if (rung_code code =
          rung_bundle_asset(bundle_.get(), name.c_str(), &data, &size))
    return lastError(code);
  return std::string(static_cast<const char *>(data), size);
}

} // namespace rung::tools
