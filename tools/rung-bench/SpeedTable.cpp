//===- SpeedTable.cpp - a table of speed, as text and JSON ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/SpeedTable.h"

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Three digits, without an exponent where they need none.
std::string digits(double value) {
  char text[40];
  if (value >= 100 && value < 1e6)
    std::snprintf(text, sizeof text, "%.0f", value);
  else
    std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

/// JSON has no NaN and no infinity; null stands for them.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string limitText(const SpeedRow &row) {
  if (row.limit <= 0)
    return "";
  return (row.moreIsBetter() ? ">= " : "<= ") + digits(row.limit);
}

bool reaches(const SpeedRow &row, double value) {
  return row.moreIsBetter() ? value >= row.limit : value <= row.limit;
}

std::string checkText(const SpeedResult &result) {
  std::string text;
  double worst = 0;
  for (const Comparison &c : result.comparisons) {
    if (!c.passed())
      text += concat(text.empty() ? "" : "; ", toString(c));
    worst =
        std::max(worst, std::isnan(c.maxAbsolute) ? INFINITY : c.maxAbsolute);
  }
  if (!text.empty())
    return text;
  return concat("ok, ", std::min(result.row.batch, result.row.checkedRows),
                " rows x ",
                result.row.mode == SpeedMode::Host
                    ? result.row.checkedSteps
                    : std::min(result.row.steps, result.row.checkedSteps),
                " steps, max abs ", digits(worst));
}

Json toJson(const SpeedResult &result) {
  const SpeedRow &row = result.row;
  Json json = {{"name", row.name},         {"group", row.group},
               {"steps", row.steps},       {"batch", row.batch},
               {"unit", row.unit},         {"device", result.device},
               {"variant", result.variant}};
  if (row.limit > 0)
    json["limit"] = row.limit;
  if (row.goal > 0)
    json["goal"] = row.goal;
  if (!result.error.empty()) {
    json["error"] = result.error;
  } else {
    const Statistics s = summarize(result.ms);
    json["value"] = row.value(s.median);
    json["runs"] = result.ms.size();
    json["ms"] = {
        {"median", s.median}, {"min", s.min}, {"p90", s.p90}, {"max", s.max}};
  }
  json["peers"] = Json::array();
  for (const PeerValue &peer : row.peers)
    json["peers"].push_back({{"name", peer.name}, {"value", peer.value}});
  json["checks"] = Json::array();
  for (const Comparison &c : result.comparisons)
    json["checks"].push_back({{"output", c.output},
                              {"passed", c.passed()},
                              {"elements", c.elements},
                              {"bad", c.bad},
                              {"max_absolute", number(c.maxAbsolute)}});
  return json;
}

} // namespace

const PeerValue *bestPeer(const SpeedRow &row) {
  const PeerValue *best = nullptr;
  for (const PeerValue &peer : row.peers)
    if (!best || (row.moreIsBetter() ? peer.value > best->value
                                     : peer.value < best->value))
      best = &peer;
  return best;
}

static std::string formatSpeedHead(size_t width) {
  return padded("row", width) + "  " + padded("median", 21) +
         padded("least to p90", 19) + padded("limit", 14) +
         padded("best peer", 26) + "beside the reference\n";
}

std::string formatSpeedLine(const SpeedResult &result, size_t width) {
  const SpeedRow &row = result.row;
  std::string text = padded(row.name, width) + "  ";
  if (!result.error.empty())
    return text + "failed: " + result.error.substr(0, result.error.find('\n')) +
           "\n";
  const Statistics s = summarize(result.ms);
  const double value = row.value(s.median);
  text += padded(digits(value) + " ", 9) + padded(row.unit, 12);
  text += padded(
      digits(row.value(s.min)) + " to " + digits(row.value(s.p90)) + " ", 19);
  text += padded(limitText(row), 10);
  text += padded(row.limit <= 0 ? "" : reaches(row, value) ? "yes" : "no", 4);
  const PeerValue *peer = bestPeer(row);
  text +=
      padded(peer ? digits(peer->value) + " " + peer->name + " " : "- ", 26);
  return text + checkText(result) + "\n";
}

SpeedPrinter::SpeedPrinter(const std::vector<SpeedRow> &rows) {
  for (const SpeedRow &row : rows)
    width_ = std::max(width_, row.name.size());
}

void SpeedPrinter::print(const SpeedResult &result) {
  std::string text;
  if (!begun_)
    text = concat("on ", result.device, ", kernels for ", result.variant, "\n",
                  formatSpeedHead(width_));
  begun_ = true;
  if (result.row.group != group_)
    text += result.row.group + ":\n";
  group_ = result.row.group;
  text += formatSpeedLine(result, width_);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

std::string formatSpeedJson(const std::vector<SpeedResult> &results) {
  Json json = {{"rows", Json::array()}};
  for (const SpeedResult &result : results)
    json["rows"].push_back(toJson(result));
  return formatJson(json);
}

} // namespace rung::tools
