//===- DriftReport.cpp - what drift has to say ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/DriftReport.h"

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

// Columns of the table: the names, then one a mark.
constexpr int kKindWidth = 11, kErrorWidth = 9;

std::string padded(const std::string &text, int width) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, "%*s", width, text.c_str());
  return buffer;
}

int nameWidth(const DriftReport &report) {
  size_t width = 5;
  for (const StateDrift &drift : report.states)
    width = std::max(width, drift.state.size());
  return static_cast<int>(width);
}

Json errorsToJson(const std::vector<double> &errors) {
  Json json = Json::array();
  for (double error : errors)
    json.push_back(errorToJson(error));
  return json;
}

} // namespace

std::string describeInputs(const InputRecipe &recipe) {
  if (recipe.kind == InputKind::White)
    return "white";
  return concat("slow, memory ", recipe.memory);
}

std::string formatError(double error) {
  char text[32];
  if (error == 0)
    return "0";
  std::snprintf(text, sizeof text, "%.1e", error);
  return text;
}

Json errorToJson(double error) {
  return std::isfinite(error) ? Json(error) : Json();
}

std::vector<std::pair<double, double>>
curvePoints(const std::vector<uint64_t> &marks,
            const std::vector<double> &errors) {
  std::vector<std::pair<double, double>> points;
  for (size_t i = 0; i < marks.size(); ++i)
    points.emplace_back(static_cast<double>(marks[i]), errors[i]);
  return points;
}

std::string formatText(const DriftReport &report) {
  const int width = nameWidth(report);
  auto row = [&](const std::string &name, const char *kind, auto &&cells) {
    std::string line = padded(name, -width) + " " + padded(kind, -kKindWidth);
    for (const std::string &cell : cells)
      line += padded(cell, kErrorWidth);
    return line + "\n";
  };
  std::vector<std::string> head;
  for (uint64_t mark : report.marks)
    head.push_back(std::to_string(mark));
  std::string text = row("state", "error", head);
  auto cells = [](const std::vector<double> &errors) {
    std::vector<std::string> result;
    for (double error : errors)
      result.push_back(formatError(error));
    return result;
  };
  for (const StateDrift &drift : report.states)
    text += row(drift.state, "total", cells(drift.total)) +
            row("", "arithmetic", cells(drift.arithmetic));
  return text;
}

std::string formatJson(const DriftReport &report) {
  Json json = {
      {"bundle", report.bundle},      {"function", report.function},
      {"device", report.device},      {"variant", report.variant},
      {"batch", report.recipe.batch}, {"inputs", toString(report.recipe.kind)}};
  if (report.recipe.kind == InputKind::Slow)
    json["memory"] = report.recipe.memory;
  json["seed"] = report.recipe.seed;
  json["steps"] = report.marks;
  json["states"] = Json::array();
  for (const StateDrift &drift : report.states)
    json["states"].push_back({{"state", drift.state},
                              {"total", errorsToJson(drift.total)},
                              {"arithmetic", errorsToJson(drift.arithmetic)}});
  return rung::formatJson(json);
}

LogPlot plotOf(const DriftReport &report) {
  LogPlot plot;
  plot.title = concat("Drift of ", report.bundle);
  plot.xLabel = "steps";
  plot.yLabel = "relative error of the state";
  plot.solidMeans = "arithmetic only";
  plot.dashedMeans = "total";
  Panel panel;
  panel.title =
      concat(report.device, ", input ", describeInputs(report.recipe));
  for (const StateDrift &drift : report.states) {
    panel.curves.push_back(
        {drift.state, true, curvePoints(report.marks, drift.total)});
    panel.curves.push_back(
        {drift.state, false, curvePoints(report.marks, drift.arithmetic)});
  }
  plot.panels.push_back(std::move(panel));
  return plot;
}

} // namespace rung::tools
