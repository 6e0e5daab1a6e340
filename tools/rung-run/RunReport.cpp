//===- RunReport.cpp - what a run has to say ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/RunReport.h"

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

// Outputs of more elements are shown to people by their beginnings.
constexpr uint64_t kShownElements = 16;

struct Quantity {
  const char *name;
  double rung_timing::*value;
};
constexpr Quantity kQuantities[] = {{"host", &rung_timing::host_ms},
                                    {"prepare", &rung_timing::prepare_ms},
                                    {"device", &rung_timing::device_ms},
                                    {"transfer", &rung_timing::transfer_ms}};

std::optional<Statistics> statisticsOf(const RunReport &report,
                                       const Quantity &quantity) {
  std::vector<double> samples;
  for (const rung_timing &timing : report.timings)
    if (timing.*quantity.value >= 0)
      samples.push_back(timing.*quantity.value);
  if (samples.size() != report.timings.size() || samples.empty())
    return std::nullopt;
  return summarize(std::move(samples));
}

std::string formatOutput(const Port &port, const Tensor &tensor) {
  std::vector<std::string> shown;
  uint64_t count = tensor.elementCount();
  for (uint64_t i = 0; i < std::min(count, kShownElements); ++i) {
    double value = toDouble(tensor, i);
    shown.push_back(isFloat(tensor.type) ? concat(value)
                                         : concat(static_cast<int64_t>(value)));
  }
  return concat(port.name, ": ", toString(tensor), " = ", joined(shown),
                count > kShownElements ? ", ..." : "", "\n");
}

std::string formatTimes(const RunReport &report) {
  std::string text;
  char line[160];
  std::snprintf(line, sizeof line, "%-11s %10s %10s %10s %10s %10s %10s %10s\n",
                "time in ms", "median", "min", "p90", "p95", "p99", "max",
                "mean");
  text += line;
  for (const Quantity &quantity : kQuantities) {
    std::optional<Statistics> s = statisticsOf(report, quantity);
    if (s)
      std::snprintf(line, sizeof line,
                    "%-11s %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f\n",
                    quantity.name, s->median, s->min, s->p90, s->p95, s->p99,
                    s->max, s->mean);
    else
      std::snprintf(line, sizeof line, "%-11s %10s\n", quantity.name, "-");
    text += line;
  }
  const rung_timing &last = report.timings.back();
  return text + concat(report.timings.size(), " runs of ", last.steps,
                       " steps and ", last.batch, " rows\n");
}

// JSON has no NaN and no infinity; null stands for them.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json toJson(const Comparison &c) {
  Json json = {{"output", c.output}, {"passed", c.passed()}};
  if (!c.shapesAgree) {
    json["got_type"] = c.gotType;
    json["expected_type"] = c.expectedType;
    return json;
  }
  json["max_abs"] = number(c.maxAbsolute);
  json["max_rel"] = number(c.maxRelative);
  json["mean_abs"] = number(c.meanAbsolute);
  json["elements"] = c.elements;
  json["bad"] = c.bad;
  if (c.firstBad)
    json["first_bad"] = {{"index", c.firstBad->index},
                         {"got", number(c.firstBad->got)},
                         {"expected", number(c.firstBad->expected)}};
  return json;
}

Json toJson(const Statistics &s) {
  return {{"median", s.median}, {"min", s.min}, {"p90", s.p90},  {"p95", s.p95},
          {"p99", s.p99},       {"max", s.max}, {"mean", s.mean}};
}

Json outputToJson(const Port &port, const Tensor &tensor, bool written) {
  Json json = {{"name", port.name},
               {"type", toString(tensor.type)},
               {"shape", tensor.shape}};
  if (written)
    return json;
  Json values = Json::array();
  for (uint64_t i = 0; i < tensor.elementCount(); ++i) {
    double value = toDouble(tensor, i);
    values.push_back(isFloat(tensor.type) ? number(value)
                                          : Json(static_cast<int64_t>(value)));
  }
  json["values"] = std::move(values);
  return json;
}

} // namespace

bool RunReport::passed() const {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const Comparison &c) { return c.passed(); });
}

std::string formatText(const RunReport &report) {
  std::string text;
  bool asked = !report.comparisons.empty() || !report.timings.empty();
  for (size_t i = 0; i < report.outcome.outputs.size() && !asked; ++i)
    if (!report.written[i])
      text += formatOutput((*report.outputPorts)[i], report.outcome.outputs[i]);
  for (const Comparison &comparison : report.comparisons)
    text += toString(comparison) + "\n";
  if (!report.timings.empty())
    text += formatTimes(report);
  return text;
}

std::string formatJson(const RunReport &report) {
  Json json = {{"bundle", report.bundle},
               {"function", report.function},
               {"device", report.device},
               {"variant", report.variant},
               {"steps", report.outcome.timing.steps},
               {"batch", report.outcome.timing.batch},
               {"segments", report.outcome.segments},
               {"memory",
                {{"device_bytes", report.memory.device_bytes},
                 {"staging_bytes", report.memory.staging_bytes}}}};
  json["outputs"] = Json::array();
  for (size_t i = 0; i < report.outcome.outputs.size(); ++i)
    json["outputs"].push_back(
        outputToJson((*report.outputPorts)[i], report.outcome.outputs[i],
                     report.written[i] || !report.timings.empty()));
  if (!report.comparisons.empty()) {
    json["passed"] = report.passed();
    for (const Comparison &comparison : report.comparisons)
      json["comparisons"].push_back(toJson(comparison));
  }
  if (!report.timings.empty()) {
    json["timing"] = {{"runs", report.timings.size()}};
    for (const Quantity &quantity : kQuantities) {
      std::optional<Statistics> s = statisticsOf(report, quantity);
      json["timing"][std::string(quantity.name) + "_ms"] =
          s ? toJson(*s) : Json();
    }
  }
  return rung::formatJson(json);
}

} // namespace rung::tools
