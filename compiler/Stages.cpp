//===- Stages.cpp - where compilation can stop ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Stages.h"

namespace rung {

const std::vector<StageInfo> &allStages() {
  static const std::vector<StageInfo> stages = {
      {Stage::Rnn, "rnn", "the model as imported: a graph of named cells"},
      {Stage::Precision, "precision",
       "cells as regions, every rounding an operation"},
      {Stage::Tile, "tile", "kernels and schedules for one device profile"},
      {Stage::Spirv, "spirv", "kernels in MLIR's spirv dialect"},
      {Stage::SpirvAsm, "spirv-asm", "kernels as SPIR-V assembly"},
      {Stage::Bundle, "bundle", "the file that the runtime reads"},
  };
  return stages;
}

std::string_view toString(Stage stage) {
  return allStages()[size_t(stage)].name;
}

std::optional<Stage> parseStage(std::string_view name) {
  for (const StageInfo &info : allStages())
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

} // namespace rung
