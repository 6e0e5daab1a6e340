//===- ErrorTable.cpp - errors by rung, regime and steps ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/ErrorTable.h"

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/drift/DriftReport.h"
#include "tools/rung-bench/Suite.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Spread> spreads(const std::vector<ErrorRun> &runs,
                            std::vector<double> StateDrift::*errors,
                            size_t marks) {
  std::vector<Spread> result;
  for (size_t mark = 0; mark < marks; ++mark) {
    std::vector<double> values;
    for (const ErrorRun &run : runs)
      values.push_back((run.drift.*errors)[mark]);
    result.push_back(spreadOf(values));
  }
  return result;
}

std::string cell(const Spread &spread, bool several) {
  std::string text = formatError(spread.mean);
  if (!several)
    return text;
  char deviation[32];
  std::snprintf(deviation, sizeof deviation, " +-%.0e", spread.deviation);
  return text + deviation;
}

std::string formatPart(const ErrorTable &table, const char *title,
                       std::vector<Spread> ErrorRow::*errors) {
  size_t seeds = 0, names = 4;
  for (const ErrorRow &row : table.rows) {
    seeds = std::max(seeds, row.runs.size());
    names = std::max(names, row.rung.size());
  }
  const int width = seeds > 1 ? 17 : 9;
  std::string text = concat(
      title,
      seeds > 1 ? concat(", mean of ", seeds, " seeds and standard deviation")
                : std::string(),
      "\n");
  auto line = [&](const std::string &rung, const std::string &regime,
                  const std::vector<std::string> &cells) {
    char field[128];
    std::snprintf(field, sizeof field, "%-*s %-6s", static_cast<int>(names),
                  rung.c_str(), regime.c_str());
    text += field;
    for (const std::string &one : cells) {
      std::snprintf(field, sizeof field, "%*s", width, one.c_str());
      text += field;
    }
    text += "\n";
  };
  std::vector<std::string> head;
  for (uint64_t mark : table.marks)
    head.push_back(std::to_string(mark));
  line("rung", "regime", head);
  for (const ErrorRow &row : table.rows) {
    std::vector<std::string> cells;
    for (const Spread &spread : row.*errors)
      cells.push_back(cell(spread, seeds > 1));
    line(row.rung, row.regime, cells);
  }
  return text;
}

Json toJson(const std::vector<Spread> &spreads) {
  Json json;
  for (auto [name, value] : {std::pair("mean", &Spread::mean),
                             {"min", &Spread::min},
                             {"max", &Spread::max},
                             {"deviation", &Spread::deviation}}) {
    json[name] = Json::array();
    for (const Spread &spread : spreads)
      json[name].push_back(errorToJson(spread.*value));
  }
  return json;
}

Json toJson(const std::vector<double> &errors) {
  Json json = Json::array();
  for (double error : errors)
    json.push_back(errorToJson(error));
  return json;
}

} // namespace

Spread spreadOf(const std::vector<double> &values) {
  Spread spread;
  spread.min = spread.max = values.front();
  for (double value : values) {
    spread.mean += value / static_cast<double>(values.size());
    // The negations let NaN through.
    spread.min = !(value >= spread.min) ? value : spread.min;
    spread.max = !(value <= spread.max) ? value : spread.max;
  }
  if (values.size() < 2)
    return spread;
  double squares = 0;
  for (double value : values)
    squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation =
      std::sqrt(squares / (static_cast<double>(values.size()) - 1));
  return spread;
}

std::vector<ErrorRow> makeRows(std::vector<ErrorRun> runs,
                               const std::vector<uint64_t> &marks) {
  std::sort(runs.begin(), runs.end(), [](const ErrorRun &a, const ErrorRun &b) {
    if (a.regime != b.regime)
      return a.regime < b.regime;
    if (a.rung != b.rung)
      return standsBefore(a.rung, b.rung);
    return a.seed < b.seed;
  });
  std::vector<ErrorRow> rows;
  for (ErrorRun &run : runs) {
    if (rows.empty() || rows.back().rung != run.rung ||
        rows.back().regime != run.regime)
      rows.push_back({run.rung, run.regime, {}, {}, {}});
    rows.back().runs.push_back(std::move(run));
  }
  for (ErrorRow &row : rows) {
    row.total = spreads(row.runs, &StateDrift::total, marks.size());
    row.arithmetic = spreads(row.runs, &StateDrift::arithmetic, marks.size());
  }
  return rows;
}

std::string formatText(const ErrorTable &table) {
  return formatPart(table, "arithmetic-only error", &ErrorRow::arithmetic) +
         "\n" +
         formatPart(table, "total error, with that of the weights",
                    &ErrorRow::total);
}

std::string formatJson(const ErrorTable &table) {
  Json json = {{"device", table.device},
               {"variant", table.variant},
               {"batch", table.batch},
               {"steps", table.marks}};
  json["results"] = Json::array();
  for (const ErrorRow &row : table.rows) {
    Json runs = Json::array();
    for (const ErrorRun &run : row.runs)
      runs.push_back({{"seed", run.seed},
                      {"arithmetic", toJson(run.drift.arithmetic)},
                      {"total", toJson(run.drift.total)}});
    json["results"].push_back({{"rung", row.rung},
                               {"regime", row.regime},
                               {"arithmetic", toJson(row.arithmetic)},
                               {"total", toJson(row.total)},
                               {"runs", std::move(runs)}});
  }
  return rung::formatJson(json);
}

LogPlot plotOf(const ErrorTable &table, bool total) {
  LogPlot plot;
  plot.title = concat(total ? "Total error" : "Arithmetic-only error",
                      " of the state on ", table.device);
  plot.xLabel = "steps";
  plot.yLabel = "||h - exact|| / ||exact||";
  for (const ErrorRow &row : table.rows) {
    std::string title = concat("regime ", row.regime);
    if (plot.panels.empty() || plot.panels.back().title != title)
      plot.panels.push_back({title, {}});
    std::vector<double> means;
    for (const Spread &spread : total ? row.total : row.arithmetic)
      means.push_back(spread.mean);
    plot.panels.back().curves.push_back(
        {row.rung, false, curvePoints(table.marks, means)});
  }
  return plot;
}

} // namespace rung::tools
