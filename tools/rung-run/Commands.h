//===- Commands.h - what rung-run can be told to do -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_COMMANDS_H
#define RUNG_TOOLS_RUNG_RUN_COMMANDS_H

#include "tools/rung-run/Comparison.h"
#include "tools/rung-run/Console.h"
#include "tools/rung-run/TextModel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rung::tools {

/// rung-run [run] BUNDLE ...
struct RunArguments {
  std::string bundle, function, device;
  std::vector<std::string> inputs, outputs, expected;
  Tolerance tolerance;
  bool toleranceGiven = false;
  uint32_t time = 0; ///< Timed runs; 0: don't time.
  uint32_t warmup = 3;
  bool onDevice = false; ///< Timed runs leave inputs and outputs there.
  bool host = false; ///< Timed runs are as short as they can be for the host.
  uint32_t segments = 1;
  uint32_t segmentSteps = 0; ///< Steps that the device works on at a time.
  uint64_t memoryLimit = 0;  ///< Of the device, in bytes; 0: what it has.
  double timeoutSeconds = 0;
  std::optional<uint64_t> seed; ///< Of stochastic rounding.
  bool json = false;
};

/// rung-run generate BUNDLE ...
struct GenerateArguments {
  std::string bundle, function, device;
  std::vector<std::string> prompts;
  std::string promptFile;
  std::optional<uint32_t> maxSteps;
  Drawing drawing;
  std::optional<std::string> separator;
  bool echo = false;
  bool json = false;
};

/// rung-run chat BUNDLE ...
struct ChatArguments {
  std::string bundle, function, device;
  std::string name = "Ada"; ///< Who speaks.
  uint32_t maxSteps = 400;  ///< Tokens of a reply, at most.
  Drawing drawing;
};

/// rung-run inspect BUNDLE ...
struct InspectArguments {
  std::string bundle;
  std::string stage; ///< Print this stage's text alone.
  bool json = false;
};

ExitCode runCommand(const RunArguments &arguments);
ExitCode generateCommand(const GenerateArguments &arguments);
ExitCode chatCommand(const ChatArguments &arguments);
ExitCode inspectCommand(const InspectArguments &arguments);
ExitCode listDevicesCommand(bool json);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_COMMANDS_H
