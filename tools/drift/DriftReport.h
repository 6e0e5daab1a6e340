//===- DriftReport.h - what drift has to say --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_DRIFT_DRIFTREPORT_H
#define RUNG_TOOLS_DRIFT_DRIFTREPORT_H

#include "tools/drift/Drift.h"
#include "tools/drift/LogPlot.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// What `rung-run drift` measured.
struct DriftReport {
  std::string bundle, function, device, variant;
  InputRecipe recipe;
  std::vector<uint64_t> marks;
  std::vector<StateDrift> states;
};

/// "white", or "slow, memory 0.999".
std::string describeInputs(const InputRecipe &recipe);

/// An error in five characters or seven: "0", "1.2e-03", "inf", "nan".
std::string formatError(double error);

/// `error` as JSON, null where it is not finite.
nlohmann::ordered_json errorToJson(double error);

/// The points of a curve of errors.
std::vector<std::pair<double, double>>
curvePoints(const std::vector<uint64_t> &marks,
            const std::vector<double> &errors);

/// A table with a column a mark and two rows a state.
std::string formatText(const DriftReport &report);
std::string formatJson(const DriftReport &report);
LogPlot plotOf(const DriftReport &report);

} // namespace rung::tools

#endif // RUNG_TOOLS_DRIFT_DRIFTREPORT_H
