//===- ReportArguments.h - the options of --report --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNGCOMPILE_REPORTARGUMENTS_H
#define RUNG_TOOLS_RUNGCOMPILE_REPORTARGUMENTS_H

#include "compiler/report/Report.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace rung {

/// What the command line says about the report.
struct ReportArguments {
  std::string form; ///< "text" or "json"; empty for none.
  ReportOptions options;
  std::vector<std::string> measured; ///< Files of rung-run drift --json.

  bool wanted() const { return !form.empty(); }
  /// The report as it goes to stdout.
  std::string print(const Report &report) const {
    return form == "json" ? reportJson(report) : reportText(report);
  }
};

void describe(CLI::App &app, ReportArguments &arguments);

/// Reads the files that the options name.
Status readFiles(ReportArguments &arguments);

/// What is wrong with the options; empty if nothing.
std::string findMisuse(const CLI::App &app, const ReportArguments &arguments);

} // namespace rung

#endif // RUNG_TOOLS_RUNGCOMPILE_REPORTARGUMENTS_H
