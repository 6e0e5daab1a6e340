//===- DriftCommand.h - rung-run drift BUNDLE -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_DRIFT_DRIFTCOMMAND_H
#define RUNG_TOOLS_DRIFT_DRIFTCOMMAND_H

#include "tools/rung-run/Console.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rung::tools {

/// rung-run drift BUNDLE ...
struct DriftArguments {
  std::string bundle, function, device;
  std::vector<std::string> inputs;
  uint64_t steps = 0;
  std::optional<uint64_t> batch; ///< Default: that of the inputs, or 4.
  std::string kind = "white";
  double memory = 0.999;
  uint32_t tokens = 0;
  uint64_t seed = 0;
  bool json = false;
  std::string svg;
};

ExitCode driftCommand(const DriftArguments &arguments);

} // namespace rung::tools

#endif // RUNG_TOOLS_DRIFT_DRIFTCOMMAND_H
