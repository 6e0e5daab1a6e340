//===- SpeedSuite.cpp - the rows of a table of speed ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/SpeedSuite.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/JsonMembers.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace rung::tools {
namespace {

constexpr const char *kUnits[] = {"us a step", "us a token", "us",
                                  "ms",        "TFLOP/s",    "TOP/s"};

/// What the runtime takes as steps times rows.
constexpr uint64_t kMostRows = std::numeric_limits<int32_t>::max();

Status wrong(const std::string &what) {
  return Status(StatusCode::InvalidData, what);
}

Status readCheck(const nlohmann::json &json, SpeedRow &row) {
  JsonMembers in(json, concat("the check of row ", quote(row.name)));
  in.count("steps", row.checkedSteps, uint64_t(1));
  in.count("rows", row.checkedRows, uint64_t(1));
  in.number("atol", row.tolerance.absolute);
  in.number("rtol", row.tolerance.relative);
  return in.finish();
}

Status readFeedback(const nlohmann::json &json, SpeedRow &row) {
  JsonMembers in(json, concat("the feedback of row ", quote(row.name)));
  in.text("from", row.feedFrom, /*needed=*/true);
  in.text("to", row.feedTo, /*needed=*/true);
  return in.finish();
}

Result<SpeedRow> readRow(const nlohmann::json &json,
                         const std::string &folder) {
  SpeedRow row;
  std::string mode = "device";
  JsonMembers in(json, "a row");
  in.text("name", row.name, /*needed=*/true);
  in.text("group", row.group, /*needed=*/true);
  in.text("bundle", row.bundle, /*needed=*/true);
  in.text("function", row.function);
  in.count("steps", row.steps, uint64_t(1));
  in.count("batch", row.batch, uint64_t(1));
  in.text("mode", mode);
  in.text("unit", row.unit);
  in.number("operations", row.operations);
  in.number("limit", row.limit);
  in.number("goal", row.goal);
  in.count("tokens", row.tokens);
  in.count("repeat", row.repeat, 1u);
  in.text("hand", row.hand);
  in.find("peer"); // For the scripts that time peers.
  const nlohmann::json *check = in.find("check", /*needed=*/true);
  const nlohmann::json *feedback = in.find("feedback");
  RUNG_RETURN_IF_ERROR(in.finish());
  RUNG_RETURN_IF_ERROR(readCheck(*check, row));
  for (uint64_t rows : {row.steps, row.checkedSteps})
    for (uint64_t each : {row.batch, row.checkedRows})
      if (rows > kMostRows || each > kMostRows / rows)
        return wrong(concat("row ", quote(row.name), " has ", rows,
                            " steps of ", each, " rows; ", kMostRows,
                            " in all are the most"));
  if (feedback)
    RUNG_RETURN_IF_ERROR(readFeedback(*feedback, row));
  if (mode != "device" && mode != "host")
    return wrong(concat("mode ", quote(mode), " of row ", quote(row.name),
                        " is neither device nor host"));
  row.mode = mode == "host" ? SpeedMode::Host : SpeedMode::Device;
  if (std::ranges::find(kUnits, row.unit) == std::end(kUnits))
    return wrong(concat("unit ", quote(row.unit), " of row ", quote(row.name),
                        " is none of ", joined(kUnits)));
  if (row.moreIsBetter() && !(row.operations > 0))
    return wrong(concat("row ", quote(row.name), " tells no operations"));
  row.bundle = folder + "/" + row.bundle;
  return row;
}

Result<nlohmann::json> readJsonFile(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  return parseJson(text).while_(concat("reading ", quotePath(path)));
}

/// A baseline's result in the unit of a row; 0 where it has none.
double handWrittenValue(const nlohmann::json &kernel, const SpeedRow &row) {
  auto number = [&](const char *key) {
    return kernel.contains(key) && kernel[key].is_number()
               ? kernel[key].get<double>()
               : 0.0;
  };
  if (row.moreIsBetter())
    return number("operations_a_second") * 1e-12;
  if (row.unit == "us a step")
    return number("us_a_step");
  const auto ms = kernel.find("ms");
  if (ms == kernel.end() || !ms->is_object() || !ms->contains("median") ||
      !(*ms)["median"].is_number())
    return 0;
  const double median = (*ms)["median"].get<double>();
  return row.unit == "ms" ? median : 1000 * median;
}

} // namespace

bool SpeedRow::moreIsBetter() const { return unit.ends_with("OP/s"); }

double SpeedRow::value(double ms) const {
  if (moreIsBetter())
    return operations / ms * 1e-9;
  if (unit == "ms")
    return ms;
  return 1000 * ms / (unit == "us" ? 1 : static_cast<double>(steps));
}

Result<std::vector<SpeedRow>> readSpeedSuite(const std::string &folder) {
  const std::string path = folder + "/speed.json";
  const std::string context = concat("reading ", quotePath(path));
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, readJsonFile(path));
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array())
    return wrong("a suite of speed has a list of rows").while_(context);
  std::vector<SpeedRow> rows;
  for (const nlohmann::json &one : json["rows"]) {
    RUNG_ASSIGN_OR_RETURN(SpeedRow row, readRow(one, folder).while_(context));
    rows.push_back(std::move(row));
  }
  return rows;
}

Status readPeers(const std::string &path, std::vector<SpeedRow> &rows) {
  const std::string context = concat("reading ", quotePath(path));
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, readJsonFile(path));
  if (!json.is_array())
    return wrong("peers' results are a list").while_(context);
  for (const nlohmann::json &one : json) {
    std::string rowName;
    PeerValue peer;
    JsonMembers in(one, "a peer's result");
    in.text("row", rowName, /*needed=*/true);
    in.text("peer", peer.name, /*needed=*/true);
    in.number("value", peer.value);
    RUNG_RETURN_IF_ERROR(in.finish().while_(context));
    for (SpeedRow &row : rows)
      if (row.name == rowName)
        row.peers.push_back(peer);
  }
  return Status::ok();
}

Status readHandWritten(const std::string &path, std::vector<SpeedRow> &rows) {
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, readJsonFile(path));
  if (!json.is_object() || !json.contains("kernels") ||
      !json["kernels"].is_array())
    return wrong(concat(quotePath(path), " has no list of kernels"));
  for (const nlohmann::json &kernel : json["kernels"]) {
    if (!kernel.is_object() || !kernel.contains("name") ||
        !kernel["name"].is_string())
      return wrong(concat("a kernel of ", quotePath(path), " has no name"));
    for (SpeedRow &row : rows)
      if (kernel["name"].get<std::string>() == row.hand)
        if (double value = handWrittenValue(kernel, row); value > 0)
          row.peers.push_back({"by hand", value});
  }
  return Status::ok();
}

} // namespace rung::tools
