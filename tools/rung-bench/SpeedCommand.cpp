//===- SpeedCommand.cpp - rung-bench speed FOLDER -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/Commands.h"
#include "tools/rung-bench/SpeedTable.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace rung::tools {
namespace {

/// The rows whose names or groups hold one of the wanted texts.
Result<std::vector<SpeedRow>> gatherRows(const SpeedArguments &arguments) {
  RUNG_ASSIGN_OR_RETURN(std::vector<SpeedRow> all,
                        readSpeedSuite(arguments.folder));
  std::vector<SpeedRow> rows;
  for (SpeedRow &row : all) {
    auto holds = [&](const std::string &text) {
      return row.name.find(text) != std::string::npos ||
             row.group.find(text) != std::string::npos;
    };
    if (arguments.rows.empty() || std::ranges::any_of(arguments.rows, holds))
      rows.push_back(std::move(row));
  }
  if (rows.empty())
    return Status(StatusCode::NotFound, concat("no row's name or group holds ",
                                               joined(arguments.rows)));
  if (!arguments.peers.empty())
    RUNG_RETURN_IF_ERROR(readPeers(arguments.peers, rows));
  if (!arguments.hand.empty())
    RUNG_RETURN_IF_ERROR(readHandWritten(arguments.hand, rows));
  return rows;
}

ExitCode codeOf(const std::vector<SpeedResult> &results) {
  ExitCode code = kDone;
  for (const SpeedResult &result : results) {
    if (!result.error.empty())
      return kRefused;
    if (!result.passed())
      code = kComparisonFailed;
  }
  return code;
}

} // namespace

ExitCode speedCommand(const SpeedArguments &arguments) {
  Result<std::vector<SpeedRow>> rows = gatherRows(arguments);
  if (!rows.isOk())
    return fail(rows.status());
  SpeedRunner runner(arguments.device, arguments.timeoutSeconds);
  std::vector<SpeedResult> results;
  SpeedPrinter table(*rows);
  for (const SpeedRow &row : *rows) {
    SpeedResult result = runner.run(row);
    if (!result.error.empty())
      fail(Status(StatusCode::Device, result.error)
               .while_(concat("measuring ", quote(row.name))));
    if (!arguments.json)
      table.print(result);
    results.push_back(std::move(result));
  }
  if (!arguments.svg.empty())
    if (Status status = writeFile(arguments.svg, formatSpeedSvg(results));
        !status.isOk())
      return fail(status);
  if (arguments.json)
    std::fputs(formatSpeedJson(results).c_str(), stdout);
  return codeOf(results);
}

} // namespace rung::tools
