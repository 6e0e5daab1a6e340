//===- RandomPort.cpp - the seed of stochastic rounding -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/RandomPort.h"

#include "runtime/base/Text.h"

#include <bit>

namespace rung::tools {

const Port *findRandomPort(const Function &function) {
  for (const StateLink &state : function.states) {
    const Port &port = function.inputs[state.input];
    if (state.name == "random" && port.type == ScalarType::I32 &&
        port.dims == std::vector<int64_t>{RUNG_DIM_B, 3})
      return &port;
  }
  return nullptr;
}

Tensor randomState(uint64_t seed, uint64_t rows) {
  Tensor state = Tensor::zeros(ScalarType::I32, {rows, 3});
  auto values = state.values<int32_t>();
  for (uint64_t row = 0; row < rows; ++row) {
    values[3 * row + 1] = std::bit_cast<int32_t>(static_cast<uint32_t>(seed));
    values[3 * row + 2] =
        std::bit_cast<int32_t>(static_cast<uint32_t>(seed >> 32));
  }
  return state;
}

uint64_t batchOf(const Function &function, const NamedTensors &inputs) {
  for (const auto &[name, tensor] : inputs) {
    std::optional<size_t> index = function.findInput(name);
    if (!index)
      continue;
    const std::vector<int64_t> &dims = function.inputs[*index].dims;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis] == RUNG_DIM_B && axis < tensor.shape.size())
        return tensor.shape[axis];
  }
  return 1;
}

Status addSeed(const Function &function, uint64_t seed, NamedTensors &inputs) {
  const Port *port = findRandomPort(function);
  if (!port)
    return Status(StatusCode::InvalidArgument,
                  concat("--seed is given, and function ", quote(function.name),
                         " rounds nothing stochastically"));
  for (const auto &[name, tensor] : inputs)
    if (name == port->name)
      return Status(StatusCode::InvalidArgument,
                    concat("--seed is given, and so is input ", quote(name),
                           ", which holds a seed"));
  inputs.emplace_back(port->name, randomState(seed, batchOf(function, inputs)));
  return Status::ok();
}

} // namespace rung::tools
