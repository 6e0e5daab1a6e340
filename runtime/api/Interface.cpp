//===- Interface.cpp - a bundle as the C interface shows it -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Interface.h"

#include "runtime/base/Text.h"

namespace rung {

static_assert(int(RUNG_F32) == int(ScalarType::F32) &&
              int(RUNG_F16) == int(ScalarType::F16) &&
              int(RUNG_BF16) == int(ScalarType::BF16) &&
              int(RUNG_F64) == int(ScalarType::F64) &&
              int(RUNG_I32) == int(ScalarType::I32) &&
              int(RUNG_I16) == int(ScalarType::I16) &&
              int(RUNG_S8) == int(ScalarType::S8) &&
              int(RUNG_U8) == int(ScalarType::U8));
static_assert(RUNG_DIM_T == kDimT && RUNG_DIM_B == kDimB);

std::string describe(rung_dtype dtype, const int64_t *shape, uint32_t rank) {
  std::vector<std::string> dims;
  for (uint32_t i = 0; i < rank; ++i)
    dims.push_back(shape[i] == RUNG_DIM_T   ? "T"
                   : shape[i] == RUNG_DIM_B ? "B"
                                            : std::to_string(shape[i]));
  return concat(rung_dtype_name(dtype), "[", joined(dims), "]");
}

std::string PortInfo::typeText() const {
  return describe(dtype, dims.data(), static_cast<uint32_t>(dims.size()));
}

static PortInfo toInfo(const fb::Port &port) {
  const auto &dims = *port.type()->dims();
  return {.name = port.name()->c_str(),
          .dtype = static_cast<rung_dtype>(port.type()->element()),
          .dims = std::vector<int64_t>(dims.begin(), dims.end())};
}

Interface::Interface(BundleReader from) : reader(std::move(from)) {
  for (const fb::Function *function : *reader.root().functions()) {
    FunctionInfo info = {.name = function->name()->c_str()};
    for (const fb::Port *port : *function->inputs())
      info.inputs.push_back(toInfo(*port));
    for (const fb::Port *port : *function->outputs())
      info.outputs.push_back(toInfo(*port));
    int32_t index = 0;
    for (const fb::StateLink *link : *function->states()) {
      info.inputs[link->input()].state = index;
      info.outputs[link->output()].state = index++;
    }
    functions.push_back(std::move(info));
  }
}

} // namespace rung
