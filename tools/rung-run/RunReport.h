//===- RunReport.h - what a run has to say ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_RUNREPORT_H
#define RUNG_TOOLS_RUNG_RUN_RUNREPORT_H

#include "tools/rung-run/Comparison.h"
#include "tools/rung-run/Model.h"

#include <string>
#include <vector>

namespace rung::tools {

/// Everything that `rung-run BUNDLE` reports, in either form.
struct RunReport {
  std::string bundle, function, device, variant;
  const std::vector<Port> *outputPorts = nullptr;
  Outcome outcome;
  rung_memory memory = {};   ///< Of the session, after the run.
  std::vector<bool> written; ///< By output: it went to a file.
  std::vector<Comparison> comparisons;
  std::vector<rung_timing> timings; ///< Of the timed runs.

  bool passed() const;
};

/// For people: outputs that went to no file (long ones cut short), comparisons
/// and a table of times.
std::string formatText(const RunReport &report);

/// For machines: the same, whole.
std::string formatJson(const RunReport &report);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_RUNREPORT_H
