//===- Stages.h - where compilation can stop --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_STAGES_H
#define RUNG_COMPILER_STAGES_H

#include <optional>
#include <string_view>
#include <vector>

namespace rung {

/// The stages of `--emit`, in order.
enum class Stage {
  Rnn,       ///< The model as imported: a graph of named cells.
  Precision, ///< Cells as regions; every rounding an operation.
  Tile,      ///< Kernels and schedules for one device profile.
  Spirv,     ///< Kernels in MLIR's spirv dialect.
  SpirvAsm,  ///< Kernels as SPIR-V assembly.
  Bundle,    ///< The file that the runtime reads.
};

/// A stage and what `--emit` calls it.
struct StageInfo {
  Stage stage;
  std::string_view name, description;
};

/// All stages in order.
const std::vector<StageInfo> &allStages();
/// The name that `--emit` takes.
std::string_view toString(Stage stage);
/// Nothing for a name that no stage has.
std::optional<Stage> parseStage(std::string_view name);

} // namespace rung

#endif // RUNG_COMPILER_STAGES_H
