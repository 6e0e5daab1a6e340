//===- Commands.h - what rung-bench can be told to do -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_COMMANDS_H
#define RUNG_TOOLS_RUNG_BENCH_COMMANDS_H

#include "tools/rung-run/Console.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// rung-bench errors FOLDER... ...
struct ErrorsArguments {
  std::vector<std::string> folders, rungs;
  std::string device;
  uint64_t steps = 4096, batch = 4;
  uint32_t jobs = 2; ///< Exact interpreters at once.
  bool json = false;
  std::string svg, svgTotal;
};

/// rung-bench chat-model BUNDLE... ...
struct ChatModelArguments {
  std::vector<std::string> bundles;
  std::string chats, device;
  uint64_t seed = 0; ///< Of stochastic rounding.
  bool json = false;
};

/// rung-bench kernels FILE...
struct KernelsArguments {
  std::vector<std::string> files, names;
  std::string device;
  uint32_t repeat = 0; ///< 0: as the jobs say.
  double timeoutSeconds = 10;
  bool json = false;
};

/// rung-bench speed FOLDER
struct SpeedArguments {
  std::string folder, device, svg;
  std::vector<std::string> rows; ///< Parts of names or groups; none: all.
  std::string peers, hand;       ///< Files of other programs' results.
  double timeoutSeconds = 30;
  bool json = false;
};

/// rung-bench tune FOLDER -o PROFILE
struct TuneArguments {
  std::string folder, device, output;
  double timeoutSeconds = 30;
};

ExitCode errorsCommand(const ErrorsArguments &arguments);
ExitCode chatModelCommand(const ChatModelArguments &arguments);
ExitCode kernelsCommand(const KernelsArguments &arguments);
ExitCode speedCommand(const SpeedArguments &arguments);
ExitCode tuneCommand(const TuneArguments &arguments);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_COMMANDS_H
