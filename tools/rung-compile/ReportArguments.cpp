//===- ReportArguments.cpp - the options of --report ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-compile/ReportArguments.h"

#include <limits>

namespace rung {

void describe(CLI::App &app, ReportArguments &a) {
  app.add_option("--report", a.form,
                 "print what the model errs, costs and takes, as text or json, "
                 "to stdout; nothing else is made without -o");
  app.add_option("--report-steps", a.options.steps,
                 "steps of the run that costs and memory are for (default "
                 "1024)");
  app.add_option("--report-batch", a.options.batch, "its rows (default 1)");
  app.add_option("--report-limit", a.options.limit,
                 "bytes of memory that a run should stay below (default 2^30)");
  app.add_option("--report-memory", a.options.inputMemory,
                 "steps that a slow input keeps, in predictions (default "
                 "1000)");
  app.add_option("--report-measured", a.measured,
                 "what rung-run drift --json said, to stand beside the "
                 "predictions; may be repeated")
      ->allow_extra_args(false);
}

Status readFiles(ReportArguments &a) {
  for (const std::string &path : a.measured) {
    Result<MeasuredDrift> drift = readMeasuredDrift(path);
    if (!drift.isOk())
      return drift.status();
    a.options.measured.push_back(std::move(drift.value()));
  }
  return Status::ok();
}

std::string findMisuse(const CLI::App &app, const ReportArguments &a) {
  for (const char *option :
       {"--report-steps", "--report-batch", "--report-limit", "--report-memory",
        "--report-measured"})
    if (!a.wanted() && app.count(option) != 0)
      return std::string(option) + " is given, and no --report";
  if (!a.wanted())
    return "";
  if (a.form != "text" && a.form != "json")
    return "report '" + a.form + "' is none of text, json";
  if (a.options.steps < 1)
    return "--report-steps is " + std::to_string(a.options.steps) +
           "; a run has at least 1 step";
  if (a.options.batch < 1)
    return "--report-batch is " + std::to_string(a.options.batch) +
           "; a run has at least 1 row";
  // As many as a run may have.
  constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();
  if (a.options.steps > kMostRows / a.options.batch)
    return "--report-steps times --report-batch exceeds " +
           std::to_string(kMostRows);
  if (!(a.options.inputMemory > 0))
    return "--report-memory is " + std::to_string(a.options.inputMemory) +
           "; an input keeps for more than 0 steps";
  return "";
}

} // namespace rung
