//===- CommandLine.h - what the tools' options share ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_COMMANDLINE_H
#define RUNG_TOOLS_RUNG_RUN_COMMANDLINE_H

#include "tools/rung-run/Console.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace rung::tools {

inline constexpr const char *kDeviceHelp =
    "a device's index, a part of its name, or 'reference'";

/// What CLI11 asks an option's text: empty where it is right, else the reason.
using Check = std::function<std::string(const std::string &)>;

/// Numbers from 0; numbers above 0; numbers from 0 to below 1.
Check notNegative();
Check positive();
Check belowOne();

/// Adds --quiet, parses, and hands over to `run`: exit code 0 after --help, 2
/// where the command line is wrong, else what `run` says.
ExitCode parseAndRun(CLI::App &app, int argc, char **argv,
                     const std::function<ExitCode()> &run);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_COMMANDLINE_H
